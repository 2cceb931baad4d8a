import { expect, test } from 'vitest'
import { LARGE, RUNNING } from '../../../renderer/gallery/fixtures.ts'
import { lanes, splitPinned, visibleRows } from '../../../shared/run/lanes.ts'

const all = lanes(RUNNING, { now: RUNNING.updatedAt, toggled: new Map() })
const ids = (rows: readonly { id: string }[]) => rows.map((row) => row.id)

test('pinned lanes and their calls stand on top, every row stays there once', () => {
  const { top, rest } = splitPinned(all, new Set(['phase:Verify']))
  expect(top[0]?.id).toBe('phase:Verify')
  expect(top).toHaveLength(9)
  expect([...ids(top), ...ids(rest)].sort()).toEqual(ids(visibleRows(all)).sort())
})

test('a pinned lane of many calls stays closed, so that there is room under it', () => {
  const large = lanes(LARGE, { now: LARGE.updatedAt, toggled: new Map(LARGE.phases.map((phase) => [`phase:${phase.title}`, true])) })
  const big = large.find((lane) => lane.calls.length > 8)
  expect(splitPinned(large, new Set([big?.id ?? ''])).top).toHaveLength(1)
})

test('rows of ended calls are the same objects again, so that a busy run redraws only what moved', () => {
  const again = lanes({ ...RUNNING }, { now: RUNNING.updatedAt, toggled: new Map() })
  const calls = (list: typeof all) => list.flatMap((lane) => lane.calls)
  const same = calls(all)
    .filter((row, index) => row === calls(again)[index])
    .map((row) => row.call)
  expect(same).toHaveLength(RUNNING.calls.filter((call) => call.endedAt !== null).length)
})
