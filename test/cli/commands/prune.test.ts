import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { main } from '../../../main/cli/main.ts'
import type { PruneOptions } from '../../../main/store/retention.ts'
import { summarize } from '../../../main/store/run-summary.ts'
import { TestProject } from '../../support/reprise.ts'
import { fakeIo } from '../fake-io.ts'
import { fakeService, goodRun, RUN_ID, viewOf } from '../fake-service.ts'

async function prune(argv: string[], count = 1, emptied: string[] = []) {
  const asked: PruneOptions[] = []
  const screen = fakeIo({ cwd: '/somewhere' })
  const row = summarize(viewOf(goodRun()), 2)
  const fake = fakeService({
    async prune(_, options) {
      asked.push(options)
      return { moved: Array.from({ length: count }, () => row), emptied, trash: '/somewhere/.claude/workflow-runs/.trash' }
    },
  })
  const code = await main(['prune', ...argv], screen.io, fake.open)
  return { code, stdout: screen.stdout(), stderr: screen.stderr(), asked }
}

test('it keeps 200 runs unless it is told otherwise', async () => {
  expect((await prune([])).asked).toEqual([{ keep: 200, dryRun: false }])
  expect((await prune(['--keep', '0', '--dry-run'])).asked).toEqual([{ keep: 0, dryRun: true }])
})

test('it names each run that it moved and where to', async () => {
  const { stdout, stderr } = await prune([])
  expect(stdout).toBe(`#47  triage  ${RUN_ID}\n`)
  expect(stderr).toBe('1 run moved to .claude/workflow-runs/.trash.\n')
})

test('a dry run speaks of what would be done', async () => {
  expect((await prune(['--dry-run'], 2, ['x'])).stderr).toMatch(/^2 runs would be moved to .*\n1 run .* would be deleted\.\n$/)
})

test('having nothing to do is said and is no error', async () => {
  expect(await prune([], 0)).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('Nothing to do') })
})

test('--json is one document of what was done', async () => {
  expect(JSON.parse((await prune(['--json'])).stdout)).toEqual({
    dryRun: false,
    moved: [{ runId: RUN_ID, number: 47 }],
    emptied: [],
    trash: '/somewhere/.claude/workflow-runs/.trash',
  })
})

let project: TestProject
beforeEach(() => {
  project = new TestProject()
})
afterEach(() => project.remove())

test('a run that was moved is no longer listed, and its number is not given again', { timeout: 60_000 }, async () => {
  const script = project.write('one.js', "return await agent('one')")
  const first = await project.json('run', script, '--agent', 'simulated')
  await project.run(['prune', '--keep', '0'])
  expect(await project.json<unknown[]>('list')).toEqual([])
  expect(existsSync(join(project.runsFolder, '.trash', first.runId, 'journal.jsonl'))).toBe(true)
  expect((await project.json('run', script, '--agent', 'simulated')).number).toBe(2)
})

test('a pinned run stays until it is unpinned, and says that it is pinned', async () => {
  const project = new TestProject()
  try {
    await project.run(['run', project.write('a.js', `return 1`), '--agent', 'simulated'])
    expect((await project.run(['pin', 'last'])).stderr).toContain('#1 is pinned')
    expect((await project.run(['show', 'last'])).stdout).toContain('pinned')
    expect(await project.json<{ pinned?: boolean }[]>('list')).toMatchObject([{ pinned: true }])
    expect((await project.json<{ moved: object[] }>('prune', '--keep', '0')).moved).toEqual([])
    await project.run(['unpin', 'last'])
    expect((await project.run(['show', 'last'])).stdout).not.toContain('pinned')
    expect((await project.json<{ moved: object[] }>('prune', '--keep', '0')).moved).toHaveLength(1)
  } finally {
    project.remove()
  }
})
