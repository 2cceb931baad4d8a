/** Skip and retry through the built command: of a run that another process works on, and of one that nobody does. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RunView } from '../../shared/run/view.ts'
import { TestProject, until } from '../support/reprise.ts'

let project: TestProject
beforeEach(() => {
  project = new TestProject()
})
afterEach(() => project.remove())

const TWO = `const a = await agent('quick', { label: 'quick' })
const b = await agent('slow [[delay:600000]]', { label: 'slow' })
return [a, b]`

describe('a run that another process works on', { timeout: 60_000 }, () => {
  test('starts a call again when told to, and goes on without its answer when told that', async () => {
    const going = project.start(['run', project.write('two.js', TWO), '--agent', 'simulated', '--json'])
    await until(() => project.started.length === 2)
    const again = await project.run(['retry', 'last', 'slow'])
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('Call 2 “slow” is started again')])
    await until(() => project.started.length === 3)
    expect(await project.json('skip', 'last', 'slow')).toMatchObject({ callId: 2, outcome: 'accepted' })
    expect(JSON.parse((await going.ended).stdout)).toMatchObject({ status: 'completed', returnValue: ['[simulated] quick', null] })
    expect(project.started).toEqual(['quick', 'slow [[delay:600000]]', 'slow [[delay:600000]]'])
  })

  test('leaves a call that has ended as it is, and says how to run it again', async () => {
    const going = project.start(['run', project.write('two.js', TWO), '--agent', 'simulated'])
    await until(() => project.started.length === 2)
    for (const verb of ['skip', 'retry']) {
      const late = await project.run([verb, 'last', 'quick'])
      expect([late.code, late.stderr]).toEqual([2, expect.stringContaining('--from 1')])
    }
    const unknown = await project.run(['skip', 'last', 'nope'])
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('has no call “nope”')])
    going.child.kill('SIGINT')
    await going.ended
  })

  test('does not start a gate again', async () => {
    const going = project.start(['run', project.write('g.js', `return gate('Now?', { label: 'now' })`), '--agent', 'simulated'])
    await until(() => project.runIds.length === 1)
    await going.ended
    const refused = await project.run(['retry', 'last', 'now'])
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('is not at work')])
  })
})

describe('a run whose process was killed', { timeout: 60_000 }, () => {
  test('goes on without the call that was skipped meanwhile, and asks it nothing', async () => {
    const going = project.start(['run', project.write('two.js', TWO), '--agent', 'simulated'])
    await until(() => project.started.length === 2)
    await project.killAt(going, 1)
    expect((await project.run(['retry', 'last', 'slow'])).code).toBe(2)
    const skipped = await project.run(['skip', 'last', 'slow'])
    expect([skipped.code, skipped.stderr]).toEqual([0, expect.stringContaining('reprise resume')])
    const view = await project.json<RunView>('show', 'last')
    expect([view.status, view.reason, view.calls.map((call) => call.status)]).toEqual(['waiting', 'in-flight', ['ok', 'skipped']])
    expect(await project.json<{ outcome: string }>('skip', 'last', 'slow')).toMatchObject({ outcome: 'ended' })
    expect(await project.json('resume', 'last')).toMatchObject({ status: 'completed', returnValue: ['[simulated] quick', null] })
    expect(project.started).toEqual(['quick', 'slow [[delay:600000]]'])
  })

  test('stays stopped when a call of it is skipped after a stop', async () => {
    const going = project.start(['run', project.write('two.js', TWO), '--agent', 'simulated'])
    await until(() => project.started.length === 2)
    going.child.kill('SIGINT')
    await going.ended
    expect((await project.run(['skip', 'last', 'slow'])).code).toBe(0)
    expect((await project.json<RunView>('show', 'last')).status).toBe('killed')
    expect(await project.json('resume', 'last')).toMatchObject({ status: 'completed', returnValue: ['[simulated] quick', null] })
  })
})
