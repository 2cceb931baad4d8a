/** A git repository for tests, with one commit and nobody's settings. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '../process-fixture.ts'

const WHO = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', '-c', 'commit.gpgSign=false']

export function git(folder: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', LC_ALL: 'C' }
  return execFileSync('git', [...WHO, ...args], { cwd: folder, encoding: 'utf8', env }).trim()
}

export function commit(folder: string, file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
  git(folder, 'add', file)
  git(folder, 'commit', '-q', '-m', `Write ${file}`)
}

/** `a.txt` is in it, and logs are ignored. */
export function repository(folder = temporaryFolder()): { folder: string; head: string } {
  git(folder, 'init', '-q', '-b', 'main')
  commit(folder, '.gitignore', '*.log\n')
  commit(folder, 'a.txt', 'first')
  return { folder, head: git(folder, 'rev-parse', 'HEAD') }
}
