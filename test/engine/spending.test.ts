import { expect, test } from 'vitest'
import { Spending, type Spent } from '../../main/engine/spending.ts'

const spent = (cost: number | null, more: Partial<Spent> = {}): Spent => ({
  kind: 'agent',
  phase: 'A',
  outcome: 'ok',
  usage: { inputTokens: 0, outputTokens: 10 },
  cost,
  ...more,
})

test('either limit refuses a start, and says which', () => {
  expect(new Spending({ budget: 20, maxCost: 1 }, [spent(0.5), spent(0.25)]).refusal('A', [])).toBe('budget')
  expect(new Spending({ budget: 100, maxCost: 1 }, [spent(0.5), spent(0.5)]).refusal('A', [])).toBe('money')
  expect(new Spending({ budget: 100, maxCost: 2 }, [spent(0.5), spent(0.5)]).refusal('A', [])).toBe(null)
  expect(new Spending({ budget: null, maxCost: null }, [spent(1e6)]).refusal('A', [])).toBe(null)
})

test('running calls are expected to cost what the finished ones of their phase did, in earlier attempts too', () => {
  const money = new Spending({ budget: null, maxCost: 1 }, [spent(0.2), spent(0.2, { outcome: 'dead' })])
  expect(money.refusal('A', ['A', 'A'])).toBe(null)
  expect(money.refusal('A', ['A', 'A', 'A'])).toBe('money')
  expect(money.refusal('B', ['A', 'A', 'A'])).toBe(null)
})

test('checks, skipped and abandoned calls, and those whose cost nobody told, make no call look cheaper', () => {
  const cheap = [spent(0, { kind: 'check' }), spent(0, { outcome: 'skipped' }), spent(0.1, { outcome: 'abandoned' }), spent(null)]
  const money = new Spending({ budget: null, maxCost: 1 }, [spent(0.4), ...cheap])
  expect(money.refusal('A', [])).toBe(null) // 0.5 is spent
  expect(money.refusal('A', ['A'])).toBe('money')
})
