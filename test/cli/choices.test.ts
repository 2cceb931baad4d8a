/** What a person chooses for all calls of a run, through the built command. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TestProject } from '../support/reprise.ts'

let project: TestProject
beforeEach(() => {
  project = new TestProject()
})
afterEach(() => project.remove())

const choices = (runId: string): unknown[] =>
  readFileSync(project.journal(runId), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"t":"attempt"'))
    .map((line) => (JSON.parse(line) as { choices?: unknown }).choices)

describe('how free agents are', { timeout: 60_000 }, () => {
  const ASKS = `return agent('edit [[ask:Write]]', { label: 'edit' })`

  test('is chosen for the run, recorded, and holds on a resume that says nothing else', async () => {
    const script = project.write('ask.js', ASKS)
    const run = await project.json('run', script, '--agent', 'simulated', '--permissions', 'full')
    expect(run).toMatchObject({ status: 'completed' })
    await project.json('resume', 'last', '--from', 'edit')
    await project.json('resume', 'last', '--from', 'edit', '--permissions', 'allow-listed')
    expect(choices(run.runId)).toEqual([{ permissions: 'full' }, { permissions: 'full' }, { permissions: 'allow-listed' }])
    const asked = (await project.run(['logs', 'last', '--json'])).stdout.includes('permission.asked')
    expect(asked).toBe(false)
  })

  test('is not recorded where nothing was chosen', async () => {
    const { runId } = await project.json('run', project.write('a.js', `return 1`), '--agent', 'simulated')
    expect(choices(runId)).toEqual([undefined])
  })
})

describe('a program as an agent', { timeout: 60_000 }, () => {
  beforeEach(() => {
    chmodSync(project.write('bot.sh', `#!/bin/sh\necho done`), 0o755)
    const bot = { name: 'bot', backend: 'command', command: `${project.folder}/bot.sh`, models: ['m1'] }
    project.write('.claude/reprise.json', JSON.stringify({ profiles: [bot] }))
  })

  test('gets a model that it has; another one is refused before anything starts, with those that it has', async () => {
    const script = project.write('a.js', `return agent('hello')`)
    expect((await project.run(['run', script, '--agent', 'bot', '--model', 'm1', '--yes'])).code).toBe(0)
    const refused = await project.run(['run', script, '--agent', 'bot', '--model', 'm9', '--yes'])
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/no model "m9".*m1/)])
    expect(project.runIds).toHaveLength(1)
    const again = await project.run(['resume', 'last', '--model', 'm9', '--from', '1'])
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('m9')])
  })

  test('without prices can have no limit on money, and says what to do', async () => {
    const script = project.write('a.js', `return agent('hello')`)
    const refused = await project.run(['run', script, '--agent', 'bot', '--max-cost', '0.5', '--yes'])
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/“bot” costs.*\$0\.5.*--budget/)])
    expect(project.runIds).toEqual([])
  })
})

describe('after which silence an agent is stuck', { timeout: 60_000 }, () => {
  const limitOf = (runId: string): unknown =>
    (JSON.parse(readFileSync(join(project.runsFolder, runId, 'run.json'), 'utf8')) as { limits: { stallMs: unknown } }).limits.stallMs
  const started = async (...args: string[]) =>
    limitOf((await project.json('run', project.write('a.js', 'return 1'), '--agent', 'simulated', ...args)).runId)

  test('is said for the run, or in the settings, else twenty minutes', async () => {
    expect(await started()).toBe(20 * 60_000)
    expect([await started('--stall-after', '5'), await started('--stall-after', '0')]).toEqual([5 * 60_000, null])
    const settings = join(project.outside, 'data', 'settings.json')
    mkdirSync(dirname(settings), { recursive: true })
    writeFileSync(settings, JSON.stringify({ schemaVersion: 1, data: { stallMinutes: 7 } }))
    expect([await started(), await started('--stall-after', '5')]).toEqual([7 * 60_000, 5 * 60_000])
    writeFileSync(settings, JSON.stringify({ schemaVersion: 1, data: { stallMinutes: null } }))
    expect(await started()).toBe(null)
    // A row that can't be read is as if it were not there.
    writeFileSync(settings, JSON.stringify({ schemaVersion: 1, data: { stallMinutes: 'soon' } }))
    expect(await started()).toBe(20 * 60_000)
  })
})
