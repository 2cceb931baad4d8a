import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineDiff } from '../../../renderer/words/line-diff.ts'

const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'))

test('both texts can be read back out of their difference', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDiff(before, after)
      const read = (gone: string) => lines.filter((line) => line.kind !== gone).map((line) => line.text)
      expect(read('new').join('\n')).toBe(before)
      expect(read('old').join('\n')).toBe(after)
    }),
  )
})

test('equal texts have no changed line', () => {
  fc.assert(fc.property(text, (same) => lineDiff(same, same).every((line) => line.kind === 'same')))
})

test('one changed line is one removed and one added', () => {
  expect(lineDiff('a\nb\nc', 'a\nx\nc').map((line) => `${line.kind} ${line.text}`)).toEqual(['same a', 'old b', 'new x', 'same c'])
})
