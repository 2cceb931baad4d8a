import { expect, test } from 'vitest'
import { ago, amount, duration, moment, plural } from '../../../main/cli/text/amounts.ts'

test.each([
  [0, '0s'],
  [-5, '0s'],
  [420, '0.4s'],
  [9_949, '9.9s'],
  [9_999, '10s'],
  [31_000, '31s'],
  [59_600, '1m 00s'],
  [235_000, '3m 55s'],
  [3_599_600, '1h 00m'],
  [7_440_000, '2h 04m'],
  [3 * 86_400_000 + 4 * 3_600_000, '3d 4h'],
])('%i ms is %s', (ms, text) => {
  expect(duration(ms)).toBe(text)
})

test.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1k'],
  [12_400, '12.4k'],
  [184_000, '184k'],
  [999_499, '999k'],
  [999_500, '1m'],
  [1_250_000, '1.3m'],
])('%i tokens are %s', (n, text) => {
  expect(amount(n)).toBe(text)
})

test('one is one', () => {
  expect([plural(0, 'call'), plural(1, 'call'), plural(2, 'call'), plural(2, 'more call', 'more calls')]).toEqual([
    '0 calls',
    '1 call',
    '2 calls',
    '2 more calls',
  ])
})

test('times of today are told by their distance, others by their date', () => {
  const now = Date.UTC(2026, 2, 1, 12)
  expect(ago(now - 5_000, now)).toBe('just now')
  expect(ago(now - 5 * 60_000, now)).toBe('5m ago')
  expect(ago(now - 3 * 3_600_000, now)).toBe('3h ago')
  expect(ago(now - 40 * 3_600_000, now)).toMatch(/^2026-02-2[78]$/)
  expect(moment(now)).toMatch(/^2026-03-0[12] \d\d:00:00$/)
})
