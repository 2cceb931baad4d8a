// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are scripts.
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { checkScript } from '../../../main/engine/source/check-script.ts'
import { originalPosition } from '../../../main/engine/source/positions.ts'
import { prepared, realCompartment } from './compartment.ts'

const compartment = realCompartment()
const run = async (source: string) => compartment.evaluate(await prepared(source, 'script.ts'))
const findings = async (source: string) =>
  (await checkScript(source, 'script.ts')).diagnostics.map(({ code, line, column, message }) => ({ code, line, column, message }))

describe('types', () => {
  test('vanish in place: no line and no column moves', async () => {
    const source = [
      'import type { Plan } from "./plan.ts"',
      'type Id<T extends string = "a"> = `${T}-${number}` | keyof { b: 1 }',
      'interface Box<T> { readonly value?: T }',
      'declare const outside: unknown',
      'declare function later(): void',
      'abstract class Base<T> { protected readonly value!: T; declare note: string; constructor(private_: T) { this.value = private_ } abstract go(): void }',
      'class Leaf extends Base<number> implements Box<number> { override go(this: Leaf): void {} }',
      'function pick<const T,>(this: void, list: readonly T[], at?: number): T | undefined',
      'function pick(list: any[], at = 0) { return list[at] }',
      'const box: Box<number> = { value: new Leaf(3 as number).value satisfies number }',
      'const id = <T,>(x: T): T => x',
      'const sure = (await agent<string>("x"))!.length as const',
      'let n!: number; n = <never>1 ? 2 : 3',
    ]
    const kept = source.slice(0, -1)
    const code = (
      await prepared([...kept, 'return [pick([1, 2], 1), box.value, id<string>("a"), sure]'].join('\n'), 'script.ts')
    ).code.split('\n')
    for (const [index, line] of kept.entries()) {
      const own = index === 0 ? (code[0] ?? '').slice("(async function () {'use strict';".length) : (code[index] ?? '')
      expect(own.trimEnd().length).toBeLessThanOrEqual(line.length)
      for (const [at, sign] of [...own.trimEnd()].entries()) if (sign !== ' ' && sign !== ';') expect(sign).toBe(line[at])
    }
    expect(await run([...kept, 'return [pick([1, 2], 1), box.value, id<string>("a"), sure]'].join('\n'))).toMatchObject({
      value: [2, 3, 'a', 1],
    })
    expect(await findings(source.join('\n'))).toMatchObject([{ code: 'typescript-unsupported', line: 13, column: 21 }])
  })

  test('top-level await before a bracket is an await, not a call', async () => {
    expect(
      await run('const a = await (agent("x") as Promise<string>)\nconst [b] = await [agent("y") as any]\nreturn [a, await b]'),
    ).toMatchObject({
      value: ['x', 'y'],
    })
  })

  test('type-only exports, type-only namespaces and other modules vanish', async () => {
    const source = [
      'export type A = 1; export interface B {}; export type { X } from "x"; export default interface D {}',
      'namespace N { export type C = 2; namespace M { interface I {} } }',
      'declare module "x" { export const y: 1; enum Inner { A } }',
      'declare global { interface G {} }',
      'declare namespace O { enum E { A } const z: 1; namespace P { let q: 1 } }',
      'declare enum F { A } declare class K { constructor(public a: string) }',
      'return 1',
    ].join('\n')
    expect(await run(source)).toMatchObject({ value: 1 })
  })

  test('a rare line break inside a type keeps the lines below it where they are', async () => {
    const source = 'type A = /* \u2028 \u2029 */ 1\nthrow new Error("here")'
    const { error } = await run(source)
    expect(error?.stack).toContain('script.ts:4:7')
  })
})

describe('enums', () => {
  const compiled = (source: string): unknown => {
    const { outputText } = ts.transpileModule(source, { compilerOptions: { target: ts.ScriptTarget.ES2022 } })
    return new Function(outputText.replace(/export \{\};?/, ''))()
  }

  test.each([
    'enum E { A, B, C }',
    'enum E { A = 3, B, C = "text", D = 8 }',
    'enum E { None = 0, Read = 1 << 0, Write = 1 << 1, Both = Read | Write, All = E.Both | 4, Next }',
    'const enum E { A = -1, B, "two words" = 5, \'quoted\', [`computed`] = 9 }',
    'enum E { A = `template`, B = "a" + "b", C = "long".length, D = (2 as number) }',
    'enum E { A }\nenum E { B = 5, C = A }',
    'enum E { // first\n  A, /* B, */ B,\n\n  C, // last\n}',
    'enum\nE\n{\nA,\nB\n}',
    'enum /* enum { */ E /* { */ { A = 1 /* , */, B }',
    'enum E {}',
    'enum E { A, E }',
    'function f() { enum E { A = 2 } return E }\nconst E = f()',
    'let E: any; { enum Inner { A = 7 } E = Inner }',
  ])('%j gives the object that TypeScript gives', async (source) => {
    const whole = `const before = 1\n${source}\nreturn E`
    const { value, error } = await run(whole)
    expect(error).toBeUndefined()
    expect(value).toEqual(compiled(whole))
    expect(Object.keys(value as object)).toEqual(Object.keys(compiled(whole) as object))
  })

  test('lines stay, and columns behind an enum are traced back', async () => {
    const source = 'enum E { A, B = 2 } throw new Error("same line")\n'
    const code = await prepared(source, 'script.ts')
    const { error } = await compartment.evaluate(code)
    const at = /script\.ts:(\d+):(\d+)/.exec(error?.stack ?? '')
    expect(originalPosition(code, Number(at?.[1]), Number(at?.[2]))).toEqual({ line: 1, column: source.indexOf('new Error') + 1 })
    expect(await findings('enum E { A, B = 2 } E.A; nowhere()')).toMatchObject([{ code: 'undeclared', line: 1, column: 26 }])
  })

  test('a prompt in the value of a member stays what it is', async () => {
    expect(await run('enum Prompt { Plan = "import(1) --> A", }\nreturn Prompt.Plan')).toMatchObject({ value: 'import(1) --> A' })
  })

  test.each([
    ['enum E { A = "a", B }', 1, 19, '`B = …`'],
    ['enum E { 1 }', 1, 10, 'plain name'],
    ['enum E {\n  A = (() => 1)() }', 2, 8, 'before the enum'],
  ])('%j is refused', async (source, line, column, way) => {
    expect(await findings(source)).toEqual([{ code: 'typescript-unsupported', line, column, message: expect.stringContaining(way) }])
  })
})

describe('what TypeScript has and a script has not', () => {
  test.each([
    ['const a = 1\n  namespace N { export const b = 2 }', 2, 3, 'const N = { … }'],
    ['module N { export const b = 2 }', 1, 1, 'const N = { … }'],
    ['declare module N { const b: 2 }', 1, 1, '`namespace N`'],
    ['import type B = A.B', 1, 1, 'type A = N.A'],
    ['function f() { namespace N { let a = 1 } }', 1, 16, 'const N = { … }'],
    ['class A { constructor(public name: string) {} }', 1, 23, 'assign it in the constructor'],
    ['class A { constructor(a: number, private readonly b = 1) {} }', 1, 34, 'assign it in the constructor'],
    ['@sealed class A {}', 1, 1, 'Call the function'],
    ['class A {\n  @bound go() {} }', 2, 3, 'Call the function'],
    ['import fs = require("fs")', 1, 1, 'const a = N.a'],
    ['import B = A.B', 1, 1, 'const a = N.a'],
    ['{\n  using file = open()\n}', 2, 3, 'finally'],
    ['await using file = open()', 1, 1, 'finally'],
    ['const a = <string>b', 1, 11, 'x as T'],
    ['export = 1', 1, 1, '`return`'],
    ['class A { accessor a = 1 }', 1, 11, 'getter'],
    ['const a = 1 + 1 as number * 2', 1, 11, '(a + b) as T'],
  ])('%j is refused where it stands, with what to write instead', async (source, line, column, way) => {
    expect(await findings(source)).toEqual([{ code: 'typescript-unsupported', line, column, message: expect.stringContaining(way) }])
  })

  test('a value import is told about import type', async () => {
    expect(await findings('const a = 1\nimport { T } from "./t.ts"')).toEqual([
      { code: 'not-self-contained', line: 2, column: 1, message: expect.stringContaining('import type') },
    ])
  })

  test('a syntax error has the line, the word and what was expected', async () => {
    expect(await findings('const a: number = (1\nreturn a')).toEqual([
      {
        code: 'script-syntax',
        line: 2,
        column: 1,
        message: "Line 2 can't be read: unexpected `return` (`)` expected). Nothing was started.",
      },
    ])
  })
})
