import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Batches } from '../../main/ipc/batches.ts'
import type { RunsChanged } from '../../shared/contract/events.ts'
import { RunId } from '../../shared/ids.ts'
import type { RunEvent } from '../../shared/run/events.ts'

const A = RunId.parse('A')
const B = RunId.parse('B')
let sent: { at: number; change: RunsChanged }[]
let batches: Batches

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  sent = []
  batches = new Batches((change) => sent.push({ at: Date.now(), change }))
})
afterEach(() => void vi.useRealTimers())

function log(seq: number): RunEvent {
  return { type: 'log', seq, at: 0, runId: 'A', attempt: 1, text: `line ${seq}`, level: 'info', source: 'live', line: null }
}

test('the first event of a quiet run goes at once', () => {
  batches.add(A, log(1))
  expect(sent).toEqual([{ at: 0, change: { runId: A, seq: 1, events: [log(1)] } }])
  vi.advanceTimersByTime(1_000)
  batches.add(A, log(2))
  expect(sent).toHaveLength(2)
  expect(sent[1]?.at).toBe(1_000)
})

test('500 events a second arrive in order, none lost, in at most ten sendings a second', () => {
  for (let seq = 1; seq <= 1_000; seq++) {
    batches.add(A, log(seq))
    vi.advanceTimersByTime(2)
  }
  vi.advanceTimersByTime(200)
  expect(sent.flatMap(({ change }) => change.events.map((event) => event.seq))).toEqual(Array.from({ length: 1_000 }, (_, i) => i + 1))
  for (const { change } of sent) expect(change.seq).toBe(change.events.at(-1)?.seq)
  for (let from = 0; from < 2_000; from += 50) {
    expect(sent.filter(({ at }) => at >= from && at < from + 1_000).length).toBeLessThanOrEqual(11)
  }
})

test('a run does not wait for another', () => {
  batches.add(A, log(1))
  batches.add(B, log(1))
  expect(sent.map(({ change }) => change.runId)).toEqual([A, B])
})

test('what waits at the end of a run goes out with it', () => {
  batches.add(A, log(1))
  batches.add(A, log(2))
  batches.flush(A)
  expect(sent.map(({ change }) => change.seq)).toEqual([1, 2])
  vi.advanceTimersByTime(1_000)
  expect(sent).toHaveLength(2)
  expect(vi.getTimerCount()).toBe(0)
})
