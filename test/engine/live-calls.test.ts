import { describe, expect, test } from 'vitest'
import type { LiveCall, Settled } from '../../main/engine/live-call.ts'
import { LiveCalls } from '../../main/engine/live-calls.ts'
import type { AskedCall } from '../../main/engine/sandbox/protocol.ts'
import type { Json } from '../../shared/json.ts'
import type { NewEvent } from '../../shared/run/events.ts'
import { DEAD_REASONS, type NewRecord } from '../../shared/run/record.ts'
import { FakeClock, settled } from './support/fake-clock.ts'
import { type Answer, dead, FakeExecutor, ok } from './support/fake-executor.ts'

interface Options {
  answer?: Answer
  slots?: number
  mayStart?(asked: AskedCall): boolean
  save?(records: NewRecord[]): Promise<void>
}

function world({ answer, slots = 4, mayStart = () => true, save = async () => undefined }: Options = {}) {
  const clock = new FakeClock()
  const executor = new FakeExecutor(answer)
  const events: NewEvent[] = []
  const records: NewRecord[] = []
  const ends: { call: number; settled: Settled }[] = []
  const broken: unknown[] = []
  const calls = new LiveCalls({
    runId: 'RUN',
    attempt: 1,
    backend: 'real',
    executor,
    clock,
    emit: (event) => events.push(event),
    isHeld: () => false,
    save: async (added) => {
      records.push(...added)
      await save(added)
    },
    chance: () => 0.5,
    onBroken: (error) => broken.push(error),
    slots,
    mayStart,
    onSettled: async (call: LiveCall, end) => void ends.push({ call: call.asked.call, settled: end }),
    onFreed: () => undefined,
  })
  const ask = (call: number, request: { [key: string]: Json } = {}): void => calls.add(askedCall(call, request), 0)
  return { clock, executor, events, records, ends, broken, calls, ask }
}

function askedCall(call: number, request: { [key: string]: Json }): AskedCall {
  const asked = { prompt: `p${call}`, ...request }
  return {
    t: 'call',
    call,
    kind: 'agent',
    fp: 'f'.repeat(64),
    label: null,
    phase: null,
    request: asked,
    whyLive: 'new-call',
    isNew: true,
    isUnexpected: false,
    lazy: false,
    line: 1,
  }
}

/** One call, with the clock moved on whenever it waits, to its end. */
async function lifeOf(answer: Answer, request: { [key: string]: Json } = {}) {
  const one = world({ answer })
  one.ask(1, request)
  one.calls.pump()
  while (one.ends.length === 0) {
    await settled()
    if (one.clock.waiting > 0) one.clock.advance(one.clock.asked.at(-1) ?? 0)
  }
  const end = one.ends[0]?.settled
  if (end?.kind !== 'result') throw new Error(`no result but ${end?.kind}`)
  return { ...one, end, tries: one.executor.tasks.length }
}

describe('a dead try is tried again as its reason deserves', () => {
  const tries: Record<(typeof DEAD_REASONS)[number], number> = {
    'agent-error': 4,
    'rate-limited': 4,
    stalled: 2,
    'worktree-failed': 2,
    'schema-mismatch': 1,
    timeout: 1,
    refused: 1,
    'unknown-agent': 1,
    'unknown-model': 1,
    unserialisable: 1,
  }

  test.each(DEAD_REASONS)('%s', async (reason) => {
    const { end, tries: made, clock } = await lifeOf(() => dead(reason))
    expect([made, end.tries]).toEqual([tries[reason], tries[reason]])
    expect(end.result).toEqual({ kind: 'dead', reason, detail: `it died of ${reason}` })
    expect(clock.asked).toEqual([2000, 4000, 8000].slice(0, tries[reason] - 1))
  })

  test('never when it says that it is final', async () => {
    expect((await lifeOf(() => dead('agent-error', { retryable: false }))).tries).toBe(1)
  })

  test('as often as the call allows, at most three times more', async () => {
    expect((await lifeOf(() => dead('agent-error'), { retries: 1 })).tries).toBe(2)
    expect((await lifeOf(() => dead('agent-error'), { retries: 0 })).tries).toBe(1)
    expect((await lifeOf(() => dead('agent-error'), { retries: 99 })).tries).toBe(4)
  })

  test('not sooner than a rate limit asks for', async () => {
    const { clock } = await lifeOf(() => dead('rate-limited', { retryAfterMs: 5000 }))
    expect(clock.asked).toEqual([5000, 5000, 8000])
  })

  test('and the tokens, cost and tries of all of them are counted', async () => {
    const { end, events, records } = await lifeOf((_, nth) => (nth < 3 ? dead('agent-error') : ok('done', 7)))
    expect(end).toMatchObject({
      result: { kind: 'ok', output: 'done' },
      usage: { inputTokens: 3, outputTokens: 207 },
      cost: 1.5,
      tries: 3,
      backend: 'real',
    })
    expect(events.filter(({ type }) => type === 'call.retrying')).toEqual([
      { type: 'call.retrying', callId: 1, reason: 'agent-error', detail: 'it died of agent-error', delayMs: 2000, tries: 1 },
      { type: 'call.retrying', callId: 1, reason: 'agent-error', detail: 'it died of agent-error', delayMs: 4000, tries: 2 },
    ])
    expect(records.map((record) => (record.t === 'started' ? record.generation : record.t))).toEqual([1, 2, 3])
  })
})

describe('an answer that breaks its schema (R8)', () => {
  const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }

  test('for ever ends with the failing path after three tries, each told what was wrong', async () => {
    const { end, executor, clock } = await lifeOf(() => ok({ n: 'one' }), { schema })
    expect(end).toMatchObject({
      result: { kind: 'dead', reason: 'schema-mismatch', detail: '/n must be number' },
      tries: 3,
      usage: { outputTokens: 300 },
    })
    expect(executor.prompts[0]).toBe('p1')
    for (const prompt of executor.prompts.slice(1)) expect(prompt).toMatch(/^p1\n\n.*\/n must be number/)
    expect(clock.asked).toEqual([])
  })

  test('twice, then valid, is ok with three tries', async () => {
    const { end } = await lifeOf((_, nth) => ok(nth < 3 ? {} : { n: 1 }), { schema })
    expect(end).toMatchObject({ result: { kind: 'ok', output: { n: 1 } }, tries: 3 })
  })

  test('after tries that died has its own three', async () => {
    const { end } = await lifeOf((_, nth) => (nth < 3 ? dead('agent-error') : ok(nth < 5 ? {} : { n: 1 })), { schema })
    expect(end).toMatchObject({ result: { kind: 'ok' }, tries: 5 })
  })

  test('but is the JSON asked for, written as text, is taken', async () => {
    expect((await lifeOf(() => ok('{"n": 2}'), { schema })).end.result).toEqual({ kind: 'ok', output: { n: 2 } })
    expect((await lifeOf(() => ok('7'), { schema: { type: 'string' } })).end.result).toEqual({ kind: 'ok', output: '7' })
  })

  test('that is no schema itself is dead before anything is started', async () => {
    const { end, tries } = await lifeOf(() => ok(1), { schema: { type: 'nonsense' } })
    expect([end.result.kind, tries]).toEqual(['dead', 0])
    expect(end.result).toMatchObject({ reason: 'schema-mismatch', detail: expect.stringContaining('The schema is invalid') })
  })
})

describe('a person takes one call out of the row', () => {
  const kinds = (one: ReturnType<typeof world>): unknown[] =>
    one.ends.map(({ call, settled: end }) => [call, end.kind === 'result' ? end.result.kind : end.kind])

  test('a queued one is skipped without a start, and the others go on', async () => {
    const one = world({ slots: 1 })
    for (const call of [1, 2, 3]) one.ask(call)
    one.calls.pump()
    await settled()
    one.calls.find(2)?.cancel('skip')
    one.executor.end(1, ok('a'))
    await settled()
    one.executor.end(3, ok('c'))
    await settled()
    expect(one.executor.tasks.map(({ call }) => call)).toEqual([1, 3])
    expect(kinds(one)).toEqual([
      [2, 'skipped'],
      [1, 'ok'],
      [3, 'ok'],
    ])
  })

  test('a running one is aborted, then skipped; it can not be found any more', async () => {
    const one = world()
    one.ask(1)
    one.calls.pump()
    await settled()
    one.calls.find(1)?.cancel('skip')
    await settled()
    expect([kinds(one), one.executor.running, one.calls.find(1)]).toEqual([[[1, 'skipped']], [], undefined])
  })

  test('one between two tries is skipped, or tried again at once', async () => {
    for (const [how, tries, waits] of [
      ['skip', 1, 1],
      ['retry', 2, 1],
    ] as const) {
      const one = world({ answer: (_, nth) => (nth === 1 ? dead('agent-error') : ok('b')) })
      one.ask(1)
      one.calls.pump()
      await settled()
      await settled()
      expect(one.calls.find(1)?.state).toBe('backoff')
      one.calls.find(1)?.cancel(how)
      for (let i = 0; i < 3; i += 1) await settled()
      expect([kinds(one), one.executor.tasks.length, one.clock.asked.length]).toEqual([
        [[1, how === 'skip' ? 'skipped' : 'ok']],
        tries,
        waits,
      ])
    }
  })

  test('a running one is aborted and started again under a new task', async () => {
    const one = world({ answer: (_, nth) => (nth === 1 ? null : ok('again')) })
    one.ask(1)
    one.calls.pump()
    await settled()
    one.calls.find(1)?.cancel('retry')
    for (let i = 0; i < 3; i += 1) await settled()
    expect(kinds(one)).toEqual([[1, 'ok']])
    expect(new Set(one.executor.tasks.map(({ id }) => id)).size).toBe(2)
  })

  test.each([
    ['a good answer is kept', ok({ n: 1 }), 'skip', [[1, 'ok']], 1],
    ['a death is not', dead('refused'), 'skip', [[1, 'skipped']], 1],
    ['an answer that breaks the schema is not', ok({}), 'skip', [[1, 'skipped']], 1],
    ['a death is tried again', dead('refused'), 'retry', [], 2],
  ] as const)('what was under way already when it is told to end: %s', async (_, outcome, how, ends, tries) => {
    const one = world()
    one.executor.onCancel = () => outcome
    one.ask(1, { schema: { type: 'object', required: ['n'] } })
    one.calls.pump()
    await settled()
    one.calls.find(1)?.cancel(how)
    await settled()
    expect([kinds(one), one.executor.tasks.length]).toEqual([ends, tries])
  })

  test.each(['skip', 'retry', 'stop'] as const)(
    'a %s in the very moment in which the wait for the next try is over is not lost',
    async (how) => {
      const one = world({ answer: (_, nth) => (nth === 1 ? dead('agent-error') : null) })
      one.ask(1)
      one.calls.pump()
      await settled()
      await settled()
      one.clock.advance(2000)
      one.calls.find(1)?.cancel(how)
      await settled()
      const expected = { skip: [[[1, 'skipped']], 1], retry: [[], 2], stop: [[[1, 'cancelled']], 1] }
      expect([kinds(one), one.executor.tasks.length]).toEqual(expected[how])
    },
  )

  test('nothing else is wished for a call that the run ends', async () => {
    const one = world()
    one.ask(1)
    one.calls.pump()
    await settled()
    const call = one.calls.find(1)
    expect([call?.cancel('stop'), call?.cancel('skip')]).toEqual([true, false])
    await settled()
    expect(kinds(one)).toEqual([[1, 'cancelled']])
  })

  test('a call is not started again by a person once the run starts nothing more', async () => {
    const one = world()
    one.ask(1)
    one.calls.pump()
    await settled()
    one.calls.find(1)?.cancel('retry')
    await settled()
    expect(one.executor.tasks.length).toBe(2)
    one.calls.close()
    one.calls.find(1)?.cancel('retry')
    await settled()
    expect([kinds(one), one.executor.tasks.length]).toEqual([[[1, 'cancelled']], 2])
  })

  test('a skip that comes while the start is journaled starts nothing', async () => {
    let write: () => void = () => undefined
    const one = world({
      save: () =>
        new Promise((resolve) => {
          write = resolve
        }),
    })
    one.ask(1)
    one.calls.pump()
    await settled()
    one.calls.find(1)?.cancel('skip')
    write()
    await settled()
    expect([kinds(one), one.executor.tasks.length]).toEqual([[[1, 'skipped']], 0])
  })
})

describe('an agent asks for permission', () => {
  const asked = (id: string) => ({ id, tool: 'Edit', title: 'Edit a.ts', input: {} })

  async function asking() {
    const one = world()
    one.ask(1)
    one.ask(2)
    one.calls.pump()
    await settled()
    one.executor.say(1, (on) => on.asked(asked('q')))
    one.executor.say(2, (on) => on.asked(asked('q')))
    const told = (): unknown[] => one.events.filter(({ type }) => type.startsWith('permission.'))
    return { ...one, told }
  }

  test('each question has a name of its own in the run, and its answer reaches the task that asked', async () => {
    const { calls, executor, told } = await asking()
    expect(told()).toMatchObject([
      { type: 'permission.asked', callId: 1, question: '1.1.q', tool: 'Edit', title: 'Edit a.ts' },
      { type: 'permission.asked', callId: 2, question: '2.1.q' },
    ])
    expect(calls.answer('2.1.q', 'allow-once', 'you')).toBe(true)
    expect(executor.answers).toEqual([{ t: 'answer', question: 'q', answer: 'allow-once' }])
    expect(told().slice(2)).toEqual([{ type: 'permission.answered', callId: 2, question: '2.1.q', answer: 'allow-once', by: 'you' }])
  })

  test('the first answer counts, also when it is that nobody gave one in time', async () => {
    const { calls, executor, told } = await asking()
    executor.say(1, (on) => on.answered('q', 'deny'))
    expect(calls.answer('1.1.q', 'allow-once', 'you')).toBe(false)
    calls.answer('2.1.q', 'deny', 'you')
    executor.say(2, (on) => on.answered('q', 'deny'))
    expect(calls.answer('2.1.q', 'allow-once', 'you')).toBe(false)
    expect(told().slice(2)).toEqual([
      { type: 'permission.answered', callId: 1, question: '1.1.q', answer: 'deny', by: 'nobody' },
      { type: 'permission.answered', callId: 2, question: '2.1.q', answer: 'deny', by: 'you' },
    ])
    expect(executor.answers).toHaveLength(1)
  })

  test('and can be skipped meanwhile; then there is nothing to answer', async () => {
    const { calls, ends } = await asking()
    expect(calls.find(1)?.canRetry).toBe(false)
    calls.find(1)?.cancel('skip')
    expect(calls.answer('1.1.q', 'allow-once', 'you')).toBe(false)
    await settled()
    expect(ends).toMatchObject([{ call: 1, settled: { result: { kind: 'skipped' } } }])
  })
})

test('the name of the conversation is told and journaled with its start, once it is known', async () => {
  const one = world()
  one.ask(1)
  one.calls.pump()
  await settled()
  one.executor.say(1, (on) => on.started({ worker: 'fake', session: 's-1' }))
  expect(one.events).toContainEqual({ type: 'call.session', callId: 1, session: 's-1' })
  expect(one.records).toEqual([
    { t: 'started', call: 1, attempt: 1, generation: 1, worker: 'profile:real' },
    { t: 'started', call: 1, attempt: 1, generation: 1, worker: 'profile:real', session: 's-1' },
  ])
})

describe('slots', () => {
  test('are filled in call order and never more than there are', async () => {
    const one = world({ slots: 3, answer: (task) => ok(task.call) })
    for (let call = 1; call <= 10; call += 1) one.ask(call)
    one.calls.pump()
    while (one.ends.length < 10) await settled()
    expect(one.executor.tasks.map(({ call }) => call)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(one.executor.most).toBe(3)
  })

  test('stay empty when the run may start nothing', async () => {
    const one = world({ mayStart: ({ call }) => call < 3 })
    for (const call of [1, 2, 3]) one.ask(call)
    one.calls.pump()
    await settled()
    expect(one.executor.running).toEqual([1, 2])
  })
})

describe('when the run ends', () => {
  test('closing starts no queued call and no next try, and lets running ones finish', async () => {
    const one = world({ slots: 2, answer: (task) => (task.call === 1 ? dead('agent-error') : null) })
    for (const call of [1, 2, 3]) one.ask(call)
    one.calls.pump()
    await settled()
    await settled()
    expect(one.calls.find(1)?.state).toBe('backoff')
    one.calls.close()
    await settled()
    expect(one.ends).toMatchObject([
      { call: 1, settled: { result: { kind: 'dead', reason: 'agent-error' }, usage: { outputTokens: 100 } } },
    ])
    one.executor.end(2, dead('agent-error'))
    await settled()
    expect(one.ends[1]).toMatchObject({ call: 2, settled: { result: { kind: 'dead' }, tries: 1 } })
    expect([one.executor.tasks.length, one.calls.isIdle, one.clock.waiting]).toEqual([2, true, 0])
  })

  test('cancelling ends all of them without a result', async () => {
    const one = world({ slots: 2 })
    for (const call of [1, 2, 3]) one.ask(call)
    one.calls.pump()
    await settled()
    one.calls.cancelAll()
    await settled()
    expect(one.ends.map(({ call, settled: { kind } }) => [call, kind]).toSorted()).toEqual([
      [1, 'cancelled'],
      [2, 'cancelled'],
      [3, 'cancelled'],
    ])
    expect([one.executor.running, one.calls.isIdle]).toEqual([[], true])
  })

  test('a quota or auth failure is no result', async () => {
    const one = world({
      answer: () => ({ kind: 'halt', reason: 'quota', detail: 'usage limit reached', resetAt: '18:00', backend: 'real' }),
    })
    one.ask(1)
    one.calls.pump()
    await settled()
    await settled()
    expect(one.ends).toEqual([{ call: 1, settled: { kind: 'halt', reason: 'quota', detail: 'usage limit reached', resetAt: '18:00' } }])
  })

  test('a start that can not be journaled is told, and starts nothing', async () => {
    const one = world({ save: () => Promise.reject(new Error('fenced')) })
    one.ask(1)
    one.calls.pump()
    await settled()
    expect([one.broken, one.executor.tasks]).toEqual([[new Error('fenced')], []])
  })
})

describe('an agent that does fewer calls at once than the run has slots', () => {
  const laned = (request: Json) => (JSON.stringify(request).includes('heavy') ? { name: 'heavy', slots: 2 } : null)

  test('gets no more than it can do, and holds up nobody else', async () => {
    const { executor, calls, ask } = world({ slots: 4 })
    executor.lane = laned
    for (const call of [1, 2, 3, 4]) ask(call, { agentType: 'heavy' })
    for (const call of [5, 6, 7]) ask(call)
    calls.pump()
    await settled()
    expect(executor.running).toEqual([1, 2, 5, 6])
    executor.end(5, ok('done'))
    await settled()
    expect(executor.running).toEqual([1, 2, 6, 7])
    executor.end(1, ok('done'))
    await settled()
    expect(executor.running).toEqual([2, 6, 7, 3])
  })

  test('takes its next call in turn when one that waited is skipped', async () => {
    const { executor, calls, ask } = world({ slots: 4 })
    executor.lane = laned
    for (const call of [1, 2, 3, 4]) ask(call, { agentType: 'heavy' })
    calls.pump()
    calls.find(3)?.cancel('skip')
    await settled()
    executor.end(1, ok('done'))
    await settled()
    expect(executor.running).toEqual([2, 4])
  })
})

test('a call that goes on with a session is given it once: a later start begins anew', async () => {
  const { executor, calls, clock } = world()
  calls.add(askedCall(1, {}), 3, 'session-1')
  calls.pump()
  await settled()
  executor.end(1, dead('agent-error'))
  await settled()
  clock.advance(clock.asked.at(-1) ?? 0)
  await settled()
  expect(executor.tasks.map(({ generation, session }) => [generation, session])).toEqual([
    [4, 'session-1'],
    [5, undefined],
  ])
})
