import { expect, test } from 'vitest'
import { SpendingLimit } from '../../main/engine/spending-limit.ts'

/** A limit of which so much is spent, by calls that are all over. */
function limitOf(limit: number | null, spent: number): SpendingLimit {
  const spending = new SpendingLimit(limit)
  spending.spent(spent)
  return spending
}

test('without a limit everything may start', () => {
  expect(
    limitOf(null, 1e9).allows(
      'A',
      Array.from({ length: 100 }, () => 'A'),
    ),
  ).toBe(true)
})

test('a call starts while what is spent and what running calls will likely spend leave room for its own like', () => {
  const spending = limitOf(1000, 0)
  expect(spending.allows('A', ['A', 'A', 'A'])).toBe(true)
  for (let i = 0; i < 6; i += 1) {
    spending.spent(100)
    spending.finished('A', 100)
  }
  expect(spending.allows('A', ['A', 'A', 'A'])).toBe(true)
  expect(spending.allows('A', ['A', 'A', 'A', 'A'])).toBe(false)
  expect(spending.allows('B', ['B', 'B', 'B', 'B'])).toBe(true)
})

test('what earlier attempts spent counts, and a spent limit starts nothing, not even where nothing is known of the phase', () => {
  expect(limitOf(1000, 999).allows('new', [])).toBe(true)
  expect(limitOf(1000, 1000).allows('new', [])).toBe(false)
})
