import { expect, test } from 'vitest'
import { smallestInstance } from '../../main/agents/schema-instance.ts'
import { matchingText } from '../../main/agents/schema-pattern.ts'

const anyLength = (pattern: string) => matchingText(pattern, 0, 1000)

test.each([
  ['^[A-Z]{2}-\\d+$', 'AA-0'],
  ['^#\\d{3,5}$', '#000'],
  ['^(high|low)$', 'high'],
  ['^(?:a|b)?c$', 'c'],
  ['^(?<year>\\d{4})-(?<month>\\d{2})$', '0000-00'],
  ['^\\p{Lu}\\u0041\\x42\\u{43}$', 'AABC'],
  ['^[^a-z0-9]$', 'A'],
  ['^[\\]\\-]$', '-'],
  ['^\\S+@\\S+\\.\\w{2,}$', 'a@a.aa'],
  ['^src/.+\\.tsx?:\\d+$', 'src/a.ts:0'],
  ['^\\bword\\b$', 'word'],
  ['^$|^x{2}$', ''],
  ['^[🙂]$', null],
])('%s is matched by %s', (pattern, text) => {
  expect(anyLength(pattern)).toBe(text)
})

test('the length is kept to, by more of what may be repeated or by what may follow', () => {
  expect(matchingText('^[a-z]+-\\d*x$', 8, 20)).toBe('aaa-000x')
  expect(matchingText('^v\\d', 5, 5)).toBe('v0...')
  expect(matchingText('^a{3}$', 0, 2)).toBeNull()
})

test('what is not understood is said to be so', () => {
  expect(anyLength('^(?=a)a$')).toBeNull()
  expect(anyLength('^(a)\\1$')).toBeNull()
  expect(anyLength('(')).toBeNull()
})

test('a schema keeps its usual text where that matches already', () => {
  expect(smallestInstance({ type: 'string', pattern: '^[a-z]+$' })).toBe('simulated')
  expect(smallestInstance({ type: 'string', pattern: '^T-\\d{2}$' })).toBe('T-00')
})
