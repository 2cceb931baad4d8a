import { expect, test } from 'vitest'
import { checkScript } from '../../../main/engine/source/check-script.ts'

const errorsOf = async (source: string) =>
  (await checkScript(source, 'script.mjs')).diagnostics.filter(({ severity }) => severity === 'error')

test.each([
  ['\n  import fs from "node:fs"', 2, 3, '`import` '],
  ['import "./x.js"', 1, 1, '`import` '],
  ['const a = 1; const b = await import("x")', 1, 30, '`import()`'],
  ['return import.meta.url', 1, 8, '`import.meta`'],
  ['const fs = require("fs")', 1, 12, '`require`'],
  ['function f() {\n  return require("fs")\n}', 2, 10, '`require`'],
  ['return eval("1")', 1, 8, '`eval`'],
  ['return (0, eval)("1")', 1, 12, '`eval`'],
  ['const e = { eval }', 1, 13, '`eval`'],
  ['export const other = 1', 1, 1, '`meta`'],
  ['export const meta = {}, more = 1', 1, 1, '`meta`'],
  ['export let meta = {}', 1, 1, '`meta`'],
  ['const meta = {}\nexport { meta }', 2, 1, '`meta`'],
  ['export function run() {}', 1, 1, '`meta`'],
  ['if (1) { export const meta = {} }', 1, 10, '`meta`'],
  ['export * from "x"', 1, 1, '`export … from`'],
  ['export { a } from "x"', 1, 1, '`meta`'],
  ['export default 1\nagent("x")', 1, 1, 'last statement'],
  ['if (1) { export default 1 }', 1, 10, 'last statement'],
  ['export default async function () { return 1 }', 1, 1, "can't be the result"],
  ['export default class {}', 1, 1, "can't be the result"],
])('%j reaches outside and is refused where it does', async (source, line, column, what) => {
  expect(await errorsOf(source)).toEqual([
    { severity: 'error', code: 'not-self-contained', line, column, message: expect.stringContaining(what) },
  ])
})

test('a refusal says that scripts stand alone and what to do', async () => {
  expect((await errorsOf('import "./x.js"'))[0]?.message).toBe(
    "`import` can't be used. A script stands alone: put the code into this file, or hand the value over in args.",
  )
})

test('every offence is listed, in the order of the file, and nothing is prepared', async () => {
  const source = 'import a from "a"\nconst b = require("b")\nreturn eval(b)'
  expect((await errorsOf(source)).map(({ line }) => line)).toEqual([1, 2, 3])
  expect((await checkScript(source, 'script.js')).prepared).toBeNull()
})

test.each([
  ['a prompt', 'return agent(`import x from "y"; require("z"); eval("1"); export default 1; import("q")`)'],
  ['a comment', '// import x from "y"; require("z"); eval("1")\n/* import("x") */ return 1'],
  ['a property', 'const a = { require: (x) => x, import: (x) => x }; a.require("x"); a.import("y"); return a.eval'],
  ['a name of the script', 'const require = (x) => x\nreturn require("x")'],
  ['a parameter', 'return ((require) => require("x"))(String)'],
  ['a regular expression', 'return /import("x")|eval(1)|require(1)/.test("")'],
])('the same words in %s are no offence', async (_where, source) => {
  expect(await errorsOf(source)).toEqual([])
})
