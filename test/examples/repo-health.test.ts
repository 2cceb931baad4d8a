import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
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

test('its numbers are those that plain git and counting give, whatever the files are called', async () => {
  const { value, logs } = await runExample(file, { cwd: repository, agent: 'shell' })
  const paths = Object.keys(files)
  const total = paths.reduce((sum, path) => sum + lineCount(path), 0)
  const changedLately = new Set(git('log', '--since=90 days ago', '--format=', '--name-only', '-z').split('\0').filter((path) => path !== ''))
  expect(value.totals).toEqual({
    files: paths.filter((path) => lineCount(path) > 0).length,
    lines: total,
    todos: 3,
    testLines: 5,
    codeLines: 11,
    changedFiles: changedLately.size,
  })
  expect(changedLately).toEqual(new Set(['README.md', 'src/12:34.go', 'src/name with\nnewline.ts']))
  expect(value.hottest).toEqual([
    ['src/12:34.go', 2],
    ['README.md', 1],
    ['src/name with\nnewline.ts', 1],
  ])
  expect((value.biggest as unknown[])[0]).toEqual(['tests/a.test.ts', 4])
  const today = (daysAgo: number) => git('log', '-1', '--format=%cs', `--before=${daysAgo} days ago`).trim()
  expect(value.areas).toEqual([
    { name: 'src', lines: 11, todos: 2, changes: 3, authors: 2, lastChange: today(9) },
    { name: 'tests', lines: 4, todos: 0, changes: 0, authors: 0, lastChange: today(100) },
    { name: '$(touch broken)', lines: 1, todos: 0, changes: 0, authors: 0, lastChange: today(100) },
  ])
  expect(value.summary).toBe(`${paths.length - 2} files, ${total} lines, 3 TODOs`)
  expect(value.report).toContain('- **Churn:** 3 files changed in 90 days')
  expect(logs).toEqual([`${paths.length - 2} text files, ${total} lines`])
  expect(git('status', '--porcelain')).toBe('?? untracked/\n')
})

test('it takes another time span and length from its input', async () => {
  const { value } = await runExample(file, { cwd: repository, agent: 'shell', args: { days: 15, top: 1 } })
  expect(value.hottest).toEqual([['src/12:34.go', 1]])
  expect((value.areas as unknown[]).length).toBe(1)
  await expect(runExample(file, { cwd: repository, agent: 'shell', args: { days: '1; rm -rf' } })).rejects.toThrow('whole numbers')
})

test('it works in a folder of a repository: what lies beside it does not count', async () => {
  const { value } = await runExample(file, { cwd: join(repository, 'src'), agent: 'shell' })
  expect(value.totals).toMatchObject({ lines: 11, changedFiles: 2 })
  expect(value.hottest).toEqual([
    ['12:34.go', 2],
    ['name with\nnewline.ts', 1],
  ])
})

test('a repository without a commit has a report too', async () => {
  const folder = temporaryFolder()
  execFileSync('git', ['init', '-q'], { cwd: folder })
  const { value } = await runExample(file, { cwd: folder, agent: 'shell' })
  expect(value.totals).toEqual({ files: 0, lines: 0, todos: 0, testLines: 0, codeLines: 0, changedFiles: 0 })
})

test('a folder that is no repository is an error that says what to do', async () => {
  await expect(runExample(file, { cwd: temporaryFolder(), agent: 'shell' })).rejects.toThrow('run this inside a git repository')
})

test('simulated, it runs to its end and touches nothing', async () => {
  const { value, calls } = await runExample(file, { cwd: temporaryFolder(), agent: 'simulated' })
  expect(calls).toEqual(['lines', 'todos', 'changes'])
  expect(value.totals).toMatchObject({ files: 0 })
})
