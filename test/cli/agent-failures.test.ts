/** What a run does when a real program's quota ends, or its answers do not fit. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type RunDocument, TestProject, until } from '../support/reprise.ts'

const AGENT = join(import.meta.dirname, 'fixtures/counting-agent.mjs')

let project: TestProject
beforeEach(() => {
  project = new TestProject()
})
afterEach(() => project.remove())

/** An agent that counts its starts in a file and fails or errs as told. */
function setUp(env: Record<string, string>, more: object = {}): void {
  const agent = { name: 'mine', backend: 'command', command: process.execPath, args: [AGENT] }
  const profile = { ...agent, env: { COUNT: join(project.outside, 'count'), ...env }, ...more }
  project.write('.claude/reprise.json', JSON.stringify({ profiles: [profile] }))
}

const reprise = (...args: string[]) => project.run(args)
const documentOf = (stdout: string) => JSON.parse(stdout) as RunDocument

test('a quota that ends at call 5 of 40 pauses the run with its reset time; a resume does only what is left', {
  timeout: 60_000,
}, async () => {
  setUp({ QUOTA_FROM: '5' })
  const script = project.write('w.js', "return parallel(Array.from({ length: 40 }, (_, i) => () => agent('task ' + i)))")
  const run = await reprise('run', script, '--agent', 'mine', '--concurrency', '3', '--yes', '--json')
  expect(run.code).toBe(4)
  const first = documentOf(run.stdout)
  expect(first).toMatchObject({ status: 'paused', counts: { dead: 0 } })
  const { ok } = first.counts
  // Two that start together may both see that it is the fifth.
  expect(ok).toBeLessThanOrEqual(4)
  expect(project.counted('count')).toBeLessThanOrEqual(5 + 3)
  expect((await reprise('show', 'last')).stdout).toMatch(/usage limit reached.*resets 2030-01-31/)
  const before = project.counted('count')
  setUp({})
  const resumed = await reprise('resume', 'last', '--yes', '--json')
  expect(documentOf(resumed.stdout)).toMatchObject({ status: 'completed', counts: { ok: 40, dead: 0, replayed: ok, live: 40 - ok } })
  expect(documentOf(resumed.stdout).returnValue).toEqual(Array.from({ length: 40 }, (_, i) => `did task ${i}`))
  expect(project.counted('count') - before).toBe(40 - ok)
})

test('an answer that breaks the schema twice is asked again; for ever, the call dies with the path that is wrong', {
  timeout: 60_000,
}, async () => {
  const schema = "{ type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }"
  const script = project.write('w.js', `return agent('number', { label: 'n', schema: ${schema} })`)
  setUp({ WRONG: '2' })
  const good = await reprise('run', script, '--agent', 'mine', '--yes', '--json')
  expect(documentOf(good.stdout)).toMatchObject({ status: 'completed', returnValue: { n: 3 } })
  expect((await reprise('show', 'last', '--call', 'n')).stdout).toContain('3 tries')
  setUp({ WRONG: '99' })
  const bad = await reprise('run', script, '--agent', 'mine', '--yes', '--json')
  expect(documentOf(bad.stdout)).toMatchObject({ status: 'completed', returnValue: null, counts: { dead: 1 } })
  expect((await reprise('show', 'last', '--call', 'n')).stdout).toMatch(/Died: its answer did not fit the schema\. .*\/n/)
})

test('a call that was cut off goes on without a question when its agent only reads, and is asked about when it may write', {
  timeout: 60_000,
}, async () => {
  const script = project.write('w.js', "return [await agent('first'), await agent('slow')]")
  for (const readOnly of [false, true]) {
    setUp({ SLOW_AT: '2' }, { readOnly })
    const run = project.start(['run', script, '--agent', 'mine', '--yes'])
    await until(() => project.counted('count') === 2)
    run.child.kill('SIGKILL')
    await run.ended
    const resumed = await reprise('resume', 'last', '--json')
    if (!readOnly) expect(resumed).toMatchObject({ code: 4, stderr: expect.stringContaining('--in-flight repeat|skip|continue') })
    const done = readOnly ? resumed : await reprise('resume', 'last', '--in-flight', 'continue', '--json')
    expect(documentOf(done.stdout)).toMatchObject({ status: 'completed', returnValue: ['did first', 'did slow'] })
    rmSync(join(project.outside, 'count'))
  }
})
