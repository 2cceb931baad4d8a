import { expect, test } from 'vitest'
import { segments } from '../../../renderer/routes/run/segments.ts'
import type { CallRow } from '../../../shared/run/lanes.ts'

const row = (n: number, from: number, to: number, tone = 'completed') =>
  ({ id: `call:${n}`, replayedMs: null, bars: [{ kind: 'work', open: false, from, to }], state: { tone, word: '' } }) as unknown as CallRow

test('calls that can be told apart are drawn each, where they were', () => {
  const rows = [row(1, 0, 100), row(2, 100, 200), row(3, 50, 150)]
  expect(segments(rows, (ms) => ms, 2)).toEqual([
    { id: 'call:1', line: 0, tone: 'completed', x: 0, width: 100 },
    { id: 'call:2', line: 0, tone: 'completed', x: 100, width: 100 },
    { id: 'call:3', line: 1, tone: 'completed', x: 50, width: 100 },
  ])
})

test('ten thousand calls are a few pieces, and one that died among them is still seen', () => {
  const rows = Array.from({ length: 10_000 }, (_, n) => row(n, n * 40, n * 40 + 60, n === 5000 ? 'failed' : 'completed'))
  const drawn = segments(rows, (ms) => ms / 700, 4)
  expect(drawn.length).toBeLessThan(20)
  expect(drawn.filter(({ tone }) => tone === 'failed')).toHaveLength(1)
  expect(Math.max(...drawn.map(({ x, width }) => x + width))).toBeGreaterThan(570)
})
