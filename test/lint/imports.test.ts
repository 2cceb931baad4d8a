/** The import table, enforced: each forbidden import is planted in a copy of the tree and must be refused, in words that help. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const BIOME = join(root, 'node_modules/@biomejs/biome/bin/biome')
const TSC = join(root, 'node_modules/typescript/bin/tsc')

interface Diagnostic {
  category: string
  text: string
}

/** Path of the planted file, what it imports, and words of the answer; `null` when the import is allowed. */
const ROWS: [path: string, from: string, answer: string | null][] = [
  ['shared/one.ts', 'node:fs', 'shared/ runs everywhere'],
  ['shared/run/two.ts', '../../main/engine/ports.ts', 'shared/ knows no other folder'],
  ['shared/run/three.ts', 'zod', null],
  ['main/engine/four.ts', 'node:fs', 'through ports.ts'],
  ['main/engine/source/five.ts', '../../store/journal.ts', 'main/engine is the core'],
  ['main/engine/six.ts', 'electron', 'through ports.ts'],
  ['main/engine/seven.ts', 'node:crypto', null],
  ['main/engine/eight.ts', 'node:worker_threads', null],
  ['main/flows/nine.ts', 'node:fs/promises', 'reads no files'],
  ['main/flows/ten.ts', '../agents/command.ts', 'engine and shared/ only'],
  ['main/store/eleven.ts', '../engine/ports.ts', null],
  ['main/store/twelve.ts', '../engine/replay.ts', 'nothing else of it'],
  ['main/store/thirteen.ts', 'electron', 'no Electron here'],
  ['main/agents/fourteen.ts', '../engine/ports.ts', null],
  ['main/agents/fifteen.ts', '../engine/sandbox/script-worker.ts', 'nothing else of it'],
  ['main/service/sixteen.ts', 'electron', 'without Electron'],
  ['main/cli/seventeen.ts', '../ipc/install.ts', 'nothing of windows'],
  ['main/eighteen.ts', 'electron', null],
  ['main/mcp/twenty-seven.ts', '../store/run-store.ts', 'asks the service for everything'],
  ['main/mcp/twenty-eight.ts', '../service/service.ts', null],
  ['main/ipc/handlers/nineteen.ts', '../../../renderer/app.tsx', "never imports the page's code"],
  ['preload/twenty.ts', '../shared/contract/bridge.ts', null],
  ['preload/twenty-one.ts', '../shared/run/view.ts', 'shared/contract only'],
  ['preload/twenty-two.ts', 'zod', 'no zod'],
  ['preload/twenty-three.ts', '../main/windows.ts', 'shared/contract only'],
  ['renderer/twenty-four.ts', 'node:path', 'no Node and no Electron'],
  ['renderer/ui/twenty-five.ts', '../../main/main.ts', 'shared/ only'],
  ['renderer/ui/twenty-six.ts', '../store/runs.ts', null],
]

let tree: string
let diagnostics: Map<string, Diagnostic[]>

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'reprise-lint-'))
  for (const name of ['biome.json', '.gitignore', 'tsconfig.base.json', 'shared', 'renderer/tsconfig.json']) {
    cpSync(join(root, name), join(tree, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
  for (const [path, from] of ROWS) plant(path, `export * from '${from}'\n`)
  plant('main/engine/egg.ts', "import { hen } from './hen.ts'\nexport const egg = () => hen\n")
  plant('main/engine/hen.ts', "import { egg } from './egg.ts'\nexport const hen = () => egg\n")
  diagnostics = lint()
})

afterAll(() => rmSync(tree, { recursive: true, force: true }))

function plant(path: string, text: string) {
  mkdirSync(dirname(join(tree, path)), { recursive: true })
  writeFileSync(join(tree, path), text)
}

/** One run over the planted files; what it says, by file. */
function lint(): Map<string, Diagnostic[]> {
  const paths = [...ROWS.map(([path]) => path), 'main/engine/egg.ts', 'main/engine/hen.ts']
  const args = [BIOME, 'lint', '--max-diagnostics=none', '--only=style/noRestrictedImports', '--only=suspicious/noImportCycles']
  const { stdout } = spawnSync(process.execPath, [...args, '--reporter=json', ...paths], { cwd: tree, encoding: 'utf8' })
  const found = new Map<string, Diagnostic[]>()
  for (const entry of JSON.parse(stdout).diagnostics) {
    const path: string = entry.location.path
    found.set(path, [...(found.get(path) ?? []), { category: entry.category, text: JSON.stringify(entry) }])
  }
  return found
}

test.each(ROWS)('%s importing %s is answered with: %s', (path, _from, answer) => {
  const found = diagnostics.get(path) ?? []
  if (answer === null) expect(found).toEqual([])
  else {
    expect(found.map((d) => d.category)).toEqual(['lint/style/noRestrictedImports'])
    expect(found[0]?.text).toContain(answer)
  }
})

test('two files that import each other are refused', () => {
  expect(diagnostics.get('main/engine/egg.ts')?.map((d) => d.category)).toContain('lint/suspicious/noImportCycles')
})

test('shared code that reaches for Node does not compile', () => {
  plant('shared/reaches-for-node.ts', "import { readFileSync } from 'node:fs'\nexport const text = () => readFileSync('x', 'utf8')\n")
  expect(compile('shared')).toMatch(/reaches-for-node\.ts.*TS(2307|2591|2580)/)
})

test('page code that imports the main process does not compile', () => {
  plant('main/secret.ts', 'export const secret = 1\n')
  plant('renderer/reaches-for-main.ts', "import { secret } from '../main/secret.ts'\nexport const seen = secret\n")
  expect(compile('renderer')).toMatch(/reaches-for-main\.ts.*TS6307/)
})

test('page code that reaches for Node does not compile', () => {
  plant('renderer/reaches-for-node.ts', "import { readFileSync } from 'node:fs'\nexport const text = () => readFileSync('x', 'utf8')\n")
  expect(compile('renderer')).toMatch(/reaches-for-node\.ts.*TS(2307|2591|2580)/)
})

function compile(project: string): string {
  const result = spawnSync(process.execPath, [TSC, '-b', '--pretty', 'false', project], { cwd: tree, encoding: 'utf8' })
  return result.stdout
}
