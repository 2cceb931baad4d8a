import { expect, test } from 'vitest'
import { summaryOf, titleOf } from '../../main/engine/summary.ts'

test.each([
  ['one line', 'one line'],
  ['\n\n  first \nsecond', 'first'],
  ['x'.repeat(41), `${'x'.repeat(39)}…`],
  ['x'.repeat(40), 'x'.repeat(40)],
  ['🙂'.repeat(50), `${'🙂'.repeat(39)}…`],
  ['', ''],
  [{ verdict: 'fine', title: 'T', summary: 'S\nmore' }, 'S'],
  [{ verdict: 'fine', title: 'T' }, 'T'],
  [{ verdict: 'fine' }, 'fine'],
  [{ summary: 5, list: [1] }, '1 item'],
  [{ a: 1, list: [1, 2, 3], other: [1] }, '3 items'],
  [[], '0 items'],
  [{ a: 1 }, ''],
  [null, ''],
  [42, '42'],
  [false, 'false'],
])('of %j a row shows %j', (output, words) => {
  expect(summaryOf(output)).toBe(words)
})

test('a call without a label is called by the first words of what it asks, else by its kind', () => {
  expect(titleOf('agent', { prompt: '  \nReview a.ts\nand b.ts' })).toBe('Review a.ts')
  expect(titleOf('agent', { prompt: 'y'.repeat(80) })).toBe(`${'y'.repeat(59)}…`)
  expect(titleOf('check', { command: 'npm test' })).toBe('npm test')
  expect([titleOf('agent', { prompt: ' \n ' }), titleOf('sleep', null), titleOf('check', { command: ['npm', 'test'] })]).toEqual([
    'agent',
    'sleep',
    'npm test',
  ])
})
