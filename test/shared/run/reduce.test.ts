import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NewEvent, RunEvent } from '../../../shared/run/events.ts'
import { reduce, reduceAll } from '../../../shared/run/reduce.ts'
import { type RunView, RunView as RunViewSchema } from '../../../shared/run/view.ts'
import { ChanceExecutor } from '../../engine/support/chance-executor.ts'
import { decidesGates } from '../../engine/support/chance-person.ts'
import { type MemoryAttempt, type ProgramHooks, program, startAttempt } from '../../engine/support/memory-attempt.ts'
import { MemoryJournal } from '../../engine/support/memory-run.ts'
import { programsOf, randomTree, seeded } from '../../engine/support/random-program.ts'

const STARTED: NewEvent = {
  type: 'run.started',
  number: 7,
  title: 'T',
  path: '/p/t.js',
  script: 's',
  scriptChanged: false,
  declaredPhases: [{ title: 'Plan', detail: 'd' }, { title: 'Work' }],
  backend: 'real',
  policy: 'content',
  concurrency: 4,
  budget: null,
  startedAt: 1,
}
const QUEUED = {
  type: 'call.queued',
  callId: 1,
  kind: 'agent',
  label: null,
  title: 'p',
  phase: 'Work',
  source: 'live',
  whyLive: 'new-call',
  agent: 'a',
  model: null,
  fp: 'f',
} as const
const ENDED = {
  type: 'call.ended',
  callId: 1,
  outcome: 'ok',
  source: 'live',
  reason: null,
  detail: null,
  ms: 5,
  usage: { inputTokens: 1, outputTokens: 10 },
  cost: 0.5,
  tries: 1,
  summary: 's',
  backend: 'real',
  fromAttempt: null,
} as const
const COUNTS = { ok: 1, dead: 0, skipped: 0, abandoned: 0, replayed: 0, live: 1 }

/** Folds events that follow one another in the stream. */
function fold(events: readonly (NewEvent | { type: string })[], from: RunView | null = null, attempt = 1): RunView {
  const first = (from?.lastSeq ?? 0) + 1
  const view = events.reduce<RunView | null>(
    (before, event, i) => reduce(before, { ...event, seq: first + i, at: 100 + first + i, runId: 'R', attempt } as RunEvent),
    from,
  )
  if (view === null) throw new Error('no view: no run.started')
  return view
}

describe('a view', () => {
  test('begins with run.started; what comes before is ignored', () => {
    expect(reduce(null, { type: 'run.waiting', for: 'gate', seq: 1, at: 1, runId: 'R', attempt: 1 })).toBe(null)
    const view = fold([STARTED])
    expect(view).toMatchObject({ status: 'running', number: 7, calls: [], startedAt: 1, attemptStartedAt: 101 })
    expect(view.phases.map(({ title, declared, status }) => [title, declared, status])).toEqual([
      ['Plan', true, 'not-yet'],
      ['Work', true, 'not-yet'],
    ])
    expect(RunViewSchema.safeParse(view).success).toBe(true)
  })

  test('follows a call from the queue to its end, and counts it once', () => {
    const queued = fold([STARTED, QUEUED])
    expect(queued.calls).toMatchObject([{ status: 'queued', queuedAt: 102, startedAt: null }])
    const running = fold(
      [
        { type: 'call.started', callId: 1, generation: 1, worker: 'w' },
        { type: 'call.progress', callId: 1, kind: 'text', text: 'reading' },
      ],
      queued,
    )
    expect(running.calls).toMatchObject([{ status: 'running', startedAt: 103, lastProgress: 'reading' }])
    const retrying = fold(
      [
        { type: 'call.retrying', callId: 1, reason: 'agent-error', detail: 'boom', delayMs: 1, tries: 1 },
        { type: 'call.started', callId: 1, generation: 2, worker: 'w' },
      ],
      running,
    )
    expect(retrying.calls).toMatchObject([{ status: 'running', startedAt: 103, lastProgress: 'boom', tries: 1 }])
    const ended = fold([ENDED, ENDED, { ...ENDED, outcome: 'dead' }], retrying)
    expect(ended).toMatchObject({ counts: COUNTS, outputTokens: 10, liveOutputTokens: 10, cost: 0.5 })
    expect(ended.calls).toMatchObject([{ status: 'ok', endedAt: 107, summary: 's', outputTokens: 10 }])
    expect(queued.calls[0]?.status).toBe('queued')
  })

  test('a call that asks waits with its questions until the last is answered, and the run offers to answer', () => {
    const ask = (question: string): NewEvent => ({ type: 'permission.asked', callId: 1, question, tool: 'Edit', title: `Edit ${question}` })
    const answer = (question: string): NewEvent => ({ type: 'permission.answered', callId: 1, question, answer: 'deny', by: 'you' })
    const running = fold([STARTED, QUEUED, { type: 'call.started', callId: 1, generation: 1, worker: 'w', streams: true }])
    const asking = fold([ask('a.ts'), ask('b.ts')], running)
    expect(asking.calls).toMatchObject([
      {
        status: 'waiting',
        lastProgress: 'Edit b.ts',
        questions: [
          { question: 'a.ts', tool: 'Edit', title: 'Edit a.ts', at: 104 },
          { question: 'b.ts', tool: 'Edit', title: 'Edit b.ts', at: 105 },
        ],
        actions: ['skip'],
      },
    ])
    expect(asking.allowedActions).toEqual(['answer', 'stop', 'pause'])
    const one = fold([answer('a.ts')], asking)
    expect([one.calls[0]?.status, one.calls[0]?.questions?.length]).toEqual(['waiting', 1])
    const none = fold([answer('b.ts')], one)
    expect([none.calls[0]?.status, 'questions' in (none.calls[0] ?? {}), none.allowedActions]).toEqual([
      'running',
      false,
      ['stop', 'pause'],
    ])
  })

  test('questions go with the try that asked them: by its end, its next try, a new start, or the end of the run', () => {
    const asking = fold([
      STARTED,
      QUEUED,
      { type: 'call.started', callId: 1, generation: 1, worker: 'w' },
      { type: 'permission.asked', callId: 1, question: 'q', tool: 'Edit', title: 'T' },
    ])
    const RUN_ENDED = {
      type: 'run.ended',
      status: 'killed',
      reason: null,
      resetAt: null,
      error: null,
      counts: COUNTS,
      value: null,
    } as const
    for (const event of [
      ENDED,
      { type: 'call.retrying', callId: 1, reason: 'agent-error', detail: 'boom', delayMs: 1, tries: 1 },
      { type: 'call.started', callId: 1, generation: 2, worker: 'w' },
      RUN_ENDED,
    ] as const) {
      const after = fold([event], asking)
      expect([event.type, 'questions' in (after.calls[0] ?? {}), after.allowedActions.includes('answer')]).toEqual([
        event.type,
        false,
        false,
      ])
    }
  })

  test('each call says what can be done to it now, and an open gate leaves the pause allowed', () => {
    const actionsAfter = (events: NewEvent[], kind: 'agent' | 'gate' | 'open-child' = 'agent') =>
      fold([STARTED, { ...QUEUED, kind }, ...events]).calls[0]?.actions
    const start: NewEvent = { type: 'call.started', callId: 1, generation: 1, worker: 'w' }
    expect(actionsAfter([])).toEqual(['skip'])
    expect(actionsAfter([start])).toEqual(['skip', 'retry'])
    expect(
      actionsAfter([start, { type: 'call.retrying', callId: 1, reason: 'agent-error', detail: 'boom', delayMs: 1, tries: 1 }]),
    ).toEqual(['skip', 'retry'])
    expect(actionsAfter([start, ENDED])).toEqual([])
    expect(actionsAfter([start], 'gate')).toEqual(['skip'])
    expect(actionsAfter([start], 'open-child')).toEqual([])
    expect(fold([STARTED, { ...QUEUED, source: 'replayed', whyLive: null }]).calls[0]?.actions).toEqual([])
    const ended = fold([
      STARTED,
      QUEUED,
      start,
      { type: 'run.ended', status: 'killed', reason: null, resetAt: null, error: null, counts: COUNTS, value: null },
    ])
    expect(ended.calls[0]?.actions).toEqual([])
    const gate = fold([STARTED, { ...QUEUED, kind: 'gate' }, start, { type: 'gate.opened', callId: 1, question: 'q', options: ['a'] }])
    expect(gate.allowedActions).toEqual(['decide', 'stop', 'pause'])
  })

  test('tells when a streaming call was last heard of, as long as it works', () => {
    const start = (streams: boolean): NewEvent => ({ type: 'call.started', callId: 1, generation: 1, worker: 'w', streams })
    const talk: NewEvent = { type: 'call.progress', callId: 1, kind: 'text', text: 'reading' }
    expect(fold([STARTED, QUEUED, start(true)]).calls[0]?.lastEventAt).toBe(103)
    expect(fold([STARTED, QUEUED, start(true), talk]).calls[0]?.lastEventAt).toBe(104)
    expect(fold([STARTED, QUEUED, start(false), talk]).calls[0]?.lastEventAt).toBe(undefined)
    expect(fold([STARTED, QUEUED, start(true), talk, ENDED]).calls[0]?.lastEventAt).toBe(undefined)
    expect(fold([STARTED, QUEUED, start(true), { type: 'call.session', callId: 1, session: 's-1' }]).calls[0]?.session).toBe('s-1')
  })

  test('a replayed result spends nothing live, and only agents and checks are counted', () => {
    const replayed = fold([STARTED, QUEUED, { ...ENDED, source: 'replayed', fromAttempt: 1, cost: null }])
    expect(replayed).toMatchObject({ counts: { ok: 1, replayed: 1, live: 0 }, outputTokens: 10, liveOutputTokens: 0, cost: null })
    expect(fold([STARTED, { ...QUEUED, kind: 'gate' }, ENDED]).counts).toMatchObject({ ok: 0, live: 0 })
  })

  test('an event seen twice changes nothing, and one of a call it does not know neither', () => {
    const view = fold([STARTED, QUEUED])
    expect(reduce(view, { ...ENDED, seq: 2, at: 1, runId: 'R', attempt: 1 })).toBe(view)
    expect(fold([{ ...ENDED, callId: 9 }], view)).toMatchObject({ calls: view.calls, counts: view.counts })
  })

  test('phases keep the order of their first mention', () => {
    const view = fold([
      STARTED,
      { type: 'phase.started', phase: 'New', source: 'live' },
      { type: 'phase.started', phase: 'Plan', source: 'live' },
      { type: 'phase.ended', phase: 'New', source: 'live' },
    ])
    expect(view.phases.map(({ title, status, declared }) => [title, status, declared])).toEqual([
      ['Plan', 'running', true],
      ['Work', 'not-yet', true],
      ['New', 'ended', false],
    ])
    expect(view.currentPhase).toBe('Plan')
  })

  test('the log keeps the newest 200 lines, over attempts', () => {
    const line = (n: number): NewEvent => ({ type: 'log', text: `l${n}`, level: 'info', source: 'live', line: null })
    const first = fold([STARTED, ...Array.from({ length: 150 }, (_, n) => line(n))])
    const second = fold([STARTED, ...Array.from({ length: 100 }, (_, n) => line(150 + n))], first, 2)
    expect([second.log.length, second.log[0]?.text, second.log.at(-1)?.text]).toEqual([200, 'l50', 'l249'])
  })

  test('the end settles what was left: started calls were cut off, others have not happened', () => {
    const view = fold([
      STARTED,
      QUEUED,
      { ...QUEUED, callId: 2 },
      { type: 'call.started', callId: 2, generation: 1, worker: 'w' },
      { type: 'run.ended', status: 'paused', reason: 'quota', resetAt: '18:00', error: null, counts: COUNTS, value: null },
    ])
    expect(view).toMatchObject({
      status: 'paused',
      reason: 'quota',
      resetAt: '18:00',
      counts: COUNTS,
      currentPhase: null,
      allowedActions: ['resume', 'export', 'delete'],
    })
    expect(view.calls.map(({ status }) => status)).toEqual(['abandoned', 'cut-off'])
    expect(view.attempts).toMatchObject([{ attempt: 1, status: 'paused', counts: COUNTS }])
  })

  test('a next attempt starts its calls afresh and keeps the attempts before', () => {
    const first = fold([
      STARTED,
      QUEUED,
      ENDED,
      { type: 'run.ended', status: 'killed', reason: null, resetAt: null, error: null, counts: COUNTS, value: null },
    ])
    const second = fold([{ ...STARTED, scriptChanged: true }, QUEUED], first, 2)
    expect(second.attempts.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 'killed'],
      [2, 'running'],
    ])
    expect(second).toMatchObject({ attempt: 2, scriptChanged: true, counts: { ok: 0 }, endedAt: null, value: null })
    expect(second.calls).toHaveLength(1)
  })

  test('events and end states of a newer version are tolerated, the latter shown as failed', () => {
    const view = fold([STARTED, { type: 'call.teleported' }, QUEUED])
    expect([view.calls.length, view.lastSeq]).toEqual([1, 3])
    const ended = fold(
      [{ type: 'run.ended', status: 'levitating', reason: null, resetAt: null, error: null, counts: COUNTS, value: null }],
      view,
    )
    expect([ended.status, ended.attempts[0]?.status]).toEqual(['failed', 'failed'])
  })
})

test('no order of any events throws or breaks the view', () => {
  const callId = fc.integer({ min: 1, max: 3 })
  const event = fc.oneof(
    fc.constant(STARTED),
    callId.map((id) => ({ ...QUEUED, callId: id })),
    callId.map((id) => ({ type: 'call.started' as const, callId: id, generation: 1, worker: 'w' })),
    fc
      .tuple(callId, fc.constantFrom('ok', 'dead', 'skipped', 'abandoned'))
      .map(([id, outcome]) => ({ ...ENDED, callId: id, outcome: outcome as 'ok' })),
    callId.map((id) => ({ type: 'permission.asked' as const, callId: id, question: 'q', tool: 't', title: 'T' })),
    callId.map((id) => ({ type: 'gate.opened' as const, callId: id, question: 'q', options: [] })),
    fc.constantFrom('A', 'Plan').map((phase) => ({ type: 'phase.started' as const, phase, source: 'live' as const })),
    fc.constantFrom('A', 'Plan').map((phase) => ({ type: 'phase.ended' as const, phase, source: 'live' as const })),
    fc.constant({ type: 'run.waiting' as const, for: 'gate' }),
    fc.constant({ type: 'run.ended' as const, status: 'completed', reason: null, resetAt: null, error: null, counts: COUNTS, value: null }),
    fc.constant({ type: 'of-tomorrow' }),
  )
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      const view = fold([STARTED, ...events])
      expect(RunViewSchema.safeParse(view).error).toBe(undefined)
      expect(view.lastSeq).toBe(events.length + 1)
    }),
    { numRuns: 60 },
  )
})

/** What a replay may tell in another way: when, whether anew, and in which attempt. */
function timeless(view: RunView): unknown {
  const { attempts: _, log, lastSeq: __, liveOutputTokens: ___, ...rest } = view
  return {
    ...rest,
    ...{ attempt: 0, startedAt: 0, attemptStartedAt: 0, updatedAt: 0, endedAt: 0 },
    counts: { ...view.counts, replayed: 0, live: 0 },
    phases: view.phases.map(({ startedAt: _at, endedAt: _end, ...phase }) => phase),
    log: log.map(({ text, level }) => ({ text, level })),
    calls: view.calls.map(({ wakeAt: _wakeAt, ...call }) => ({
      ...call,
      source: '',
      whyLive: null,
      queuedAt: 0,
      startedAt: 0,
      endedAt: 0,
      fromAttempt: 0,
    })),
  }
}

test('many events at once give what one after the other gives, and leave the view before them as it was', () => {
  const events = [STARTED, QUEUED, { ...QUEUED, callId: 2 }, ENDED, { ...ENDED, callId: 2 }, { ...QUEUED, callId: 3 }]
  const placed = events.map((event, i) => ({ ...event, seq: i + 1, at: i, runId: 'RUN', attempt: 1 }) as RunEvent)
  for (let cut = 1; cut < placed.length; cut += 1) {
    const before = reduceAll(null, placed.slice(0, cut))
    const copy = structuredClone(before)
    expect(reduceAll(before, placed.slice(cut))).toEqual(placed.reduce<RunView | null>((view, event) => reduce(view, event), null))
    expect(before).toEqual(copy)
  }
})

test('the events of a full replay fold to the view of the live run, apart from source and times (P3)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 2 ** 30 }), async (seed) => {
      const { main: body, child } = programsOf({ t: 'seq', nodes: [1, 2].map((part) => randomTree(seeded(seed + part))) })
      const phased = program(async (hooks: ProgramHooks) => {
        hooks.phase('First')
        hooks.log('begins')
        const value = await body(hooks as unknown as Parameters<typeof body>[0])
        hooks.phase('Second')
        hooks.log('goes on')
        return [value, await hooks.agent('last', { label: 'l', phase: 'Third' })]
      })
      const journal = new MemoryJournal()
      const start = (): MemoryAttempt => {
        const executor = new ChanceExecutor(seeded(seed), 0)
        return startAttempt(journal, phased, { executor, clock: executor.clock, children: child, onEvent: decidesGates(executor, journal) })
      }
      const live = start()
      const before = await live.done
      const replay = start()
      await replay.done
      const folded = replay.events.reduce<RunView | null>(reduce, null)
      if (folded === null) throw new Error('no events')
      expect(folded.counts.live).toBe(folded.counts.abandoned)
      expect(timeless(folded)).toEqual(timeless(before))
      expect(live.events.reduce<RunView | null>(reduce, null)).toEqual(before)
      expect(replay.events.map(({ seq }) => seq)).toEqual(replay.events.map((_, i) => i + 1))
    }),
    { numRuns: 40 },
  )
}, 60_000)
