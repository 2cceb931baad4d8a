import fc from 'fast-check'
import { expect, test } from 'vitest'
import { originalPosition, PositionTable } from '../../../main/engine/source/positions.ts'
import { applyEdits, type Edit } from '../../../main/engine/source/text-edits.ts'

/** Texts of distinct letters, so that each one can be found again, with line breaks of every kind between some. */
const texts = fc
  .array(fc.constantFrom('', '', '', '', '\n', '\r\n', '\u2028'), { minLength: 1, maxLength: 60 })
  .map((breaks) => breaks.map((lineBreak, n) => String.fromCodePoint(0x4e00 + n) + lineBreak).join(''))

/** Edits that do not overlap and leave line breaks alone; what they insert is Latin and so never taken for a letter above. */
const editsOf = (text: string) =>
  fc
    .array(fc.record({ start: fc.nat(text.length), length: fc.nat(3), text: fc.stringMatching(/^[a-z]{0,6}$/) }), { maxLength: 8 })
    .map((drawn) => {
      const edits: Edit[] = []
      let free = 0
      for (const { start, length, text: inserted } of drawn.sort((a, b) => a.start - b.start)) {
        const end = Math.min(start + length, text.length)
        if (start < free || /[\r\n\u2028a-z]/.test(text.slice(start, end)) || text.slice(start - 1, start + 1) === '\r\n') continue
        edits.push({ start, end, text: inserted })
        free = end
      }
      return edits
    })

test('after any edits, and edits of the result, every letter that is left is traced to where it was', () => {
  const cases = texts.chain((text) =>
    editsOf(text).chain((first) => editsOf(applyEdits(text, first).text).map((second) => ({ text, first, second }))),
  )
  fc.assert(
    fc.property(cases, ({ text, first, second }) => {
      const once = applyEdits(text, first)
      const twice = applyEdits(once.text, second, once.shifts)
      const original = new PositionTable(text)
      for (const { text: code, shifts } of [once, twice]) {
        const table = new PositionTable(code, shifts)
        const places = new PositionTable(code)
        for (const [at, letter] of [...code].entries()) {
          if (letter < '\u4e00') continue
          const expected = original.at(text.indexOf(letter))
          expect(table.at(at)).toEqual(expected)
          const { line, column } = places.at(at)
          expect(originalPosition({ code, edits: shifts, file: 'a.js' }, line, column)).toEqual(expected)
        }
      }
    }),
    { numRuns: 300 },
  )
})

test('edits at one offset keep their order, those before a replacement stand before it', () => {
  const edits = [
    { start: 1, end: 1, text: 'A' },
    { start: 1, end: 2, text: 'X' },
    { start: 1, end: 1, text: 'B' },
  ]
  expect(applyEdits('abc', edits).text).toBe('aABXc')
})
