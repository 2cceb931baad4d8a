import { expect, test } from 'vitest'
import { editDistance, nearest } from '../../main/cli/nearest.ts'

test.each([
  ['resmue', 'resume'],
  ['rum', 'run'],
  ['lst', 'list'],
  ['CHECK', 'check'],
  ['res', 'resume'],
  ['destroy', null],
  ['x', null],
])('“%s” is taken for %s', (word, meant) => {
  expect(nearest(word, ['run', 'resume', 'list', 'check', 'show'])).toBe(meant)
})

test('a swap of neighbours is one edit', () => {
  expect(editDistance('ab', 'ba')).toBe(1)
  expect(editDistance('kitten', 'sitting')).toBe(3)
  expect(editDistance('', 'abc')).toBe(3)
})
