import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { encodeChild } from '../../main/store/child-processes.ts'
import { currentOwner, ownerState, processStart } from '../../main/store/owner.ts'
import { reconcile } from '../../main/store/reconcile.ts'
import { openStore } from '../../main/store/run-store.ts'
import {
  attempt,
  call,
  claimRunning,
  deadOwner,
  fileOf,
  newRequestId,
  newRun,
  opened,
  result,
  runsOf,
  started,
  startedRun,
  tempFolder,
} from './run-fixtures.ts'

/** A process that ignores the polite signal and has a child of its own; ready when it said so. */
async function stubborn(
  runId: string,
  marks: Record<string, string> = {},
): Promise<{ pid: number; startTime: number; gone: Promise<unknown> }> {
  const code = `process.on('SIGTERM', () => {}); require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' }); setInterval(() => {}, 1000); console.log('ready')`
  const child = spawn(process.execPath, ['-e', code], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, REPRISE_RUN: runId, ...marks },
  })
  const gone = once(child, 'exit')
  await once(child.stdout, 'data')
  const pid = child.pid ?? 0
  return { pid, startTime: processStart(pid) ?? 0, gone }
}

test('a project without runs stays as it is', async () => {
  const project = tempFolder()
  expect(await reconcile(project)).toEqual({ interrupted: [], endedProcesses: 0 })
  expect(readdirSync(project)).toEqual([])
})

test('R10: runs of a dead owner are interrupted, runs of a living one are left alone', async () => {
  const { project, runId, run } = await startedRun(deadOwner())
  await run.append([call(1), started(1), call(2), result(2)])
  claimRunning(project, runId)
  const store = openStore(project)
  const other = await store.create(newRun(project), newRequestId(), currentOwner())
  const { interrupted } = await reconcile(project)
  expect(interrupted.map((row) => [row.runId, row.status, row.sentence])).toEqual([[runId, 'interrupted', 'closed while it ran · 1 saved']])
  const { runs } = await store.list({ limit: 10 })
  expect(runs.find((row) => row.runId === other.runId)?.status).toBe('queued')
})

test.runIf(process.platform !== 'win32')(
  'R9: what a killed owner left running is ended, with its children, even if it ignores the polite signal',
  async () => {
    const { project, runId, run } = await startedRun(deadOwner())
    const agent = await stubborn(runId)
    writeFileSync(fileOf(project, runId, 'children.jsonl'), encodeChild({ ...agent, call: 1, boot: currentOwner().boot }))
    expect(run.attempt).toBe(1)
    const { endedProcesses } = await reconcile(project)
    await agent.gone
    expect(endedProcesses).toBeGreaterThan(0)
    expect(processStart(agent.pid)).toBeNull()
  },
)

test.runIf(process.platform !== 'win32')('a resume ends what the dead owner left running before anything new starts', async () => {
  const { project, store, runId } = await startedRun(deadOwner())
  const agent = await stubborn(runId)
  writeFileSync(fileOf(project, runId, 'children.jsonl'), encodeChild({ ...agent, call: 1, boot: currentOwner().boot }))
  opened(await store.open(runId, attempt()))
  await agent.gone
  expect(processStart(agent.pid)).toBeNull()
})

test('a process that only has the pid of an old child is not touched', async () => {
  const { project, runId, run } = await startedRun(deadOwner())
  const bystander = spawn(process.execPath, ['-e', "console.log('ready'); setInterval(() => {}, 1000)"], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(bystander.stdout, 'data')
  const pid = bystander.pid ?? 0
  const { boot } = currentOwner()
  run.child({ pid, startTime: 1, call: 1 })
  writeFileSync(
    fileOf(project, runId, 'children.jsonl'),
    encodeChild({ pid, startTime: processStart(pid) ?? 0, call: 1, boot: `not ${boot}` }),
    { flag: 'a' },
  )
  expect((await reconcile(project)).endedProcesses).toBe(0)
  expect(processStart(pid)).not.toBeNull()
  bystander.kill('SIGKILL')
  await once(bystander, 'exit')
})

test('half-made runs and temporary files of processes that are gone are swept, those of living ones are not', async () => {
  const { project } = await startedRun()
  const hourAgo = new Date(Date.now() - 2 * 3_600_000)
  const [dead, live] = [`.new-a-999999999-00000000`, `.new-b-${process.pid}-00000000`].map((name) => join(runsOf(project), name))
  for (const folder of [dead, live]) {
    mkdirSync(folder ?? '')
    utimesSync(folder ?? '', hourAgo, hourAgo)
  }
  const temp = join(runsOf(project), '.index.jsonl.999999999.0a0a0a0a.tmp')
  writeFileSync(temp, '')
  await reconcile(project)
  expect([dead, live, temp].map((path) => existsSync(path ?? ''))).toEqual([false, true, false])
})

test('an owner is alive by pid and start on one boot of one host, whatever the time', async () => {
  const self = currentOwner()
  expect(ownerState(self)).toBe('alive')
  expect(ownerState({ ...self, startTime: self.startTime + 1 })).toBe('dead')
  expect(ownerState({ ...self, boot: 'before the restart' })).toBe('dead')
  expect(ownerState({ ...self, host: 'elsewhere' }, { ...self, boot: 'another' })).toBe('foreign')
  const child = spawn(process.execPath, ['-e', "console.log('ready'); setInterval(() => {}, 1000)"], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(child.stdout, 'data')
  const owner = { ...self, pid: child.pid ?? 0, startTime: processStart(child.pid ?? 0) ?? 0 }
  expect(ownerState(owner)).toBe('alive')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(ownerState(owner)).toBe('dead')
})

test.runIf(process.platform === 'linux')('what works on a run of the same id in another project is left alone', async () => {
  const { project, runId } = await startedRun(deadOwner())
  const elsewhere = await stubborn(runId, { REPRISE_PROJECT: tempFolder() })
  const here = await stubborn(runId, { REPRISE_PROJECT: project })
  const gone = { pid: 2 ** 22 + 1, startTime: 1, call: 1, boot: currentOwner().boot }
  writeFileSync(fileOf(project, runId, 'children.jsonl'), encodeChild(gone))
  await reconcile(project)
  await here.gone
  expect(processStart(elsewhere.pid)).not.toBeNull()
  process.kill(-elsewhere.pid, 'SIGKILL')
  await elsewhere.gone
})
