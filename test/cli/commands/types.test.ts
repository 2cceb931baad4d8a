import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { GLOBALS_DECLARATIONS } from '../../../main/cli/globals-declarations.ts'
import { main } from '../../../main/cli/main.ts'
import { AGENT_OPTIONS, HOOKS } from '../../../main/engine/source/globals.ts'
import { starterScript } from '../../../main/service/starter-script.ts'
import { fakeIo } from '../fake-io.ts'
import { fakeService } from '../fake-service.ts'
import { temporaryFolder } from '../temporary-folder.ts'

async function types(argv: string[], cwd = '/nowhere') {
  const screen = fakeIo({ cwd })
  const code = await main(['types', ...argv], screen.io, fakeService().open)
  return { code, stdout: screen.stdout(), stderr: screen.stderr() }
}

/** The library's declarations are the same for every script, and slow to read. */
const parsed = new Map<string, ts.SourceFile | undefined>()

/** What an editor would underline in a script beside the declarations. */
function problems(script: string): string[] {
  const files = new Map([
    ['/globals.d.ts', GLOBALS_DECLARATIONS],
    ['/script.ts', script],
  ])
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    noEmit: true,
    lib: ['lib.es2023.d.ts'],
    skipDefaultLibCheck: true,
    types: [],
  }
  const host = ts.createCompilerHost(options)
  const { readFile, getSourceFile } = host
  host.fileExists = (path) => files.has(path) || ts.sys.fileExists(path)
  host.readFile = (path) => files.get(path) ?? readFile(path)
  host.getSourceFile = (path, target, ...rest) => {
    const text = files.get(path)
    if (text !== undefined) return ts.createSourceFile(path, text, target)
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, target, ...rest))
    return parsed.get(path)
  }
  const program = ts.createProgram([...files.keys()], options, host)
  return ts.getPreEmitDiagnostics(program).map((found) => ts.flattenDiagnosticMessageText(found.messageText, '\n'))
}

test('the declarations go to stdout', async () => {
  expect(await types([])).toEqual({ code: 0, stdout: GLOBALS_DECLARATIONS, stderr: '' })
})

test('they declare what the sandbox gives, no more and no less', () => {
  const declared = [...GLOBALS_DECLARATIONS.matchAll(/^declare (?:function|const) (\w+)/gm)].map(([, name]) => name)
  expect(new Set(declared)).toEqual(new Set(HOOKS))
  const options = /interface AgentOptions \{([\s\S]*?)\n\}/.exec(GLOBALS_DECLARATIONS)?.[1] ?? ''
  expect([...options.matchAll(/^ {2}(\w+)\?:/gm)].map(([, name]) => name)).toEqual([...AGENT_OPTIONS])
})

test('--write puts them beside the workflows, and replaces only its own', async () => {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, '.git'))
  const path = join(cwd, '.claude/workflows/globals.d.ts')
  expect(await types(['--write'], cwd)).toEqual({ code: 0, stdout: '', stderr: 'Wrote .claude/workflows/globals.d.ts\n' })
  writeFileSync(path, `${GLOBALS_DECLARATIONS}\n// older`)
  expect((await types(['--write'], cwd)).code).toBe(0)
  expect(readFileSync(path, 'utf8')).toBe(GLOBALS_DECLARATIONS)
  writeFileSync(path, 'mine')
  expect(await types(['--write'], cwd)).toMatchObject({ code: 2, stderr: expect.stringContaining('left as it is') })
  expect(readFileSync(path, 'utf8')).toBe('mine')
})

test('an editor finds nothing wrong with the starter script', () => {
  expect(problems(starterScript('triage'))).toEqual([])
})

test('results have the type of their schema, and wrong uses are found', () => {
  const script = `
    export const meta = { name: 'x' }
    const bug = await agent('find', { schema: { type: 'object', properties: { title: { type: 'string' }, lines: { type: 'array', items: { type: 'integer' } }, kind: { enum: ['a', 'b'] } }, required: ['title', 'lines'] } })
    if (bug !== null) {
      const title: string = bug.title
      const line: number | undefined = bug.lines[0]
      const kind: 'a' | 'b' | undefined = bug.kind
      log(title, line, kind)
    }
    const text: string | null = await agent('plain')
    const [a, b] = await parallel([() => agent('1'), async () => 2])
    const first: string | null = a
    const second: number | null = b
    const lengths: (number | null)[] = await pipeline(['x', 'y'], (_, item) => agent(item), (answer, item, i) => (answer ?? item).length + i)
    const [linted, parts] = [await workflow('lint'), await workflow({ scriptPath: 'parts/one.ts' }, { n: 1 })]
    log(linted.anything, parts)
    log(text, first, second, lengths, budget.remaining(), args.anything)
  `
  expect(problems(script)).toEqual([])
  expect(problems(`export {}\nawait parallel([agent('x')])`)).toHaveLength(1)
  expect(problems(`export {}\nawait agent('x', { lable: 'y' })`).join()).toContain('lable')
  expect(problems(`export {}\nawait workflow({ path: 'x.js' })`)).toHaveLength(1)
  expect(problems(`export {}\nconst n: number = await agent('x')`)).toHaveLength(1)
})
