import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cut, oneLine, pad, printable, width } from '../../../main/cli/text/printable.ts'

test.each([
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b]0;title\u0007text', 'text'],
  ['\u001b]8;;http://x\u0007link\u001b]8;;\u0007', 'link'],
  ['a\u0008b\u0000c\u007fd\u0085e', 'abcde'],
  ['tab\tand\nline\r\nend\rover', 'tab\tand\nline\nendover'],
  ['\u202egnp.exe', 'gnp.exe'],
  ['\u001b', ''],
])('%j prints as %j', (text, safe) => {
  expect(printable(text)).toBe(safe)
})

test('whatever the text, no control character is left but newline and tab', () => {
  const nasty = fc.string({ unit: fc.constantFrom('\u001b', '[', ']', '3', '1', 'm', ';', '\u0007', '\u009b', 'x', '\\', '\n') })
  fc.assert(fc.property(nasty, (text) => !/[^\P{Cc}\n\t]/u.test(printable(text))))
})

test('one line is one line', () => {
  expect(oneLine(' a\n\n  b\tc ')).toBe('a b c')
})

test.each([
  ['abc', 3],
  ['漢字', 4],
  ['한글', 4],
  ['👩‍👩‍👧', 2],
  ['❤️', 2],
  ['é', 1],
  ['e\u0301', 1],
  ['✓✕▶◆■⊘↺○', 8],
  ['“x”', 3],
])('“%s” takes %i cells', (text, cells) => {
  expect(width(text)).toBe(cells)
})

test('a text is cut to its cells, never inside a character', () => {
  expect(cut('hello', 5)).toBe('hello')
  expect(cut('hello!', 5)).toBe('hell…')
  expect(cut('漢字漢字', 5)).toBe('漢字…')
  expect(cut('漢字漢字', 4)).toBe('漢…')
  expect(cut('a b c', 3)).toBe('a…')
  expect(cut('x', 0)).toBe('')
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, cells) => width(cut(text, cells)) <= cells))
})

test('padding counts cells', () => {
  expect(pad('漢', 4)).toBe('漢  ')
  expect(pad('long', 2)).toBe('long')
})
