import { afterEach, expect, test, vi } from 'vitest'
import { LiveRuns } from '../../main/live-runs.ts'
import { FakeRun } from './fake-run.ts'

afterEach(() => void vi.useRealTimers())

test('a run is on the list from its start to its end, with its newest view', async () => {
  const live = new LiveRuns()
  const run = new FakeRun('A')
  const ends: string[] = []
  live.ended.on(({ view }) => ends.push(view.status))
  live.add(run, '/p')
  run.start()
  expect(live.entries.map(({ view }) => view?.status)).toEqual(['running'])
  run.end('completed')
  await vi.waitFor(() => expect(live.entries).toEqual([]))
  expect(ends).toEqual(['completed'])
  expect(run.listenerCount).toBe(0)
})

test('the same run added twice is followed once', () => {
  const live = new LiveRuns()
  const run = new FakeRun('A')
  live.add(run, '/p')
  live.add(run, '/p')
  expect(run.listenerCount).toBe(1)
})

test('a stop asked for here is remembered as the person’s own', () => {
  const live = new LiveRuns()
  const run = new FakeRun('A')
  live.add(run, '/p')
  expect(live.stop(run.runId, 'keep')).toBe(true)
  expect(live.find(run.runId)?.isStoppedByUser).toBe(true)
  expect(run.stops).toEqual(['keep'])
  expect(live.stop(new FakeRun('B').runId, 'keep')).toBe(false)
})

test('a run that was stopped, or that has its end and is being saved, is at work no longer', () => {
  const live = new LiveRuns()
  const [busy, stopped, ending] = [new FakeRun('A', 1), new FakeRun('B', 2), new FakeRun('C', 3)]
  for (const run of [busy, stopped, ending]) {
    live.add(run, '/p')
    run.start()
  }
  live.stop(stopped.runId, 'keep')
  ending.tellEnd('completed')
  expect(live.entries).toHaveLength(3)
  expect(live.atWork.map(({ run }) => run.runId)).toEqual([busy.runId])
})

test('on the way out runs end in order, and those that don’t are ended at once after the grace', async () => {
  vi.useFakeTimers()
  const live = new LiveRuns()
  const [good, stubborn] = [new FakeRun('A', 1), new FakeRun('B', 2)]
  for (const run of [good, stubborn]) {
    live.add(run, '/p')
    run.start()
  }
  let isOver = false
  const over = live.stopAll(10_000).then(() => {
    isOver = true
  })
  expect([good.stops, stubborn.stops]).toEqual([['keep'], ['keep']])
  good.end('killed')
  await vi.advanceTimersByTimeAsync(9_999)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(stubborn.stops).toEqual(['keep', 'now'])
  stubborn.end('killed')
  await over
  expect(vi.getTimerCount()).toBe(0)
})

test('a listener that throws keeps nobody else from hearing', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const live = new LiveRuns()
  const heard = vi.fn()
  live.changed.on(() => {
    throw new Error('broken')
  })
  live.changed.on(heard)
  live.add(new FakeRun('A'), '/p')
  expect(heard).toHaveBeenCalledOnce()
  vi.restoreAllMocks()
})
