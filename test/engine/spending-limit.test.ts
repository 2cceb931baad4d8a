import { expect, test } from 'vitest'
import { SpendingLimit } from '../../main/engine/spending-limit.ts'

test('without a limit everything may start', () => {
  const spending = new SpendingLimit(null, 1e9)
  expect(
    spending.allows(
      'A',
      Array.from({ length: 100 }, () => 'A'),
    ),
  ).toBe(true)
})

test('a call starts while what is spent and what running calls will likely spend leave room for its own like', () => {
  const spending = new SpendingLimit(1000, 0)
  expect(spending.allows('A', ['A', 'A', 'A'])).toBe(true)
  for (let i = 0; i < 6; i += 1) spending.spent('A', 100)
  expect(spending.committed).toBe(600)
  expect(spending.allows('A', ['A', 'A', 'A'])).toBe(true)
  expect(spending.allows('A', ['A', 'A', 'A', 'A'])).toBe(false)
  expect(spending.allows('B', ['B', 'B', 'B', 'B'])).toBe(true)
})

test('what earlier attempts spent counts, and a spent budget starts nothing, not even where nothing is known of the phase', () => {
  expect(new SpendingLimit(1000, 999).allows('new', [])).toBe(true)
  expect(new SpendingLimit(1000, 1000).allows('new', [])).toBe(false)
})
