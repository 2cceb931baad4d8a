// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are scripts.
import { Script } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkScript } from '../../../main/engine/source/check-script.ts'
import { ERRORS } from '../../../shared/errors.ts'
import { prepared, realCompartment } from './compartment.ts'

const compartment = realCompartment()
const run = async (source: string, args?: unknown, file?: string) => compartment.evaluate(await prepared(source, file), args)
const errorsOf = async (source: string, file = 'script.js') =>
  (await checkScript(source, file)).diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, line, column }) => [code, line, column])

describe('what a script may look like', () => {
  test('top-level await and early return work', async () => {
    expect(await run(`const a = await agent('x')\nif (a === 'x') return 'early'\nreturn 'late'`)).toMatchObject({ value: 'early' })
  })

  test('a script without a single agent, and an empty one, are scripts', async () => {
    expect(await run('return 1 + 1')).toMatchObject({ value: 2 })
    expect(await run('')).toMatchObject({ value: undefined })
    expect((await checkScript('', 'script.js')).diagnostics).toEqual([])
  })

  test('a default export as the last statement is the result, whatever follows the word', async () => {
    expect(await run('export default args.a', { a: 1 })).toMatchObject({ value: 1 })
    expect(await run('export default\n  (1, 2)\n;')).toMatchObject({ value: 2 })
    expect(await run('export /* one */ default { a: [1] } // two')).toMatchObject({ value: { a: [1] } })
    expect(await run('export default await agent(name())\nfunction name() { return "hoisted" }')).toMatchObject({ value: 'hoisted' })
    expect(await run('export default `import("x") --> ${1}`')).toMatchObject({ value: 'import("x") --> 1' })
  })

  test('the body reads its own meta', async () => {
    expect(await run(`export const meta = { name: 'mine' }\nreturn meta.name`)).toMatchObject({ value: 'mine' })
  })

  test('a hook name is free for a variable', async () => {
    expect(
      await run('const budget = 1\nlet agent = 2\nfunction parallel() { return 3 }\nreturn [budget, agent, parallel()]'),
    ).toMatchObject({
      value: [1, 2, 3],
    })
  })

  test('a function may be declared twice, as in any function body', async () => {
    expect(await run('function f() { return 1 }\nfunction f() { return 2 }\nreturn f()')).toMatchObject({ value: 2 })
  })

  test('the body runs in strict mode and gets neither this nor arguments', async () => {
    expect(await run('return [this === undefined, arguments.length]')).toMatchObject({ value: [true, 0] })
    expect(await errorsOf('a = 1\nwith (a) {}')).toEqual([['script-syntax', 2, 1]])
  })

  test.each([
    ['CRLF', 'const a = 1\r\n// note\r\nreturn a\r\n'],
    ['a byte order mark', '\uFEFFconst a = 1; return a'],
    ['a last comment without newline', 'const a = 1; return a // done'],
    ['a hashbang', '#!/usr/bin/env node\nconst a = 1; return a'],
    ['a byte order mark before a hashbang', '\uFEFF#!/usr/bin/env node\nconst a = 1; return a'],
    ['a directive of its own', "'use strict'\nconst a = 1; return a"],
  ])('%s is no obstacle, in JavaScript and in TypeScript', async (_what, source) => {
    expect(await run(source)).toMatchObject({ value: 1 })
    expect(await run(source, undefined, 'script.ts')).toMatchObject({ value: 1 })
  })

  test('a script of 213 KB works', async () => {
    const lines = Array.from(
      { length: 3_300 },
      (_, n) => `const value${n} = { text: 'number ${n} -->', n: ${n}, list: [${n}] } // import(x)`,
    )
    const source = `${lines.join('\n')}\nreturn value3299.text`
    expect(source.length).toBeGreaterThan(213_000)
    expect(await run(source)).toMatchObject({ value: 'number 3299 -->' })
    expect(await run(source, undefined, 'script.ts')).toMatchObject({ value: 'number 3299 -->' })
  })
})

describe('what is no script', () => {
  test('binary data and other encodings are named as such, with their place', async () => {
    expect(await errorsOf('ab\n\0')).toEqual([['not-a-script', 2, 1]])
    expect(await errorsOf('const a = "caf\uFFFD"')).toEqual([['not-a-script', 1, 15]])
  })

  test.each([
    ['foo(\n  1))', 2, 5, 'unexpected `)`'],
    ['foo(\n', 1, 5, 'unexpected end of the file'],
    ['a()\n}\nb()', 2, 1, 'unexpected `}`'],
    ['}); (async function () {', 1, 1, 'unexpected `}`'],
    ['const a = 1\nconst a = 2', 2, 7, 'identifier `a` has already been declared'],
    ['const a = "x\n"', 1, 11, 'unterminated string constant'],
    ['function f() { await x }', 1, 16, 'cannot use keyword `await` outside an async function'],
    ['const re = /(/', 1, 13, 'invalid regular expression: /(/: Unterminated group'],
  ])('%j says which line cannot be read and why', async (source, line, column, why) => {
    const { diagnostics, prepared: none, meta } = await checkScript(source, 'script.js')
    expect(diagnostics).toEqual([
      { severity: 'error', code: 'script-syntax', line, column, message: `Line ${line} can't be read: ${why}. Nothing was started.` },
    ])
    expect([none, meta]).toEqual([null, null])
  })

  test('a letter that the runtime does not know is no surprise at the start of a run', async () => {
    expect(await errorsOf('\u{3D000}')).toEqual([['script-syntax', 1, 1]])
  })

  test('absurd nesting is a named error', async () => {
    for (const file of ['script.js', 'script.ts']) {
      expect((await errorsOf('['.repeat(60_000) + ']'.repeat(60_000), file)).map(([code]) => code)).toEqual(['script-syntax'])
    }
  })

  test('any text at all gives a result or a named error', async () => {
    const piece = fc.constantFrom(
      ...'export default|const meta = {|import(|import {|} from "x"|`|${|}|{|(|)|[|]|/|*/|/*|//|\n|\r\n|\u2028|"|\\|enum E {|class|=>|async|await|<T>|: T|as|@d|namespace N {|#!|-->|<!--|return|eval(|agent(|,|;|=|?.|0|x|satisfies|declare|abstract'.split(
        '|',
      ),
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(' ')),
    )
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('a.js', 'a.ts'), async (source, file) => {
        const { diagnostics, prepared: code } = await checkScript(source, file)
        const lines = source.split(/\r\n|[\n\r\u2028\u2029]/)
        for (const { code, line, column, message } of diagnostics) {
          expect(message).not.toBe('')
          if (!(code in ERRORS)) expect(code).toMatch(/^[a-z]+(-[a-z]+)+$|^undeclared$/)
          expect(line).toBeLessThanOrEqual(lines.length)
          expect(column).toBeLessThanOrEqual((lines[line - 1] ?? '').length + 1)
        }
        if (code !== null) new Script(code.code)
        expect(code === null).toBe(diagnostics.some(({ severity }) => severity === 'error'))
      }),
      { numRuns: 800 },
    )
  })
})
