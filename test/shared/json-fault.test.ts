import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonFault } from '../../shared/json-fault.ts'

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('it finds no fault in what JSON.parse reads, and one in what it does not', () => {
  fc.assert(
    fc.property(fc.json(), (text) => jsonFault(text) === null),
    { numRuns: 500 },
  )
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '1',
    '-0.5e3',
    '01',
    'true',
    'nul',
    ' ',
    '\n',
    '"',
    '\\',
    "'",
    '"\\u12"',
    '\u0001',
    '\u007f',
    '"\u007f"',
  )
  const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(text, (broken) => (jsonFault(broken) === null) === parses(broken)),
    { numRuns: 3000 },
  )
})

test.each([
  ['', 0, 'a value'],
  ['  ', 2, 'a value'],
  ['{"a" 1}', 5, 'a colon'],
  ['{"a":1 "b"}', 7, 'a comma or }'],
  ['[1 2]', 3, 'a comma or ]'],
  ['{"a":1,}', 7, 'a name in double quotes'],
  ['"open', 0, 'a value'],
  ['01', 0, 'a value'],
  ['truest', 0, 'a value'],
  ['{} x', 3, 'the end'],
])('%j: at %i, %s', (text, at, expected) => {
  expect(jsonFault(text)).toEqual({ at, expected })
})

test('a hundred thousand open brackets are a fault, not a crash', () => {
  expect(jsonFault('['.repeat(100_000))).toEqual({ at: 100_000, expected: 'a value or ]' })
})
