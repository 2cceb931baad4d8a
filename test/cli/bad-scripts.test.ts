/** `reprise check` on scripts that are fine, and on a folder of scripts that are not: each fault with file, line and column. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TestProject } from '../support/reprise.ts'

const FOLDER = resolve('test/cli/fixtures/bad')
const EXAMPLES = resolve('examples')
/** `// ^ error code` below the faulty place; where two characters of a comment do not fit, `//^0 error code` names the column. */
const MARK = /^\/\/( *)\^(\d?) (error|warning) ([a-z-]+)$/

const bad = readdirSync(FOLDER).filter((name) => name.endsWith('.txt'))
const textOf = (name: string): string => readFileSync(resolve(FOLDER, name), 'utf8')

/** What a file says of itself, in the form of a finding without its words. */
function expected(name: string): string[] {
  const found: { line: number; column: number; words: string }[] = []
  let line = 0
  // The marks themselves are comments of the script, so that all lines keep their numbers.
  for (const [index, text] of textOf(name).split('\n').entries()) {
    const [, space = '', column = '', severity, code] = MARK.exec(text) ?? []
    if (severity === undefined) line = index + 1
    else found.push({ line, column: column === '' ? space.length + 3 : Number(column) + 1, words: `${severity} [${code}]` })
  }
  return found
    .toSorted((a, b) => a.line - b.line || a.column - b.column)
    .map((one) => `${basename(name, '.txt')}:${one.line}:${one.column}: ${one.words}`)
}

const project = new TestProject()
afterAll(() => project.remove())

describe('reprise check', () => {
  let lines: string[] = []
  let code: number | null = null
  beforeAll(async () => {
    for (const name of bad) project.write(basename(name, '.txt'), textOf(name))
    const checked = await project.run(['check', ...bad.map((name) => basename(name, '.txt'))])
    lines = checked.stdout.split('\n').map((line) => line.replace(/(: (?:error|warning)) .* (\[[a-z-]+\])$/, '$1 $2'))
    code = checked.code
  })

  test('refuses the lot with exit 2', () => {
    expect(bad.length).toBeGreaterThan(14)
    expect(code).toBe(2)
  })

  test.each(bad)('reports each fault of %s with its line and column, and no other', (name) => {
    const file = basename(name, '.txt')
    expect(expected(name).length).toBeGreaterThan(0)
    expect(lines.filter((line) => line.startsWith(`${file}:`))).toEqual(expected(name))
  })

  test('has nothing to say of the examples', async () => {
    const examples = readdirSync(EXAMPLES).filter((name) => /\.(?:js|ts|mjs)$/.test(name))
    expect(examples.length).toBeGreaterThan(2)
    for (const name of examples) project.write(name, readFileSync(resolve(EXAMPLES, name), 'utf8'))
    const { code, stdout } = await project.run(['check', ...examples])
    expect([code, stdout]).toEqual([0, ''])
  })
})
