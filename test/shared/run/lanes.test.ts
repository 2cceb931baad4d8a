import { describe, expect, test } from 'vitest'
import type { RunEvent } from '../../../shared/run/events.ts'
import { attemptMs, densityLines, lanes, OPEN_LIMIT, RUN_LANE, visibleRows } from '../../../shared/run/lanes.ts'
import { reduce } from '../../../shared/run/reduce.ts'
import type { RunView } from '../../../shared/run/view.ts'

type Some = Partial<RunEvent> & { type: RunEvent['type']; at: number }

/** A view as it comes about: from events. */
function view(events: readonly Some[], phases: readonly string[] = ['A', 'B']): RunView {
  const base = { runId: 'r', attempt: 1 }
  const started = {
    ...base,
    seq: 1,
    at: 0,
    type: 'run.started',
    number: 1,
    title: 't',
    path: 'p',
    script: 's',
    scriptChanged: false,
    declaredPhases: phases.map((title) => ({ title })),
    backend: null,
    policy: 'content',
    concurrency: 2,
    budget: null,
    startedAt: 0,
  } as const
  const rest = events.map((event, index) => ({ ...base, seq: index + 2, ...event }) as RunEvent)
  const made = [started as RunEvent, ...rest].reduce<RunView | null>(reduce, null)
  if (made === null) throw new Error('no view')
  return made
}

function queued(callId: number, at: number, phase: string | null, source: 'live' | 'replayed' = 'live'): Some {
  return {
    type: 'call.queued',
    at,
    callId,
    kind: 'agent',
    label: `c${callId}`,
    title: '',
    phase,
    source,
    whyLive: null,
    agent: null,
    model: null,
    fp: 'f',
  }
}
const started = (callId: number, at: number): Some => ({ type: 'call.started', at, callId, generation: 1, worker: 'w' })
function ended(callId: number, at: number, ms: number, source: 'live' | 'replayed' = 'live'): Some {
  return {
    type: 'call.ended',
    at,
    callId,
    outcome: 'ok',
    source,
    reason: null,
    detail: null,
    ms,
    usage: { inputTokens: 0, outputTokens: 1 },
    cost: null,
    tries: 1,
    summary: '',
    backend: null,
    fromAttempt: source === 'replayed' ? 1 : null,
  }
}

const NONE = { now: 10_000, toggled: new Map<string, boolean>() }

describe('lanes', () => {
  test('stand in order of first mention, also those not reached yet', () => {
    const rows = lanes(view([queued(1, 0, 'C'), queued(2, 0, 'A')]), NONE)
    expect(rows.map((row) => [row.title, row.state.word])).toEqual([
      ['A', '0 of 1'],
      ['B', 'Not yet'],
      ['C', '0 of 1'],
    ])
  })
  test('calls outside every phase have a lane of their own, and none is lost', () => {
    const rows = lanes(view([queued(1, 0, null), queued(2, 0, 'A')]), NONE)
    expect(rows[0]?.title).toBe(RUN_LANE)
    expect(rows.flatMap((row) => row.calls)).toHaveLength(2)
  })
  test('a run without phases is a plain list of its calls', () => {
    const rows = visibleRows(lanes(view([queued(1, 0, null), queued(2, 0, null)], []), NONE))
    expect(rows.map((row) => [row.kind, row.level])).toEqual([
      ['call', 1],
      ['call', 1],
    ])
  })
  test('a lane with more than fifty calls starts closed, and opens when asked', () => {
    const many = view(Array.from({ length: OPEN_LIMIT + 1 }, (_, index) => queued(index + 1, 0, 'A')))
    expect(visibleRows(lanes(many, NONE))).toHaveLength(2)
    const opened = lanes(many, { ...NONE, toggled: new Map([['phase:A', true]]) })
    expect(visibleRows(opened)).toHaveLength(OPEN_LIMIT + 3)
  })
})

describe('a call', () => {
  test('waits as one bar and works as another', () => {
    const row = lanes(view([queued(1, 0, 'A'), started(1, 4000), ended(1, 9000, 5000)]), NONE)[0]?.calls[0]
    expect(row?.bars).toEqual([
      { kind: 'queued', open: false, from: 0, to: 4000 },
      { kind: 'work', open: false, from: 4000, to: 9000 },
    ])
    expect(row?.workedMs).toBe(5000)
  })
  test('that was replayed took no time in this attempt, and keeps its old time apart', () => {
    const row = lanes(view([queued(1, 0, 'A', 'replayed'), ended(1, 1, 58_000, 'replayed')]), NONE)[0]?.calls[0]
    expect(row?.bars).toEqual([])
    expect(row?.workedMs).toBeNull()
    expect(row?.replayedMs).toBe(58_000)
  })
  test('that runs ends at now, and its bar is open', () => {
    const row = lanes(view([queued(1, 0, 'A'), started(1, 0)]), NONE)[0]?.calls[0]
    expect(row?.bars).toEqual([{ kind: 'work', open: true, from: 0, to: 10_000 }])
  })
  test('that was cut off ends at the last sign of the run, not at now', () => {
    const cut = { ...view([queued(1, 0, 'A'), started(1, 1000)]), status: 'interrupted' as const, updatedAt: 6000 }
    const row = lanes(cut, NONE)[0]?.calls[0]
    expect(attemptMs(cut, NONE.now)).toBe(6000)
    expect(row?.bars.at(-1)).toEqual({ kind: 'work', open: false, from: 1000, to: 6000 })
  })
})

test('thin lines of a closed lane do not overlap while there is room', () => {
  const events = [0, 1, 2].flatMap((n) => [queued(n + 1, 0, 'A'), started(n + 1, n * 100), ended(n + 1, n * 100 + 250, 250)])
  const calls = lanes(view(events), NONE)[0]?.calls ?? []
  expect(densityLines(calls).map(({ line }) => line)).toEqual([0, 1, 2])
})
