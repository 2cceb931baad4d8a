import { expect, test } from 'vitest'
import { costOf } from '../../main/agents/cost.ts'

test('tokens cost what the profile says, cached ones their own price', () => {
  const usage = { inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 100_000 }
  expect(costOf(usage, { inputPerMillion: 3, outputPerMillion: 15 })).toBeCloseTo(4.5)
  expect(costOf(usage, { inputPerMillion: 3, cachedInputPerMillion: 0.3, outputPerMillion: 15 })).toBeCloseTo(3.42)
})

test('without prices nobody knows what a call costs', () => {
  expect(costOf({ inputTokens: 1, outputTokens: 1 }, undefined)).toBe(null)
})
