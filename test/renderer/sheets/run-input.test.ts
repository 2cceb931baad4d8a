import { expect, test } from 'vitest'
import { readBudget, readInput, readMinutes, readMoney } from '../../../renderer/sheets/new-run/run-input.ts'

test('no input is no input, not null', () => {
  expect(readInput('  ')).toEqual({ ok: true, value: undefined })
  expect(readInput('null')).toEqual({ ok: true, value: null })
})

test('broken JSON is told, not sent', () => {
  expect(readInput('{ "a": ')).toMatchObject({ ok: false })
})

test('a budget is read as people write it', () => {
  expect(['500k', '1.5M', '500,000', '12', ''].map((text) => readBudget(text))).toEqual(
    [500_000, 1_500_000, 500_000, 12, undefined].map((value) => ({ ok: true, value })),
  )
})

test('what is no budget is refused', () => {
  for (const text of ['0', '-5', 'much', '5 kk', '1e9']) expect(readBudget(text).ok, text).toBe(false)
})

test('broken JSON is told with the line and column where it stops being JSON', () => {
  expect(readInput('{\n  "a": 1\n  "b": 2\n}')).toEqual({
    ok: false,
    reason: 'Not valid JSON: a comma or } is expected',
    line: 3,
    column: 3,
  })
})

test('money is read as people write it, and nothing else is taken for it', () => {
  expect(['2.50', '$10', '$ 1,000', ''].map((text) => readMoney(text))).toEqual(
    [2.5, 10, 1000, undefined].map((value) => ({ ok: true, value })),
  )
  for (const text of ['0', '-1', 'two', '1.2.3', '€5']) expect(readMoney(text).ok, text).toBe(false)
})

test('minutes are whole ones, and nothing means never', () => {
  expect(['20', ' 1 ', '10080', ''].map((text) => readMinutes(text))).toEqual(
    [20, 1, 10_080, undefined].map((value) => ({ ok: true, value })),
  )
  for (const text of ['0', '-1', '1.5', '10081', 'soon']) expect(readMinutes(text).ok, text).toBe(false)
})
