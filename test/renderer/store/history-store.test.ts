import { expect, test } from 'vitest'
import { HISTORY } from '../../../renderer/gallery/fixtures.ts'
import { createHistoryStore, inTab, matches, visibleRuns } from '../../../renderer/store/history-store.ts'
import type { RunSummary } from '../../../shared/run/view.ts'
import { testBridge } from '../support/bridge.ts'

function world(first: readonly RunSummary[]) {
  const disk = { runs: first, asked: 0 }
  const list = async () => {
    disk.asked += 1
    return { ok: true as const, value: { runs: [...disk.runs], total: disk.runs.length } }
  }
  const bridge = testBridge({}, { runs: { list } })
  return { store: createHistoryStore(bridge), bridge, disk }
}

const [newest, ...older] = HISTORY
if (newest === undefined) throw new Error('the fixture has runs')

test('a new run waits behind the pill while the list is being read, and rows stay where they are', async () => {
  const { store, bridge, disk } = world(older)
  await store.getState().load()
  store.getState().setReading(true)
  disk.runs = HISTORY
  bridge.tellHistory({ seq: 1, project: 'p' })
  await expect.poll(() => store.getState().waiting.length).toBe(1)
  expect(store.getState().runs[0]?.runId).toBe(older[0]?.runId)
  store.getState().takeWaiting()
  expect(store.getState().runs[0]?.runId).toBe(newest.runId)
  expect(store.getState().waiting).toEqual([])
})

test('a new run is there at once when nobody reads', async () => {
  const { store, bridge, disk } = world(older)
  await store.getState().load()
  disk.runs = HISTORY
  bridge.tellHistory({ seq: 1, project: 'p' })
  await expect.poll(() => store.getState().runs[0]?.runId).toBe(newest.runId)
})

test('a known run changes in place also while the list is being read', async () => {
  const { store, bridge, disk } = world(HISTORY)
  await store.getState().load()
  store.getState().setReading(true)
  disk.runs = HISTORY.map((run) => (run === newest ? { ...run, sentence: 'changed' } : run))
  bridge.tellHistory({ seq: 1, project: 'p' })
  await expect.poll(() => store.getState().runs[0]?.sentence).toBe('changed')
})

test('many changes at once are one more question, not many', async () => {
  const { store, bridge, disk } = world(HISTORY)
  await store.getState().load()
  for (let seq = 1; seq <= 20; seq++) bridge.tellHistory({ seq, project: 'p' })
  await store.getState().load()
  await expect.poll(() => disk.asked).toBeGreaterThan(1)
  expect(disk.asked).toBeLessThanOrEqual(4)
})

test('every word of the filter has to occur, in any order and case', () => {
  expect(matches(newest, 'RELEASE #48')).toBe(true)
  expect(matches(newest, '48 release')).toBe(true)
  expect(matches(newest, 'release 99')).toBe(false)
})

test('the failed group holds completed runs with dead calls too', () => {
  const failed = HISTORY.filter((run) => inTab(run, 'failed'))
  expect(failed.some((run) => run.status === 'completed')).toBe(true)
  expect(failed.every((run) => run.status === 'failed' || run.counts.dead > 0)).toBe(true)
})

test('group, filter and workflow narrow the list together', () => {
  const state = { runs: [...HISTORY], tab: 'failed' as const, text: 'fix', workflow: null }
  expect(visibleRuns(state).map((run) => run.number)).toEqual([46])
})
