// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are scripts.
import { describe, expect, test } from 'vitest'
import { checkScript } from '../../../main/engine/source/check-script.ts'

const metaOf = async (source: string, file = 'script.js') => (await checkScript(source, file)).meta
const errorsOf = async (source: string, file = 'script.js') =>
  (await checkScript(source, file)).diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, line, column }) => [code, line, column])

describe('a meta of plain values', () => {
  test('is read whole, keys nobody knows included', async () => {
    const source = `export const meta = {
      name: 'triage', "description": "Sorts {issues}, don't worry }", whenToUse: \`when
there are many\`,
      phases: ['Plan', { title: 'Do', detail: 'in parallel', model: 'opus', other: 1 }],
      version: -2, 'deep key': { list: [1, +2.5, true, null, ['x']] }, 7: 'seven',
    }`
    expect(await metaOf(source)).toEqual({
      name: 'triage',
      description: "Sorts {issues}, don't worry }",
      whenToUse: 'when\nthere are many',
      phases: [{ title: 'Plan' }, { title: 'Do', detail: 'in parallel', model: 'opus' }],
      more: { version: -2, 'deep key': { list: [1, 2.5, true, null, ['x']] }, 7: 'seven' },
    })
  })

  test('braces and apostrophes in comments and strings, and an old meta in a comment, change nothing', async () => {
    const source = `// export const meta = { name: 'old' }
/* it's {not} closed: { ' " \` */
const text = "export const meta = { name: 'quoted' }"
export const meta = { // don't } stop {
  name: 'new', /* } */ description: '} {' }
return text`
    expect(await metaOf(source)).toEqual({ name: 'new', description: '} {', phases: [], more: {} })
    expect(await metaOf(`// export const meta = { name: 'old' }\nreturn 1`)).toBeNull()
  })

  test('may wear types in TypeScript', async () => {
    const plain = { name: 'typed', phases: [{ title: 'A' }], more: {} }
    for (const typed of [
      `export const meta: Meta = { name: 'typed', phases: ['A'] }`,
      `export const meta = { name: 'typed' as string, phases: ['A'] as const } as const`,
      `export const meta = <const>(0)\n`,
      `export const meta = { name: 'typed', phases: ['A'] } satisfies Meta<{ a: 1 }>`,
      `export const meta = ({ name: 'typed', phases: ['A'] } as const satisfies Meta)`,
    ]) {
      if (typed.includes('<const>')) expect(await errorsOf(typed, 'a.ts')).toEqual([['typescript-unsupported', 1, 21]])
      else expect(await metaOf(typed, 'a.ts')).toEqual(plain)
    }
  })

  test('keeps a key called __proto__ as a key', async () => {
    const meta = await metaOf(`export const meta = { '__proto__': { a: 1 }, constructor: 2 }`)
    expect(Object.keys(meta?.more ?? {})).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(meta?.more)).toBe(Object.prototype)
  })

  test('is no must, and is only the one that is exported', async () => {
    expect(await metaOf('return 1')).toBeNull()
    expect(await metaOf(`const meta = { name: call() }\nreturn meta`)).toBeNull()
    expect(await errorsOf(`const meta = { name: call() }\nreturn meta`)).toEqual([])
  })
})

describe('a meta that would have to be run', () => {
  test.each([
    [`export const meta = {\n  name: call() }`, 2, 9, 'a call'],
    [`export const meta = { name: other }`, 1, 29, '`other`'],
    ['export const meta = { name: `a${b}` }', 1, 33, '`${…}`'],
    [`export const meta = { name: 'a' + 'b' }`, 1, 29, 'an expression'],
    [`export const meta = { ...base }`, 1, 23, 'a spread'],
    [`export const meta = { ['name']: 'x' }`, 1, 24, 'a computed key'],
    [`export const meta = { get name() { return 'x' } }`, 1, 23, 'a method'],
    [`export const meta = { name() {} }`, 1, 23, 'a method'],
    [`export const meta = { name }`, 1, 23, '`name`'],
    [`export const meta = { when: /x/ }`, 1, 29, 'a regular expression'],
    [`export const meta = { size: 1n }`, 1, 29, 'a BigInt'],
    [`export const meta = { phases: [, 'a'] }`, 1, 31, 'an empty place'],
    [`export const meta = { phases: [...list] }`, 1, 32, 'a spread'],
    [`export const meta = { a: () => 1 }`, 1, 26, 'a function'],
    ['export const meta = { a: String.raw`x` }', 1, 26, 'a tagged template'],
    [`export const meta = makeMeta({})`, 1, 21, 'an object of plain values'],
    [`export const meta = { name: 5 }`, 1, 29, 'must be a string'],
    [`export const meta = { phases: 'Plan' }`, 1, 31, 'a list'],
    [`export const meta = { phases: [{ detail: 'x' }] }`, 1, 31, 'a title'],
  ])('%j is refused unexecuted, where it stands', async (source, line, column, what) => {
    const { diagnostics, meta, prepared } = await checkScript(source, 'script.js')
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    expect(errors).toEqual([{ severity: 'error', code: 'meta-not-literal', line, column, message: expect.stringContaining(what) }])
    expect([meta, prepared]).toEqual([null, null])
  })
})
