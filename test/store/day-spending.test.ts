import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DaySpending } from '../../main/store/day-spending.ts'

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'reprise-spending-'))
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

const NOON = new Date(2026, 10, 30, 12).getTime()
const DAY = 24 * 3_600_000

test('what was spent is summed by day and profile, across processes', () => {
  new DaySpending(data).add('a', 0.5, NOON)
  new DaySpending(data).add('a', 0.25, NOON + 1)
  new DaySpending(data).add('b', 1, NOON)
  new DaySpending(data).add('a', 9, NOON + DAY)
  expect([...new DaySpending(data).of(NOON)]).toEqual([
    ['a', { cost: 0.75, calls: 2 }],
    ['b', { cost: 1, calls: 1 }],
  ])
  expect([...new DaySpending(data).of(NOON - DAY)]).toEqual([])
})

test('a torn line costs nothing and hides no other', () => {
  const spending = new DaySpending(data)
  spending.add('a', 1, NOON)
  appendFileSync(join(data, 'spending', readdirSync(join(data, 'spending'))[0] ?? ''), '{"profile": "a", "co\n')
  spending.add('a', 1, NOON)
  expect(spending.of(NOON).get('a')).toEqual({ cost: 2, calls: 2 })
})
