import { expect, test } from 'vitest'
import { counted, duration, money, spokenDuration, ticking, tokens, when } from '../../../renderer/words/quantity.ts'

test('a duration has two units at most', () => {
  expect([0, 40, 900, 41_000, 62_000, 6_720_000, 273_600_000].map(duration)).toEqual([
    '0s',
    '0.1s',
    '0.9s',
    '41s',
    '1m 02s',
    '1h 52m',
    '3d 4h',
  ])
})

test('a running clock shows its seconds, also beside hours', () => {
  expect(ticking(6_822_400)).toBe('1h 53m 42s')
  expect(ticking(1_900)).toBe('1s')
})

test('a screen reader hears whole units', () => {
  expect(spokenDuration(62_000)).toBe('1 minute 2 seconds')
  expect(spokenDuration(300)).toBe('less than a second')
})

test('tokens never jump back at a border', () => {
  expect([812, 1000, 4210, 9949, 9950, 150_400, 999_499, 999_500, 1_310_000].map(tokens)).toEqual([
    '812',
    '1k',
    '4.2k',
    '9.9k',
    '10k',
    '150k',
    '999k',
    '1M',
    '1.3M',
  ])
})

test('small sums of money keep their first digit', () => {
  expect([0.004, 0.04, 12.3].map(money)).toEqual(['$0.004', '$0.04', '$12.30'])
})

test('one is singular', () => {
  expect(counted(1, 'call')).toBe('1 call')
  expect(counted(1204, 'call')).toBe('1,204 calls')
})

test('today needs no date', () => {
  const now = new Date(2026, 5, 12, 11, 42).getTime()
  expect(when(new Date(2026, 5, 12, 9, 5).getTime(), now)).toBe('09:05')
  expect(when(new Date(2026, 5, 11, 18, 22).getTime(), now)).toBe('yesterday 18:22')
  expect(when(new Date(2026, 5, 9, 18, 22).getTime(), now)).toBe('9 Jun 18:22')
})
