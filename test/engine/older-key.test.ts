import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { olderKey } from '../../main/engine/older-key.ts'
import type { ResumePlan } from '../../shared/run/plan.ts'
import { TestProject } from '../support/reprise.ts'

/** The key as older tools make it, of keys in sorted order. */
const key = (prompt: string, json: string): string => createHash('sha256').update(`${prompt}\n${json}`).digest('hex')

describe('the older key of a call', () => {
  const known = new Set([`older:${key('p', '{"model":"m","prompt":"p","schema":{"b":1,"a":2}}')}`])

  test('has its keys sorted at the top level only, without label, phase and what is undefined', () => {
    const options = { schema: { b: 1, a: 2 }, phase: 'P', model: 'm', label: 'L', effort: undefined }
    expect(olderKey('p', options, known)).toBe([...known][0])
    expect(olderKey('p', { ...options, schema: { a: 2, b: 1 } }, known)).toBeNull()
    expect(olderKey('p', { ...options, effort: 'low' }, known)).toBeNull()
    expect(olderKey('q', options, known)).toBeNull()
  })

  test('is none for options that JSON can not say, and where nothing older was recorded', () => {
    expect(olderKey('p', { big: 5n }, known)).toBeNull()
    expect(olderKey('p', { schema: { b: 1, a: 2 }, model: 'm' }, new Set())).toBeNull()
  })
})

describe('a run of an older tool', () => {
  let project: TestProject
  beforeEach(() => {
    project = new TestProject()
  })
  afterEach(() => project.remove())

  function olderRun(lines: object[]): string {
    const folder = join(project.runsFolder, 'wf_older-1')
    mkdirSync(folder, { recursive: true })
    const run = {
      runId: 'wf_older-1',
      workflowName: 'audit',
      status: 'failed',
      startedAt: 5,
      updatedAt: 9,
      error: 'no',
      phases: [],
      agents: [],
    }
    writeFileSync(join(folder, 'state.json'), JSON.stringify({ schemaVersion: 1, run }))
    writeFileSync(join(folder, 'journal.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    return 'wf_older-1'
  }

  const SCRIPT = `const first = await Promise.race([agent('slow', { label: 'new name' }), agent('fast')])
const kept = await agent('kept [[delay:5]]', { model: 'haiku', color: 'red', phase: 'P' })
return { first, kept, twice: [await agent('twice'), await agent('twice')], died: await agent('died'), fresh: await agent('fresh') }
`

  test('goes on with its recorded results in their order; what died and what is new runs', async () => {
    project.write('.claude/workflows/audit.js', SCRIPT)
    const runId = olderRun([
      { key: key('slow', '{"prompt":"slow"}'), seq: 2, result: 'SLOW' },
      { key: key('fast', '{"prompt":"fast"}'), seq: 1, result: 'FAST' },
      { key: key('kept [[delay:5]]', '{"color":"red","model":"haiku","prompt":"kept [[delay:5]]"}'), seq: 3, result: { x: 1 } },
      { key: key('twice', '{"prompt":"twice"}'), seq: 4, result: 'one' },
      { key: key('twice', '{"prompt":"twice"}'), seq: 5, result: 'two' },
      { key: key('died', '{"prompt":"died"}'), seq: 6, dead: 'timeout' },
    ])
    const plan = await project.json<ResumePlan>('plan', runId, '--agent', 'simulated')
    expect([plan.replayed.length, plan.certainLive.map(({ why }) => why)]).toEqual([5, ['died-last-time']])

    const value = { first: 'FAST', kept: { x: 1 }, twice: ['one', 'two'], died: '[simulated] died', fresh: '[simulated] fresh' }
    const done = await project.json('resume', runId, '--agent', 'simulated')
    expect(done).toMatchObject({ status: 'completed', number: 1, attempt: 2, returnValue: value, counts: { replayed: 5, live: 2 } })
    expect(project.started).toEqual(['died', 'fresh'])

    const again = await project.json('resume', runId)
    expect(again).toMatchObject({ status: 'completed', returnValue: value, counts: { replayed: 7, live: 0 } })
    expect(project.started).toHaveLength(2)
    expect(await project.json<object[]>('list')).toMatchObject([{ runId, number: 1, title: 'audit', status: 'completed' }])
  })

  test('asks for an agent, and for its script when the project has none of that name', async () => {
    const runId = olderRun([])
    const missing = await project.run(['resume', runId, '--agent', 'simulated'])
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringMatching(/^[^\n]*audit\.js[^\n]*\n$/)])
    project.write('other.js', 'return agent("x")')
    const unset = await project.run(['resume', runId, '--file', 'other.js'])
    expect([unset.code, unset.stderr]).toEqual([2, expect.stringContaining('--agent simulated')])
    expect(await project.json('resume', runId, '--file', 'other.js', '--agent', 'simulated')).toMatchObject({ status: 'completed' })
  })
})
