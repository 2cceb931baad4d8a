import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { gitHead } from '../../main/service/git-head.ts'
import { tempFolder } from '../store/run-fixtures.ts'

const env = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b',
}
const git = (cwd: string, ...words: string[]): string => execFileSync('git', words, { cwd, env, encoding: 'utf8' }).trim()

function repository(): string {
  const folder = tempFolder()
  git(folder, 'init', '-q', '-b', 'main')
  return folder
}

function commit(folder: string): string {
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'a commit')
  return git(folder, 'rev-parse', 'HEAD')
}

/** What we say is what git says; without git on the PATH, so that it can't have been asked. */
async function headWithoutGit(folder: string): Promise<Awaited<ReturnType<typeof gitHead>>> {
  vi.stubEnv('PATH', '')
  try {
    return await gitHead(folder)
  } finally {
    vi.unstubAllEnvs()
  }
}

test('a branch, a folder below it, a branch with slashes and no branch at all', async () => {
  const folder = repository()
  const first = commit(folder)
  expect(await headWithoutGit(folder)).toEqual({ head: first, branch: 'main' })
  mkdirSync(join(folder, 'a/b'), { recursive: true })
  expect(await headWithoutGit(join(folder, 'a/b'))).toEqual({ head: first, branch: 'main' })
  git(folder, 'switch', '-q', '-c', 'feature/x')
  const second = commit(folder)
  expect(await headWithoutGit(folder)).toEqual({ head: second, branch: 'feature/x' })
  git(folder, 'switch', '-q', '--detach', first)
  expect(await headWithoutGit(folder)).toEqual({ head: first, branch: null })
})

test('packed refs, also beside a newer loose one', async () => {
  const folder = repository()
  const first = commit(folder)
  git(folder, 'pack-refs', '--all')
  expect(await headWithoutGit(folder)).toEqual({ head: first, branch: 'main' })
  const second = commit(folder)
  expect(await headWithoutGit(folder)).toEqual({ head: second, branch: 'main' })
})

test('a worktree stands on its own branch', async () => {
  const folder = repository()
  const first = commit(folder)
  const other = join(tempFolder(), 'other')
  git(folder, 'worktree', 'add', '-q', '-b', 'other', other)
  const second = commit(other)
  git(folder, 'pack-refs', '--all')
  expect(await headWithoutGit(other)).toEqual({ head: second, branch: 'other' })
  expect(await headWithoutGit(folder)).toEqual({ head: first, branch: 'main' })
})

test('a branch that is a second name of another', async () => {
  const folder = repository()
  const head = commit(folder)
  git(folder, 'symbolic-ref', 'refs/heads/alias', 'refs/heads/main')
  git(folder, 'symbolic-ref', 'HEAD', 'refs/heads/alias')
  expect(await headWithoutGit(folder)).toEqual({ head, branch: git(folder, 'rev-parse', '--abbrev-ref', 'HEAD') })
})

test('nothing outside a repository and before the first commit', async () => {
  expect(await headWithoutGit(tempFolder())).toBeNull()
  expect(await headWithoutGit(repository())).toBeNull()
})

test('git is asked where the files say nothing that we know', async () => {
  const folder = repository()
  const head = commit(folder)
  const moved = tempFolder()
  vi.stubEnv('GIT_DIR', join(folder, '.git'))
  expect(await gitHead(moved)).toEqual({ head, branch: 'main' })
  vi.unstubAllEnvs()
  writeFileSync(join(moved, '.git'), 'not a repository')
  expect(await gitHead(moved)).toBeNull()
})
