import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Json } from '../../shared/json.ts'
import { temporaryFolder } from '../agents/process-fixture.ts'
import { runExample } from './run-example.ts'

const file = 'examples/repo-health.workflow.ts'
const repository = join(temporaryFolder(), "it's a repository")

/** Names that a careless script would take for something else. */
const files: { [path: string]: string } = {
  'README.md': '# Title\n\nTODO: write\n',
  'no-newline.txt': 'one\ntwo',
  'empty.txt': '',
  'image.bin': '\0\x01\n\n\n',
  "src/it's here.ts": 'export const a = 1 // FIXME\n// TODO and XXX on one line\n// TODOS are a word of their own\n',
  'src/name with\nnewline.ts': 'one\n',
  'src/ünïcode "quoted".js': 'a\nb\nc\n',
  'src/deep/:(glob)*.py': 'a\nb\n',
  'src/12:34.go': 'a\n',
  '$(touch broken)/a.c': 'int a;\n',
  'tests/a.test.ts': 'test\ntest\ntest\ntest\n',
  'src/deep/parser_test.go': 'test\n',
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: repository, encoding: 'utf8' })
}

function commit(author: string, daysAgo: number): void {
  const date = new Date(Date.now() - daysAgo * 86_400_000).toISOString()
  git('add', '-A')
  const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
  const identity = ['-c', `user.name=${author}`, '-c', `user.email=${author}@example.com`, '-c', 'commit.gpgsign=false']
  execFileSync('git', [...identity, 'commit', '-q', '-m', `By ${author}`], { cwd: repository, env })
}

function change(path: string, text: string): void {
  mkdirSync(dirname(join(repository, path)), { recursive: true })
  writeFileSync(join(repository, path), text)
}

beforeAll(() => {
  mkdirSync(repository)
  git('init', '-q')
  for (const [path, text] of Object.entries(files)) change(path, text)
  commit('ann', 200)
  change('src/12:34.go', 'b\n')
  change('README.md', '# Title\n\nTODO: rewrite\n')
  commit('ben', 20)
  change('src/12:34.go', 'c\n')
  change('src/name with\nnewline.ts', 'two\n')
  commit('ann', 10)
  change('untracked/not counted.ts', 'x\n')
})

/** Lines of a file, counted without the help of git. */
function lineCount(path: string): number {
  const text = readFileSync(join(repository, path), 'utf8')
  return text.includes('\0') ? 0 : text.split('\n').length - (text.endsWith('\n') || text === '' ? 1 : 0)
}

/** The rows of the table whose first heading this is, without their markup. */
function table(report: string, heading: string): string[][] {
  const rows =
    report
      .slice(report.indexOf(`| ${heading} |`))
      .split('\n\n')[0]
      ?.split('\n')
      .slice(2) ?? []
  return rows.map((row) => row.slice(2, -2).split(' | '))
}

async function health(cwd: string, more: { args?: Json; agent?: string } = {}) {
  const run = await runExample(file, { cwd, agent: 'shell', ...more })
  return { ...run, report: String(run.value) }
}

test('its numbers are those that plain git and counting give, whatever the files are called', async () => {
  const { report, logs } = await health(repository)
  const paths = Object.keys(files)
  const withLines = paths.filter((path) => lineCount(path) > 0).length
  const total = paths.reduce((sum, path) => sum + lineCount(path), 0)
  const changes = (path: string) => git('log', '--oneline', '--since=90 days ago', '--', `:(literal)${path}`).split('\n').length - 1
  const changed = paths.filter((path) => changes(path) > 0)
  expect(report.split('\n').slice(0, 6)).toEqual([
    '# Repository health',
    '',
    `- **Size:** ${total} lines in ${withLines} text files`,
    `- **TODOs:** 3, that is ${(3000 / total).toFixed(1)} in 1000 lines`,
    '- **Tests:** 5 lines for 11 lines of code, that is 45.5 for 100',
    `- **Churn:** ${changed.length} files changed in 90 days`,
  ])
  expect(table(report, 'Most changed files')).toEqual([
    ['src/12:34.go', String(changes('src/12:34.go'))],
    ['README.md', '1'],
    ['src/name with newline.ts', '1'],
  ])
  expect(table(report, 'Largest files')[0]).toEqual(['tests/a.test.ts', String(lineCount('tests/a.test.ts'))])
  const lastBefore = (daysAgo: number) => git('log', '-1', '--format=%cs', `--before=${daysAgo} days ago`).trim()
  expect(table(report, 'Largest folders')).toEqual([
    ['src', '11', '2', '3', '2', lastBefore(9)],
    ['tests', '4', '0', '0', '0', lastBefore(100)],
    ['$(touch broken)', '1', '0', '0', '0', lastBefore(100)],
  ])
  expect(logs).toEqual([`${withLines} text files, ${total} lines`])
  expect(git('status', '--porcelain')).toBe('?? untracked/\n')
})

test('it takes another time span and length from its input', async () => {
  const { report } = await health(repository, { args: { days: 15, top: 1 } })
  expect(report).toContain('2 files changed in 15 days')
  expect(table(report, 'Most changed files')).toEqual([['src/12:34.go', '1']])
  expect(table(report, 'Largest folders')).toHaveLength(1)
  await expect(health(repository, { args: { days: '1; rm -rf' } })).rejects.toThrow('whole numbers')
})

test('it works in a folder of a repository: what lies beside it does not count', async () => {
  const { report } = await health(join(repository, 'src'))
  expect(report).toContain('11 lines in 6 text files')
  expect(table(report, 'Most changed files')).toEqual([
    ['12:34.go', '2'],
    ['name with newline.ts', '1'],
  ])
})

test('a repository without a commit has a report too', async () => {
  const folder = temporaryFolder()
  execFileSync('git', ['init', '-q'], { cwd: folder })
  expect((await health(folder)).report).toContain('0 lines in 0 text files')
})

test('a folder that is no repository is an error that says what to do', async () => {
  await expect(health(temporaryFolder())).rejects.toThrow('run this inside a git repository')
})

test('simulated, it runs to its end and touches nothing', async () => {
  const { report, calls } = await health(temporaryFolder(), { agent: 'simulated' })
  expect(calls).toEqual(['lines', 'todos', 'changes'])
  expect(report).toContain('0 lines in 0 text files')
})
