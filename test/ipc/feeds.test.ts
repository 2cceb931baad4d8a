import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HistoryFeed } from '../../main/ipc/history-feed.ts'
import { RunFeed } from '../../main/ipc/run-feed.ts'
import { LiveRuns } from '../../main/live-runs.ts'
import { Projects } from '../../main/projects.ts'
import type { Service } from '../../main/service/service.ts'
import type { RunsChanged } from '../../shared/contract/events.ts'
import type { RunStatus } from '../../shared/run/view.ts'
import { FakeRun } from '../main/fake-run.ts'

let live: LiveRuns
let told: RunsChanged[]
let onDisk: { lastSeq: number; status: RunStatus }
let looks: number
let feed: RunFeed

beforeEach(() => {
  vi.useFakeTimers()
  live = new LiveRuns()
  told = []
  looks = 0
  onDisk = { lastSeq: 5, status: 'running' }
  const service = {
    show: () => {
      looks += 1
      return Promise.resolve(onDisk)
    },
  }
  feed = new RunFeed(service as unknown as Service, live, (name, value) => {
    if (name === 'runs.changed') told.push(value as RunsChanged)
  })
})
afterEach(() => void vi.useRealTimers())

test('only a watched run is told of, until nobody watches it any more', () => {
  const run = new FakeRun('A')
  live.add(run, '/p')
  run.start()
  expect(told).toEqual([])
  feed.watch(run.runId, '/p')
  feed.watch(run.runId, '/p')
  run.say({ type: 'log', text: 'one', level: 'info', source: 'live', line: null })
  expect(told.map(({ seq }) => seq)).toEqual([2])
  vi.advanceTimersByTime(1_000)
  feed.unwatch(run.runId)
  run.say({ type: 'log', text: 'two', level: 'info', source: 'live', line: null })
  expect(told.map(({ seq }) => seq)).toEqual([2, 3])
  feed.unwatch(run.runId)
  vi.advanceTimersByTime(1_000)
  run.say({ type: 'log', text: 'three', level: 'info', source: 'live', line: null })
  expect(told).toHaveLength(2)
  expect(vi.getTimerCount()).toBe(0)
})

test('the end of a run is told at once with everything before it', () => {
  const run = new FakeRun('A')
  live.add(run, '/p')
  feed.watch(run.runId, '/p')
  run.start()
  run.say({ type: 'log', text: 'last words', level: 'info', source: 'live', line: null })
  run.end('completed')
  expect(told.flatMap(({ events }) => events.map(({ type }) => type))).toEqual(['run.started', 'log', 'run.ended'])
})

test('news of a run that another process works on is a seq that the page has not, so that it asks', async () => {
  const run = new FakeRun('A')
  feed.watch(run.runId, '/p')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(told).toEqual([])
  onDisk = { lastSeq: 9, status: 'running' }
  await vi.advanceTimersByTimeAsync(3_000)
  expect(told).toEqual([{ runId: 'A', seq: 10, events: [] }])
  onDisk = { lastSeq: 9, status: 'interrupted' }
  await vi.advanceTimersByTimeAsync(1_000)
  expect(told.at(-1)).toEqual({ runId: 'A', seq: 10, events: [] })
  expect(told).toHaveLength(2)
})

test('a finished run is looked at again only when the history changes', async () => {
  const run = new FakeRun('A')
  onDisk = { lastSeq: 9, status: 'completed' }
  feed.watch(run.runId, '/p')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(looks).toBe(1)
  onDisk = { lastSeq: 10, status: 'running' }
  await feed.lookAgain()
  expect(told).toEqual([{ runId: 'A', seq: 11, events: [] }])
})

test('a page that was loaded anew watches nothing', async () => {
  feed.watch(new FakeRun('A').runId, '/p')
  feed.clear()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(looks).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
})

test('the list is told to be stale at once, then at most four times a second', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reprise-history-'))
  const projects = new Projects(join(folder, 'data'))
  projects.open(folder)
  const at: number[] = []
  const start = Date.now()
  const history = new HistoryFeed(projects, live, ({ project }) => {
    expect(project).toBe(folder)
    at.push(Date.now() - start)
  })
  const run = new FakeRun('A')
  live.add(run, folder)
  run.start()
  for (let ms = 0; ms < 1_000; ms += 10) {
    run.say({ type: 'log', text: 'x', level: 'info', source: 'live', line: null })
    vi.advanceTimersByTime(10)
  }
  expect(at).toEqual([0, 250, 500, 750, 1_000])
  history.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a run started by another process makes the list stale, a quiet project does not', async () => {
  vi.useRealTimers()
  const folder = mkdtempSync(join(tmpdir(), 'reprise-history-'))
  const projects = new Projects(join(folder, 'data'))
  projects.open(folder)
  const index = join(folder, '.claude', 'workflow-runs', 'index.jsonl')
  mkdirSync(dirname(index), { recursive: true })
  let isWritten = false
  const wasWritten = await new Promise<boolean>((resolve) => {
    const history = new HistoryFeed(projects, live, () => {
      clearInterval(writing)
      history.close()
      resolve(isWritten)
    })
    // Again and again, since nobody tells when the watch has had its first look.
    const writing = setInterval(() => {
      appendFileSync(index, '{}\n')
      isWritten = true
    }, 300)
  })
  expect(wasWritten).toBe(true)
  rmSync(folder, { recursive: true, force: true })
})
