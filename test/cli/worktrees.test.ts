/** Worktrees through the built command: made from the commit that the run recorded, looked at, applied and discarded. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { commit, git, repository } from '../agents/worktree/repository.ts'
import { TestProject } from '../support/reprise.ts'

let project: TestProject
let head: string
beforeEach(() => {
  project = new TestProject()
  head = repository(project.folder).head
})
afterEach(() => project.remove())

const CHANGING = `const one = await agent('echo by-one > one.txt; echo changed > a.txt', { label: 'one', isolation: 'worktree' })
await agent('cat a.txt', { label: 'two', isolation: 'worktree' })
await agent('echo three > a.txt', { label: 'three', isolation: 'worktree' })
return one`

interface Listed {
  runId: string
  worktrees: { callId: number | null; label: string; path: string; files: { path: string }[] }[]
}

const run = (script: string, ...options: string[]) =>
  project.run(['run', project.write('flow.js', script), '--agent', 'shell', '--yes', ...options])
const listed = () => project.json<Listed>('worktrees', 'last')

describe('calls that ask for a worktree', { timeout: 60_000 }, () => {
  test('leave only what they changed, apart from each other and from the project', async () => {
    git(project.folder, 'checkout', '-q', '-b', 'feature')
    expect((await run(CHANGING)).code).toBe(0)
    commit(project.folder, 'later.txt', 'later')
    const { worktrees } = await listed()
    expect(worktrees.map(({ callId, label, files }) => [callId, label, files.map(({ path }) => path)])).toEqual([
      [1, 'one', ['a.txt', 'one.txt']],
      [3, 'three', ['a.txt']],
    ])
    for (const { path } of worktrees) expect(git(path, 'merge-base', 'HEAD', head)).toBe(head)
    expect(readFileSync(join(project.folder, 'a.txt'), 'utf8')).toBe('first')
    expect((await project.run(['worktrees', 'last'])).stdout).toMatch(
      /^1 {2}one {2}2 files changed, \+2 −1 {2}\.claude\/worktrees\/.*-1\n3 {2}three/,
    )
  })

  test('are shown as a patch, applied as a whole or not at all, and discarded', async () => {
    await run(CHANGING)
    expect((await project.run(['worktrees', 'last', '1', '--diff'])).stdout).toContain('+by-one')
    expect((await project.run(['worktrees', 'last', '--apply'])).stderr).toContain('Name one: 1, 3')
    expect((await project.run(['worktrees', 'last', '1', '--apply'])).code).toBe(0)
    expect(readFileSync(join(project.folder, 'a.txt'), 'utf8')).toBe('changed\n')
    expect(git(project.folder, 'rev-parse', 'HEAD')).toBe(head)
    const conflict = await project.run(['worktrees', 'last', '3', '--apply'])
    expect([conflict.code, conflict.stderr]).toEqual([1, expect.stringContaining('Nothing was changed')])
    expect((await project.run(['worktrees', 'last', '3', '--discard'])).code).toBe(0)
    expect(await listed()).toMatchObject({ worktrees: [] })
    expect(git(project.folder, 'branch', '--list', 'reprise/*')).toBe('')
    expect((await project.run(['worktrees', 'last', '3', '--discard'])).code).toBe(2)
  })

  test('die where no worktree can be made, and never work in the project itself', async () => {
    rmSync(join(project.folder, '.git'), { recursive: true })
    const { code, stdout } = await run(CHANGING, '--json')
    expect([code, JSON.parse(stdout)]).toMatchObject([3, { counts: { ok: 0, dead: 3 } }])
    const view = await project.json<{ calls: { reason: string; detail: string }[] }>('show', 'last')
    expect(view.calls[0]).toMatchObject({ reason: 'worktree-failed', detail: expect.stringContaining('no git commit') })
    expect(existsSync(join(project.folder, 'one.txt'))).toBe(false)
  })

  test('are named by the doctor when their run is gone', async () => {
    await run(CHANGING)
    rmSync(join(project.folder, '.claude', 'workflow-runs'), { recursive: true })
    expect((await project.run(['doctor'])).stdout).toMatch(/note {2}\.claude\/worktrees\/.*of a run that is gone.*\[worktree\]/)
  })
})

describe('a run in a worktree of its own', { timeout: 60_000 }, () => {
  test('keeps everything there until it is taken over, and goes on there', async () => {
    const script = `await agent('echo 1 >> n.txt'); const seen = await check(['cat', 'n.txt']); await agent('[ -e ready ]', { retries: 0 }); return seen.stdout`
    const first = await run(script, '--workspace', 'worktree')
    expect(first.code).toBe(3)
    expect(existsSync(join(project.folder, 'n.txt'))).toBe(false)
    const [own] = (await listed()).worktrees
    expect(own).toMatchObject({ callId: null, files: [{ path: 'n.txt', added: 1, removed: 0 }] })
    git(own?.path ?? '', 'commit', '-q', '--allow-empty', '-m', 'Nothing')
    await project.run(['resume', 'last', '--yes'])
    expect(readFileSync(join(own?.path ?? '', 'n.txt'), 'utf8')).toBe('1\n')
    expect((await project.run(['worktrees', 'last', 'run', '--apply'])).code).toBe(0)
    expect(readFileSync(join(project.folder, 'n.txt'), 'utf8')).toBe('1\n')
  })

  test('is refused without a commit to start from, and nothing was started', async () => {
    rmSync(join(project.folder, '.git'), { recursive: true })
    const refused = await run(`return agent('true')`, '--workspace', 'worktree')
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Commit once')])
    expect(project.runIds).toEqual([])
  })
})
