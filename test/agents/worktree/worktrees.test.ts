import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Worktrees } from '../../../main/agents/worktree/worktrees.ts'
import { temporaryFolder } from '../process-fixture.ts'
import { commit, git, repository } from './repository.ts'

function made(subfolder = '') {
  const { folder, head } = repository()
  const project = join(folder, subfolder)
  if (subfolder !== '') mkdirSync(project)
  return { project, head, worktrees: new Worktrees(project) }
}

describe('a worktree', () => {
  test('stands at the recorded commit on a branch of its own, whatever the project stands on now', async () => {
    const { project, head, worktrees } = made()
    git(project, 'checkout', '-q', '-b', 'feature')
    commit(project, 'later.txt', 'later')
    const cwd = await worktrees.make('R1', 4, head, false)
    expect(cwd).toBe(join(project, '.claude', 'worktrees', 'R1-4'))
    expect(git(cwd, 'rev-parse', 'HEAD')).toBe(head)
    expect(git(cwd, 'branch', '--show-current')).toBe('reprise/R1-4')
    expect(existsSync(join(cwd, 'later.txt'))).toBe(false)
    expect(git(project, 'branch', '--show-current')).toBe('feature')
  })

  test('is no new file to git, without a change to any file of the project', async () => {
    const { project, head, worktrees } = made()
    await worktrees.make('R1', 1, head, false)
    await worktrees.make('R1', 2, head, false)
    expect(git(project, 'status', '--porcelain')).toBe('')
    const lines = readFileSync(join(project, '.git', 'info', 'exclude'), 'utf8').split('\n')
    expect(lines.filter((line) => line === '/.claude/worktrees/')).toHaveLength(1)
  })

  test('goes away with its branch when nothing was changed, and stays with what was', async () => {
    const { project, head, worktrees } = made()
    const unchanged = await worktrees.make('R1', 1, head, false)
    const changed = await worktrees.make('R1', 2, head, false)
    writeFileSync(join(changed, 'new.txt'), 'one\ntwo\n')
    writeFileSync(join(changed, 'ignored.log'), 'noise')
    commit(changed, 'a.txt', 'changed')
    const [first, second] = await worktrees.list('R1')
    expect([first?.path, second?.path]).toEqual([unchanged, changed])
    expect(first && (await worktrees.removeIfUnchanged(first, head))).toBeNull()
    expect(second && (await worktrees.removeIfUnchanged(second, head))).toEqual({
      files: [
        { path: 'a.txt', added: 1, removed: 1 },
        { path: 'new.txt', added: 2, removed: 0 },
      ],
    })
    expect(existsSync(unchanged)).toBe(false)
    expect(git(project, 'branch', '--list', 'reprise/*')).toBe('+ reprise/R1-2')
    expect((await worktrees.list()).map(({ call }) => call)).toEqual([2])
  })

  test('is made anew for a new start of its call, and kept when its work goes on', async () => {
    const { head, worktrees } = made()
    const cwd = await worktrees.make('R1', 1, head, false)
    writeFileSync(join(cwd, 'half.txt'), 'half')
    expect(await worktrees.make('R1', 1, head, true)).toBe(cwd)
    expect(existsSync(join(cwd, 'half.txt'))).toBe(true)
    expect(await worktrees.make('R1', 1, head, false)).toBe(cwd)
    expect(existsSync(join(cwd, 'half.txt'))).toBe(false)
  })

  test('is made for eight calls at once, and for the run itself', async () => {
    const { head, worktrees } = made()
    await Promise.all(Array.from({ length: 8 }, (_, n) => worktrees.make('R-1', n + 1, head, false)))
    await worktrees.make('R-1', null, head, false)
    await worktrees.make('R', 1, head, false)
    expect((await worktrees.list('R-1')).map(({ call }) => call)).toEqual([null, 1, 2, 3, 4, 5, 6, 7, 8])
    expect((await worktrees.list('R')).map(({ call }) => call)).toEqual([1])
  })

  test('of a project in a folder of the repository has that folder as the place to work', async () => {
    const { folder } = repository()
    const project = join(folder, 'packages', 'app')
    mkdirSync(project, { recursive: true })
    commit(folder, 'packages/app/x.txt', 'x')
    const head = git(folder, 'rev-parse', 'HEAD')
    const cwd = await new Worktrees(project).make('R1', 1, head, false)
    expect(cwd).toBe(join(project, '.claude', 'worktrees', 'R1-1', 'packages', 'app'))
    expect(existsSync(join(cwd, 'x.txt'))).toBe(true)
    expect(git(folder, 'status', '--porcelain')).toBe('')
  })

  test('waits once for another git that holds the lock', async () => {
    const { project, head, worktrees } = made()
    const lock = join(project, '.git', 'refs', 'heads', 'reprise', 'R1-1.lock')
    mkdirSync(join(lock, '..'), { recursive: true })
    writeFileSync(lock, '')
    await expect(worktrees.make('R1', 1, head, false)).rejects.toMatchObject({ isPassing: true })
    execFileSync('rm', [lock])
    expect(existsSync(await worktrees.make('R1', 1, head, false))).toBe(true)
  })
})

describe('no worktree is made', () => {
  test('without a commit, without a repository, and outside of the project; the words say why', async () => {
    const { head, worktrees } = made()
    await expect(worktrees.make('R1', 1, null, false)).rejects.toThrow(/no git commit/)
    await expect(worktrees.make('R1', 1, '0'.repeat(40), false)).rejects.toThrow(/No worktree could be made/)
    await expect(new Worktrees(temporaryFolder()).make('R1', 1, head, false)).rejects.toThrow(/no git repository/)
    const other = made()
    mkdirSync(join(other.project, '.claude'))
    symlinkSync(temporaryFolder(), join(other.project, '.claude', 'worktrees'))
    await expect(other.worktrees.make('R1', 1, other.head, false)).rejects.toThrow(/leads out of the project/)
  })
})

describe('what was changed', () => {
  test('is applied to the files of the project, without a commit, and the worktree goes', async () => {
    const { project, head, worktrees } = made()
    const cwd = await worktrees.make('R1', 1, head, false)
    commit(cwd, 'a.txt', 'changed')
    writeFileSync(join(cwd, 'picture.bin'), Buffer.from([0, 1, 2, 255]))
    const [worktree] = await worktrees.list('R1')
    if (worktree === undefined) throw new Error('It is not listed')
    expect(await worktrees.diff(worktree, head)).toMatch(/^diff --git a\/a\.txt b\/a\.txt$/m)
    await worktrees.apply(worktree, head)
    expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('changed')
    expect(readFileSync(join(project, 'picture.bin'))).toEqual(Buffer.from([0, 1, 2, 255]))
    expect(git(project, 'rev-parse', 'HEAD')).toBe(head)
    expect(await worktrees.list()).toEqual([])
  })

  test('is not applied in part: where one file does not fit, nothing is changed and the worktree stays', async () => {
    const { project, head, worktrees } = made()
    const cwd = await worktrees.make('R1', 1, head, false)
    writeFileSync(join(cwd, 'a.txt'), 'theirs')
    writeFileSync(join(cwd, 'b.txt'), 'new')
    writeFileSync(join(project, 'a.txt'), 'mine')
    const [worktree] = await worktrees.list('R1')
    if (worktree === undefined) throw new Error('It is not listed')
    await expect(worktrees.apply(worktree, head)).rejects.toThrow(/don't fit your files as they are now .*Nothing was changed/)
    expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('mine')
    expect(existsSync(join(project, 'b.txt'))).toBe(false)
    expect(existsSync(cwd)).toBe(true)
  })
})
