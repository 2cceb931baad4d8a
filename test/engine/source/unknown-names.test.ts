// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are scripts.
import { expect, test } from 'vitest'
import { originalPosition } from '../../../main/engine/source/positions.ts'
import { prepared, realCompartment } from './compartment.ts'

const compartment = realCompartment()

test.each([
  ['const a = 1\nreturn `${missing}`', 2, 11],
  ['return { a: 1, missing }', 1, 16],
  ['const { a = missing } = {}', 1, 13],
  ['log()\nfunction log() { return 1 }\nmissing()', 3, 1],
  ['const x = 1\nmissing.prop', 2, 1],
  ['return new missing()', 1, 12],
  ['return new missing.Deep`x`(1)', 1, 12],
  ['return missing`-->`', 1, 8],
  ['return new missing`-->`', 1, 12],
  ['return missing?.prop', 1, 8],
  ['class A extends missing {}', 1, 17],
  ['for (const a of missing) {}', 1, 17],
  ['const r\u00e9sum\u00e9 = 1; r\u00e9sum\u00e9; return r\u00e9sum', 1, 34],
  ['return $import (1)', 1, 8],
  ['await Promise.all([1].map(async (n) => n + missing))', 1, 44],
  ['const ReferenceError = 1\nexport default missing', 2, 16],
  ['return Intl', 1, 8],
])('%j ends with a ReferenceError whose first frame is that name', async (source, line, column) => {
  const code = await prepared(source)
  const { error } = await compartment.evaluate(code)
  expect(error?.name).toBe('ReferenceError')
  expect(error?.message).toMatch(/^\S+ is not defined$/)
  const first = /\n\s+at .*?script\.js:(\d+):(\d+)/.exec(error?.stack ?? '')
  expect(error?.stack.split('\n')[1]).toContain('script.js:')
  expect(originalPosition(code, Number(first?.[1]), Number(first?.[2]))).toEqual({ line, column })
})

test.each([
  'missing = 1',
  'missing++',
  'missing += 1',
  '[missing] = [1]',
  '({ missing } = { missing: 1 })',
  '({ a: missing = 1 } = {})',
  'for (missing of [1]) {}',
])('%j is no way to make a global', async (source) => {
  const { error } = await compartment.evaluate(await prepared(source))
  expect(error).toMatchObject({ name: 'ReferenceError', message: 'missing is not defined' })
})

test('typeof asks without an error, and a global made by hand is found', async () => {
  const source =
    'const before = [typeof missing, typeof (missing)]\nglobalThis.missing = 1\nreturn [...before, missing, typeof missing, (() => missing)()]'
  expect((await compartment.evaluate(await prepared(source))).value).toEqual(['undefined', 'undefined', 1, 'number', 1])
})

test('a line that begins with an unknown name is not swallowed by the line above', async () => {
  const source = 'globalThis.ready = (n) => n + 1\nconst one = String\nready\n(1)\nreturn one === String'
  expect((await compartment.evaluate(await prepared(source))).value).toBe(true)
})
