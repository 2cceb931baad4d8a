/** `run --dry-run` through the built command: everything is asked, nothing is started, nothing is left behind. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TestProject } from '../support/reprise.ts'

let project: TestProject
beforeEach(() => {
  project = new TestProject()
})
afterEach(() => project.remove())

const WHOLE = `export const meta = { name: 'whole', phases: ['Plan', 'Do'] }
phase('Plan')
const plan = await agent('plan it', { label: 'plan', schema: { type: 'object', properties: { steps: { type: 'array' } }, required: ['steps'] } })
const chosen = await gate('Ship it?', { options: ['ship', 'hold'] })
await sleep(86_400_000)
phase('Do')
const one = await check('touch made.txt')
const all = await parallel([1, 2].map((i) => () => agent('do ' + i, { label: 'do ' + i, agentType: 'shell' })))
return { steps: plan.steps.length, chosen: chosen.choice, exit: one.exitCode, all: all.length }`

interface Document {
  dryRun: boolean
  status: string
  calls: { kind: string; label: string | null; phase: string | null }[]
  estimate: { calls: number; outputTokens: number | null; runs: number }
  returnValue: unknown
}

describe('a dry run', { timeout: 60_000 }, () => {
  test('goes through the whole script, shows each call, and leaves no run and no file', async () => {
    const script = project.write('whole.js', WHOLE)
    const dry = await project.run(['run', script, '--dry-run'])
    expect(dry.code).toBe(0)
    for (const word of ['agent  plan', 'gate  Ship it?', 'sleep', 'check  touch made.txt', 'agent  do 1', 'agent  do 2'])
      expect(dry.stdout).toContain(word)
    expect(dry.stderr).toContain('A real run would make 4 calls')
    expect([project.runIds, existsSync(project.runsFolder), existsSync(join(project.folder, 'made.txt'))]).toEqual([[], false, false])
    const document = await project.json<Document>('run', script, '--dry-run')
    expect(document).toMatchObject({
      dryRun: true,
      status: 'completed',
      returnValue: { steps: 0, chosen: 'ship', exit: 0, all: 2 },
      estimate: { calls: 4, outputTokens: null, runs: 0 },
    })
    expect(document.calls.map(({ kind, phase }) => `${kind} ${phase}`)).toEqual([
      'agent Plan',
      'gate Plan',
      'sleep Plan',
      'check Do',
      'agent Do',
      'agent Do',
    ])
  })

  test('needs no trust and no agent to be chosen, and trusts nothing', async () => {
    const script = project.write('whole.js', WHOLE)
    expect((await project.run(['run', script, '--dry-run'])).code).toBe(0)
    const real = await project.run(['run', script, '--agent', 'shell'])
    expect([real.code, real.stderr]).toEqual([2, expect.stringContaining('--yes')])
  })

  test('estimates tokens by what earlier real runs of the file took', async () => {
    const script = project.write('a.js', `return parallel([1, 2].map((i) => () => agent('echo ' + i)))`)
    expect((await project.run(['run', script, '--agent', 'shell', '--yes'])).code).toBe(0)
    expect((await project.json<Document>('run', script, '--dry-run')).estimate).toEqual({ calls: 2, outputTokens: 0, runs: 1 })
  })

  test('of a script that fails says where, with exit 1', async () => {
    const dry = await project.run(['run', project.write('e.js', `await agent('x')\nthrow new Error('boom')`), '--dry-run'])
    expect([dry.code, dry.stderr]).toEqual([1, expect.stringMatching(/e\.js:2:7: Error: boom/)])
  })

  test('that would poll for ever comes to an end and says why', async () => {
    const script = project.write('p.js', `return wait(async () => { await check('true'); return 'wait' }, { timeoutMs: 1e9 })`)
    const dry = await project.run(['run', script, '--dry-run'])
    expect([dry.code, dry.stderr]).toEqual([130, expect.stringContaining('no dry run brings about')])
  })
})
