import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Progress, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import { until } from '../support/reprise.ts'
import { Host, TestProject } from './host.ts'

const THREE = `
phase('Read')
const first = await agent('[[text:one]] first')
const second = await agent('[[text:two]] second')
const third = await agent('[[text:three]] third')
return { all: [first, second, third], args: typeof args }
`
const HANGS = `
const done = await agent('[[text:saved]] quick')
await agent('[[hang]] slow')
return done
`

test('a host starts a run, follows its calls and gets the return value', async () => {
  const host = await Host.start()
  const started = await host.call('workflow_run', { script: THREE, agent: 'simulated', args: '{"a":1}', description: 'Try it' })
  expect(started).toMatchObject({ isError: false, data: { number: 1, existed: false, scriptSaved: true, warnings: [] } })
  const runId = String(started.data['runId'])
  const path = String(started.data['scriptPath'])
  expect(path.startsWith(join(host.project.outside, 'data', 'scripts'))).toBe(true)
  expect(readFileSync(path, 'utf8')).toBe(THREE)
  expect(started.text).toContain(`Script saved: ${path}`)
  expect(started.data['resume']).toMatchObject({ tool: 'workflow_resume', command: expect.stringContaining(`reprise resume ${runId}`) })

  const steps: Progress[] = []
  const waited = await host.call('workflow_wait', { run: runId }, (step) => steps.push(step))
  expect(waited.data).toMatchObject({
    title: 'Try it',
    status: 'completed',
    ended: true,
    counts: { ok: 3, live: 3, dead: 0 },
    returnValue: { all: ['one', 'two', 'three'], args: 'string' },
    canResume: false,
  })
  expect(waited.text).toContain('Run #1 “Try it”: Completed')
  expect(steps.length).toBeGreaterThan(0)
  const amounts = steps.map(({ progress }) => progress)
  expect(amounts).toEqual([...new Set(amounts)].sort((a, b) => a - b))
  expect(steps.at(-1)).toMatchObject({ progress: 3, total: 3, message: 'Read · 3 of 3 calls done' })
})

test('a run that is stopped keeps its results and goes on without repeating them', async () => {
  const host = await Host.start()
  const runId = await host.run(HANGS)
  await until(() => host.project.results(runId) === 1)
  const now = await host.call('workflow_status', { run: runId })
  expect(now.data).toMatchObject({ status: 'running', ended: false, running: 1, counts: { ok: 1 } })
  const still = await host.call('workflow_wait', { run: '1', timeout_seconds: 0 })
  expect(still).toMatchObject({ data: { ended: false }, text: expect.stringContaining('Wait again') })

  const stopped = await host.call('workflow_stop', { run: runId })
  expect(stopped.data).toMatchObject({ status: 'killed', ended: true, canResume: true })
  expect((await host.call('workflow_stop', { run: runId })).text).toContain('It had ended already.')

  const path = String(host.project.write('mended.js', HANGS.replace('[[hang]]', '[[text:x]]')))
  const resumed = await host.call('workflow_resume', { run: runId, path: 'mended.js' })
  expect(resumed).toMatchObject({ isError: false, data: { runId, number: 1 } })
  const end = await host.ended(runId)
  expect(end).toMatchObject({ status: 'completed', attempt: 2, counts: { replayed: 1, live: 1 }, returnValue: 'saved' })

  const again = await host.call('workflow_run', { resumeFromRunId: runId, path })
  expect(again).toMatchObject({ isError: false, data: { runId, scriptPath: path } })
  expect(await host.ended(runId)).toMatchObject({ attempt: 3, counts: { replayed: 2, live: 0 } })

  const repeated = await host.call('workflow_resume', { run: 'last', from: 3, policy: 'prefix', path })
  expect(repeated).toMatchObject({ isError: false, text: expect.stringContaining('Going on') })
  expect(await host.ended(runId)).toMatchObject({ attempt: 4, counts: { replayed: 1, live: 1 } })
})

test('when the host goes, a run in progress is stopped and kept', async () => {
  const project = new TestProject()
  const host = await Host.start([], project)
  const runId = await host.run(HANGS)
  await until(() => project.results(runId) === 1)
  const { pid } = host.transport
  await host.client.close() // closes stdin; a server that stays is killed only seconds after
  expect(pid).not.toBeNull()
  expect(isGone(Number(pid))).toBe(true)
  expect(await project.json('show', runId)).toMatchObject({ status: 'killed', counts: { ok: 1 } })
})

test('a signal ends the server at once, and the run is kept all the same', async () => {
  const project = new TestProject()
  const host = await Host.start([], project)
  const runId = await host.run(HANGS)
  await until(() => project.results(runId) === 1)
  const closed = new Promise<void>((resolve) => {
    host.client.onclose = resolve
  })
  process.kill(Number(host.transport.pid), 'SIGTERM')
  await closed
  expect(await project.json('show', runId)).toMatchObject({ status: 'killed', counts: { ok: 1 } })
})

test('calls that were cut off with their server are asked about, and can be skipped', async () => {
  const project = new TestProject()
  const first = await Host.start(['--yes'], project)
  const { data } = await first.call('workflow_run', { script: "return agent('touch began; sleep 20', { label: 'nap' })\n", agent: 'shell' })
  const run = String(data['runId'])
  await until(() => existsSync(join(project.folder, 'began')))
  const pid = Number(first.transport.pid)
  process.kill(pid, 'SIGKILL')
  const second = await Host.start([], project)
  await until(() => isGone(pid))
  expect(await second.ended(run)).toMatchObject({ status: 'interrupted', ended: true, canResume: true })
  const refused = await second.call('workflow_resume', { run })
  expect(refused).toMatchObject({ isError: true, code: 'in-flight', text: expect.stringMatching(/1 “nap”.*in_flight “repeat” or “skip”/) })
  expect(await second.call('workflow_run', { resumeFromRunId: run })).toMatchObject({ isError: true, code: 'in-flight' })
  expect((await second.call('workflow_run', { resumeFromRunId: run, in_flight: 'skip' })).isError).toBe(false)
  expect(await second.ended(run)).toMatchObject({ status: 'completed', attempt: 2, counts: { skipped: 1 } })
})

test('a script that throws is told of with its place, a call that died with its reason', async () => {
  const host = await Host.start()
  const runId = await host.run("await agent('[[die:no luck]] try', { label: 'tries', retries: 0 })\nthrow new Error('boom')\n")
  const { data, text } = await host.call('workflow_wait', { run: runId })
  expect(data).toMatchObject({
    status: 'failed',
    title: 'Untitled script',
    failed: [{ call: 1, title: 'tries', why: expect.stringContaining('no luck') }],
    error: { code: 'script-error', line: 2, message: expect.stringContaining('boom') },
  })
  expect(text).toMatch(/\.js:2:\d+: .*boom.* Go on with workflow_resume/)
})

test('the same request id starts one run', async () => {
  const host = await Host.start()
  const runId = await host.run(THREE, { request_id: 'once' })
  const again = await host.call('workflow_run', { script: THREE, agent: 'simulated', request_id: 'once' })
  expect(again).toMatchObject({ data: { runId, existed: true }, text: expect.stringContaining('already made run #1') })
  expect(await host.ended(runId)).toMatchObject({ counts: { live: 3 } })
  expect(host.project.runIds).toEqual([runId])
})

test('a run is a resource, and who subscribed is told of its end', async () => {
  const host = await Host.start()
  const runId = await host.run(HANGS)
  const uri = `reprise://run/${runId}`
  const told = new Promise<string>((resolve) => {
    host.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri))
  })
  await host.client.subscribeResource({ uri })
  await host.call('workflow_stop', { run: runId })
  expect(await told).toBe(uri)
  expect((await host.client.listResources()).resources).toMatchObject([{ uri, mimeType: 'application/json' }])
  const { contents } = await host.client.readResource({ uri })
  expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ runId, status: 'killed' })
  await expect(host.client.readResource({ uri: 'reprise://run/999' })).rejects.toThrow('There is no run “999”')
})

test('a run of another process is followed to its end and can be stopped', async () => {
  const host = await Host.start()
  host.project.write('hangs.js', HANGS)
  const going = host.project.start(['run', 'hangs.js', '--agent', 'simulated', '--json'])
  await until(() => host.project.runIds.length === 1 && host.project.results(host.project.runIds[0] ?? '') === 1)
  const waiting = host.call('workflow_wait', { run: 'last' })
  expect((await host.call('workflow_stop', { run: 'last' })).isError).toBe(false)
  expect((await waiting).data).toMatchObject({ status: 'killed', ended: true })
  await going.ended
})

test('a server that only looks offers no way to act, and keeps no text', async () => {
  const project = new TestProject()
  project.write('.claude/workflows/triage.js', THREE)
  await project.run(['run', 'triage', '--agent', 'simulated'])
  const host = await Host.start(['--read-only'], project)
  const { tools } = await host.client.listTools()
  expect(tools.map(({ name }) => name).sort()).toEqual(['workflow_list', 'workflow_status', 'workflow_wait'])
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
  expect((await host.call('workflow_run', { name: 'triage', agent: 'simulated' })).isError).toBe(true)
  expect((await host.call('workflow_status')).data).toMatchObject({ status: 'completed', number: 1 })
  expect(project.runIds).toHaveLength(1)
  expect(existsSync(join(project.outside, 'data', 'scripts'))).toBe(false)
})

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}
