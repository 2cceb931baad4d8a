import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clampPan, clock, FOLD_PX, findFolds, makeScale, paperMs, ticks, zoomTo } from '../../../shared/run/timeline.ts'

const MINUTE = 60_000

describe('folds', () => {
  test('a wait far longer than the usual gap is folded, with both shores left', () => {
    const folds = findFolds(
      [
        { from: 0, to: 41_000 },
        { from: 0, to: 29_000 },
        { from: 29_000, to: 51_000 },
        { from: 6_782_000, to: 6_822_000 },
      ],
      6_822_000,
    )
    expect(folds).toHaveLength(1)
    expect(folds[0]?.from).toBeGreaterThan(51_000)
    expect(folds[0]?.to).toBeLessThan(6_782_000)
  })
  test('a wait under half a minute stays as it is', () => {
    expect(
      findFolds(
        [
          { from: 0, to: 10 },
          { from: 20_000, to: 20_010 },
        ],
        20_010,
      ),
    ).toEqual([])
  })
  test('work is never inside a fold', () => {
    const span = fc.tuple(fc.nat(1e7), fc.nat(1e6)).map(([from, length]) => ({ from, to: from + length }))
    fc.assert(
      fc.property(fc.array(span, { minLength: 1, maxLength: 30 }), fc.nat(1e6), (work, more) => {
        const end = Math.max(...work.map((one) => one.to)) + more
        for (const fold of findFolds(work, end)) {
          expect(work.every((one) => one.to <= fold.from || one.from >= fold.to)).toBe(true)
        }
      }),
    )
  })
})

describe('the scale', () => {
  const folds = [{ from: 60_000, to: 3_600_000 }]
  const input = { spanMs: 3_700_000, folds, width: 600, zoom: 1 }

  test('everything fits at zoom 1, a fold taking its own width only', () => {
    const scale = makeScale(input)
    expect(scale.toX(0)).toBe(0)
    expect(scale.toX(3_700_000)).toBeCloseTo(600)
    expect(scale.toX(3_600_000) - scale.toX(60_000)).toBeCloseTo(FOLD_PX)
  })
  test('time and place lead back to each other, inside folds too', () => {
    fc.assert(
      fc.property(fc.nat(3_700_000), fc.integer({ min: 1, max: 50 }), (ms, zoom) => {
        const scale = makeScale({ ...input, zoom })
        expect(scale.toMs(scale.toX(ms))).toBeCloseTo(ms, 2)
      }),
    )
  })
  test('later is never left of earlier', () => {
    fc.assert(
      fc.property(fc.nat(3_700_000), fc.nat(3_700_000), (a, b) => {
        const scale = makeScale(input)
        expect(scale.toX(Math.max(a, b))).toBeGreaterThanOrEqual(scale.toX(Math.min(a, b)))
      }),
    )
  })
  test('a chosen range fills the region', () => {
    const range = { from: 10_000, to: 20_000 }
    const scale = makeScale({ ...input, zoom: zoomTo(range, input) })
    expect(scale.toX(range.to) - scale.toX(range.from)).toBeCloseTo(600, 3)
  })
  test('panning ends at the ends of the drawing', () => {
    const scale = makeScale({ ...input, zoom: 4 })
    expect(clampPan(-50, scale, 600)).toBe(0)
    expect(clampPan(1e9, scale, 600)).toBeCloseTo(scale.width - 600)
    expect(clampPan(50, makeScale(input), 600)).toBe(0)
  })
})

test('the paper stands still until a running bar has used it up', () => {
  const first = paperMs(61_000, true)
  expect(first).toBeGreaterThan(61_000)
  expect(paperMs(62_000, true)).toBe(first)
  expect(paperMs(first, true)).toBeGreaterThan(first)
})

test('free paper is measured on what is drawn, not on what is folded away', () => {
  const folds = [{ from: 60_000, to: 100 * MINUTE }]
  expect(paperMs(101 * MINUTE, true, folds) - 101 * MINUTE).toBeLessThan(MINUTE)
})

describe('ticks', () => {
  const scale = makeScale({ spanMs: 120_000, folds: [], width: 600, zoom: 1 })
  const all = ticks(scale, { from: 0, to: 600, endMs: 120_000 }, [])
  test('stand at round times with room for their labels', () => {
    expect(all.map((tick) => tick.label)).toEqual(['0:00', '0:20', '0:40', '1:00', '1:20', '1:40', '2:00'])
    for (const [index, tick] of all.slice(1).entries()) expect(tick.x - (all[index]?.x ?? 0)).toBeGreaterThanOrEqual(76)
  })
  test('give way to another label', () => {
    const kept = ticks(scale, { from: 0, to: 600, endMs: 120_000 }, [{ from: 190, to: 230 }])
    expect(kept.map((tick) => tick.label)).not.toContain('0:40')
    expect(kept).toHaveLength(all.length - 1)
  })
  test('none stands inside a fold', () => {
    const folds = [{ from: 30_000, to: 3_000_000 }]
    const folded = makeScale({ spanMs: 3_100_000, folds, width: 600, zoom: 1 })
    const shown = ticks(folded, { from: 0, to: 600, endMs: 3_100_000 }, [])
    expect(shown.length).toBeGreaterThan(2)
    expect(shown.some((tick) => tick.ms > 30_000 && tick.ms < 3_000_000)).toBe(false)
  })
})

test('a clock shows hours only when there are some, and fractions only for fine steps', () => {
  expect(clock(20_000)).toBe('0:20')
  expect(clock(6_800_000)).toBe('1:53:20')
  expect(clock(200, 100)).toBe('0:00.2')
  expect(clock(1_250, 50)).toBe('0:01.25')
})
