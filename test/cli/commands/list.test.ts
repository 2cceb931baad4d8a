import { describe, expect, test } from 'vitest'
import { main } from '../../../main/cli/main.ts'
import { width } from '../../../main/cli/text/printable.ts'
import type { RunSummary } from '../../../shared/run/view.ts'
import { fakeIo } from '../fake-io.ts'
import { COUNTS, fakeService, RUN_ID } from '../fake-service.ts'

const summary: RunSummary = {
  runId: RUN_ID,
  number: 47,
  title: 'triage',
  path: '/nowhere/triage.ts',
  status: 'failed',
  reason: null,
  sentence: '“lint” died in Verify',
  attempt: 1,
  counts: { ...COUNTS, ok: 8, dead: 1, live: 9 },
  queued: 0,
  outputTokens: 100,
  cost: null,
  startedAt: 0,
  updatedAt: 400_000,
  endedAt: 400_000,
  backend: 'simulated',
  currentPhase: null,
  strip: [],
  damaged: null,
}

async function list(summaries: RunSummary[], argv: string[] = [], setting?: Parameters<typeof fakeIo>[0]) {
  const fake = fakeService({ summaries })
  const screen = fakeIo(setting)
  const code = await main(['list', ...argv], screen.io, fake.open)
  return { code, stdout: screen.stdout(), stderr: screen.stderr(), asked: fake.asked.list }
}

test('one line a run, with number, name, state, calls and time', async () => {
  const { code, stdout, stderr } = await list([
    summary,
    { ...summary, number: 8, title: 'audit', status: 'running', sentence: '', queued: 3 },
  ])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.split('\n')).toEqual([
    ' #  Workflow  State                             Calls    Time     Changed',
    '47  triage    ✕ Failed · “lint” died in Verify      9  6m 40s  1970-01-01',
    ' 8  audit     ▶ Running                           9+3  6m 40s  1970-01-01',
    '',
  ])
})

describe('at a terminal', () => {
  test.each([[40], [60], [80], [200]])('no line is wider than its %i columns', async (columns) => {
    const long = { ...summary, title: 'a very long name of a workflow 漢字漢字', sentence: 'x'.repeat(300) }
    const { stdout } = await list([summary, long], [], { tty: true, columns, env: { NO_COLOR: '1' } })
    const widest = Math.max(...stdout.split('\n').map(width))
    expect(widest).toBeLessThanOrEqual(Math.max(columns, 62))
    expect(stdout).not.toContain('\u001b')
  })

  test('states have colour', async () => {
    expect((await list([summary], [], { tty: true })).stdout).toContain('\u001b[31m✕ Failed')
  })
})

test('away from a terminal nothing is cut and nothing has colour', async () => {
  const { stdout } = await list([{ ...summary, sentence: 'y'.repeat(300) }])
  expect(stdout).toContain('y'.repeat(300))
  expect(stdout).not.toContain('\u001b')
})

test('filters reach the service; “stopped” is the word for killed', async () => {
  const { asked } = await list([], ['--status', 'failed,stopped', '--workflow', 'triage', '--limit', '5'])
  expect(asked).toEqual([{ status: ['failed', 'killed'], workflow: 'triage', limit: 5 }])
  expect((await list([])).asked).toEqual([{ limit: 20 }])
})

test('an unknown state is refused with the known ones', async () => {
  expect(await list([], ['--status', 'broken'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Known: queued, running') })
})

test('--json is an array, also of no runs', async () => {
  expect(JSON.parse((await list([summary], ['--json'])).stdout)).toEqual([summary])
  expect((await list([], ['--json'])).stdout).toBe('[]\n')
})

test('no runs: stdout is empty and stderr says what to do', async () => {
  expect(await list([])).toMatchObject({ code: 0, stdout: '', stderr: 'Nothing has run in /nowhere yet. Start: reprise run <file|name>\n' })
  expect((await list([], ['--status', 'failed'])).stderr).toBe('No run matches.\n')
})

test('a run folder that cannot be read is one row that says so', async () => {
  const { stdout, stderr } = await list([
    { ...summary, damaged: 'run.json is missing' },
    { ...summary, number: 3 },
  ])
  expect(stdout.split('\n').filter((line) => line.includes('Unreadable'))).toHaveLength(1)
  expect(stdout).toContain('✕ Failed')
  expect(stderr).toBe(`${summary.runId}: run.json is missing\n`)
})

test('it says when there are more', async () => {
  const fake = fakeService({ list: async () => ({ runs: [summary], total: 48 }) })
  const screen = fakeIo()
  await main(['list', '--limit', '1'], screen.io, fake.open)
  expect(screen.stderr()).toBe('1 of 48 runs; --limit shows more.\n')
})
