/** Gates, sleeps and checks through the built command: processes that leave, decisions from elsewhere, and the way on. */
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ResumePlan } from '../../shared/run/plan.ts'
import type { RunView } from '../../shared/run/view.ts'
import { TestProject, until } from '../support/reprise.ts'

let project: TestProject
beforeEach(() => {
  project = new TestProject()
})
afterEach(() => project.remove())

const GATED = `const plan = await agent('plan')
const decided = await gate('Ship it?', { options: ['ship', 'hold'], show: plan, label: 'ship' })
return { ...decided, at: typeof decided.at, after: await agent('after ' + decided.choice) }`

const end = (runId: string) =>
  readFileSync(project.journal(runId), 'utf8')
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { t: string; end?: object })
    .findLast((record) => record.t === 'end')?.end

describe('a run that has nothing left but a gate, with nobody at the terminal', { timeout: 60_000 }, () => {
  test('leaves with exit 4 and says how to decide; approved from another process, the resume has the decision, once (R37)', async () => {
    const script = project.write('gated.js', GATED)
    const left = await project.run(['run', script, '--agent', 'simulated', '--json'])
    expect(left.code).toBe(4)
    const document = JSON.parse(left.stdout)
    expect(document).toMatchObject({ status: 'waiting', reason: 'gate', gates: [{ callId: 2, options: ['ship', 'hold'] }] })
    expect(left.stderr).toContain(`reprise approve ${document.runId} --choice ship --resume`)
    expect(end(document.runId)).toMatchObject({ status: 'waiting', reason: 'gate' })
    const [row] = await project.json<{ status: string; sentence: string }[]>('list')
    expect(row).toMatchObject({ status: 'waiting', sentence: 'ship' })

    const wrong = await project.run(['approve', 'last', '--choice', 'perhaps'])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('“ship”, “hold”')])
    const asked = await project.run(['approve', 'last'])
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('--choice')])

    const approved = await project.run(['approve', 'last', 'ship', '--choice', 'ship', '--note', 'go on'])
    expect([approved.code, approved.stderr]).toEqual([0, expect.stringContaining('reprise resume')])
    const view = await project.json<RunView>('show', 'last')
    expect(view).toMatchObject({ status: 'waiting', calls: [{ status: 'ok' }, { status: 'ok', summary: 'ship' }] })
    expect(view.allowedActions).not.toContain('decide')
    expect((await project.run(['approve', 'last', 'ship', '--choice', 'hold'])).code).toBe(2)

    const plan = await project.json<ResumePlan>('plan', 'last')
    expect([plan.replayed.length, plan.certainLive.map((call) => call.title)]).toEqual([2, ['after ship']])
    const done = await project.json('resume', 'last')
    expect(done).toMatchObject({
      status: 'completed',
      returnValue: { choice: 'ship', note: 'go on', by: 'command line', at: 'number', after: '[simulated] after ship' },
      counts: { ok: 2, replayed: 1, live: 1 },
    })
    expect(project.started).toEqual(['plan', 'after ship'])
    expect((await project.json('resume', 'last')).returnValue).toEqual(done.returnValue)
  })

  test('goes on at once with --resume', async () => {
    const script = project.write('gated.js', GATED)
    expect((await project.run(['run', script, '--agent', 'simulated'])).code).toBe(4)
    expect(await project.json('approve', 'last', '--choice', 'hold', '--resume')).toMatchObject({
      status: 'completed',
      returnValue: { choice: 'hold', after: '[simulated] after hold' },
    })
  })

  test('can be stopped where it was left, and resumed to be asked again', async () => {
    const script = project.write('gated.js', GATED)
    await project.run(['run', script, '--agent', 'simulated'])
    expect((await project.run(['stop', 'last'])).code).toBe(0)
    const stopped = await project.json<RunView>('show', 'last')
    expect([stopped.status, stopped.calls.length]).toEqual(['killed', 2])
    expect((await project.run(['approve', 'last', 'ship', '--choice', 'ship'])).code).toBe(2)
    expect((await project.run(['resume', 'last'])).code).toBe(4)
  })
})

test('a gate of a run that another process works on is decided there, while its other calls go on', { timeout: 60_000 }, async () => {
  const script = project.write(
    'both.js',
    `const [decided, slow] = await parallel([() => gate('Now?'), () => agent('slow [[delay:4000]]')]); return [decided.choice, slow]`,
  )
  const going = project.start(['run', script, '--agent', 'simulated', '--json'])
  await until(() => project.started.length === 1)
  expect((await project.run(['approve', 'last', '--choice', 'approve'])).stderr).toContain('The run goes on')
  const done = await going.ended
  expect(JSON.parse(done.stdout)).toMatchObject({ status: 'completed', returnValue: ['approve', '[simulated] slow'] })
})

describe('a sleep', { timeout: 60_000 }, () => {
  test('of more than a minute lets the process leave with exit 4, and a killed one waits for the rest only', async () => {
    const script = project.write('nap.js', `await agent('a'); await sleep(3_600_000); return 'rested'`)
    const left = await project.run(['run', script, '--agent', 'simulated', '--json'])
    expect([left.code, JSON.parse(left.stdout)]).toMatchObject([4, { status: 'waiting', reason: 'sleep', until: expect.any(String) }])
    const { runId } = JSON.parse(left.stdout)
    const first = end(runId)
    expect(first).toMatchObject({ status: 'waiting', reason: 'sleep' })
    expect((await project.run(['resume', runId])).code).toBe(4)
    expect(end(runId)).toEqual(first)
    expect(project.started).toEqual(['a'])
  })

  test('is stopped at once', async () => {
    const script = project.write('short.js', `await agent('a'); await sleep(50_000); return 'rested'`)
    const going = project.start(['run', script, '--agent', 'simulated', '--json'])
    await until(() => project.runIds.length > 0 && project.results(project.runIds[0] ?? '') === 1)
    going.child.kill('SIGINT')
    const stopped = await going.ended
    expect([stopped.code, JSON.parse(stopped.stdout).status]).toEqual([130, 'killed'])
  })
})

describe('a check', { timeout: 60_000 }, () => {
  test('runs a command of the project as evidence and is replayed, not repeated', async () => {
    const script = project.write(
      'check.js',
      `const one = await check('sh -c "echo x >> ran.txt; cat ran.txt; exit 3"'); return [one.exitCode, one.stdout]`,
    )
    expect((await project.run(['run', script])).code).toBe(2)
    expect(await project.json('run', script, '--yes')).toMatchObject({ returnValue: [3, 'x\n'], counts: { ok: 1, live: 1 } })
    expect(await project.json('resume', 'last')).toMatchObject({ returnValue: [3, 'x\n'], counts: { replayed: 1, live: 0 } })
  })

  test('touches nothing in a simulated run', async () => {
    const script = project.write('check.js', `const one = await check('touch made.txt'); return [one.exitCode, one.stdout]`)
    expect(await project.json('run', script, '--agent', 'simulated')).toMatchObject({ returnValue: [0, ''] })
    expect(() => readFileSync(`${project.folder}/made.txt`)).toThrow()
  })

  test('that was running at a crash is asked about, unless it may be repeated', async () => {
    const line = (repeatable: boolean) =>
      `return (await check('sh -c "echo x >> ran.txt; sleep 2"', { repeatable: ${repeatable} })).exitCode`
    for (const repeatable of [false, true]) {
      project.write('ran.txt', '')
      const script = project.write(`check-${repeatable}.js`, line(repeatable))
      const going = project.start(['run', script, '--yes'])
      await until(() => readFileSync(`${project.folder}/ran.txt`, 'utf8') !== '')
      going.child.kill('SIGKILL')
      await going.ended
      const resumed = await project.run(['resume', 'last', '--json'])
      expect(resumed.code).toBe(repeatable ? 0 : 4)
    }
  })
})
