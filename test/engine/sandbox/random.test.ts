import { expect, test } from 'vitest'
import { seededRandom } from '../../../main/engine/sandbox/random.ts'

test('a seed draws the same numbers and ids on every machine, another seed others', () => {
  const [one, same, other] = [seededRandom('seed'), seededRandom('seed'), seededRandom('seeds')]
  const draw = (random: typeof one): unknown[] => [random.next(), random.uuid(), random.next()]
  const drawn = draw(one)
  expect(drawn).toEqual(draw(same))
  expect(drawn).not.toEqual(draw(other))
  expect(drawn).toEqual([0.8039102365728468, '885335d2-0e8d-4452-93da-2695f101f5a8', expect.any(Number)])
})

test('numbers lie in [0, 1) and spread evenly', () => {
  const random = seededRandom('x')
  const bins = Array.from({ length: 10 }, () => 0)
  for (let i = 0; i < 20_000; i += 1) {
    const value = random.next()
    expect(value >= 0 && value < 1).toBe(true)
    const bin = Math.floor(value * 10)
    bins[bin] = (bins[bin] ?? 0) + 1
  }
  for (const count of bins) expect(Math.abs(count - 2000)).toBeLessThan(200)
})

test('ids have the form of version 4 and do not repeat', () => {
  const random = seededRandom('x')
  const ids = Array.from({ length: 2000 }, () => random.uuid())
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(ids).size).toBe(2000)
})
