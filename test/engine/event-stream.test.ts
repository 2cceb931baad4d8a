import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EventStream } from '../../main/engine/event-stream.ts'
import type { NewEvent } from '../../shared/run/events.ts'

const STARTED: NewEvent = {
  ...{ type: 'run.started', number: 1, title: 'T', path: '/p/t.js', script: 's', scriptChanged: false, declaredPhases: [] },
  ...{ backend: null, policy: 'content', concurrency: 4, budget: null, startedAt: 1 },
}
const line = (text: string): NewEvent => ({ type: 'log', level: 'info', source: 'live', line: null, text })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The texts and the last number of each batch that was handed on. */
function stream(burstMs?: number): { stream: EventStream; batches: string[][]; lines: number[] } {
  const batches: string[][] = []
  const lines: number[] = []
  const made = new EventStream({
    ...{ runId: 'RUN', attempt: 1, earlier: null, burstMs, now: () => 5 },
    publish: (events, view) => {
      batches.push(events.map((event) => (event.type === 'log' ? event.text : event.type)))
      lines.push(view.log.length)
    },
  })
  return { stream: made, batches, lines }
}

test('what happens after a rest is told at once, and a burst behind it together', async () => {
  const { stream: told, batches, lines } = stream(10)
  told.emit(STARTED)
  told.emit(line('a'))
  await Promise.resolve()
  expect(batches).toEqual([['run.started', 'a']])
  for (const text of ['b', 'c', 'd']) {
    told.emit(line(text))
    await Promise.resolve()
  }
  expect(batches).toHaveLength(1)
  vi.advanceTimersByTime(10)
  expect([batches, lines]).toEqual([
    [
      ['run.started', 'a'],
      ['b', 'c', 'd'],
    ],
    [1, 4],
  ])
  vi.advanceTimersByTime(10)
  told.emit(line('e'))
  await Promise.resolve()
  expect(batches.at(-1)).toEqual(['e'])
})

test('the view knows of events that are not told yet, and the end tells the rest', async () => {
  const { stream: told, batches } = stream(10)
  told.emit(STARTED)
  await Promise.resolve()
  told.emit(line('a'))
  expect(told.view.log.map(({ text }) => text)).toEqual(['a'])
  told.emit(line('b'))
  expect([told.view.log.length, told.view.lastSeq]).toEqual([2, 3])
  told.flush()
  expect(batches).toEqual([['run.started'], ['a', 'b']])
})
