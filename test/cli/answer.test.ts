/** Permissions that an agent asks for, answered from another terminal and in place. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { main } from '../../main/cli/main.ts'
import type { NewEvent } from '../../shared/run/events.ts'
import type { RunView } from '../../shared/run/view.ts'
import { TestProject, until } from '../support/reprise.ts'
import { fakeIo } from './fake-io.ts'
import { ended, fakeService, liveRun, queued, runEnded, started, stream } from './fake-service.ts'

describe('a question that an agent of another process asks', { timeout: 60_000 }, () => {
  let project: TestProject
  beforeEach(() => {
    project = new TestProject()
  })
  afterEach(() => project.remove())

  test('is shown, and answered once from here, and the agent goes on by the answer', async () => {
    const script = project.write('ask.js', `return agent('edit [[ask:Write]] [[ask:Bash]]', { label: 'edit' })`)
    const going = project.start(['run', script, '--agent', 'simulated'])
    await until(() => project.started.length === 1)
    const asks = async (tool: string): Promise<RunView> => {
      for (;;) {
        const view = await project.json<RunView>('show', 'last')
        if (view.calls[0]?.questions?.[0]?.tool === tool) return view
      }
    }
    const view = await asks('Write')
    expect([view.calls[0]?.status, view.allowedActions]).toEqual(['waiting', expect.arrayContaining(['answer', 'stop'])])
    expect((await project.run(['show', 'last'])).stdout).toContain(`reprise answer ${view.runId} 1 allow`)
    expect(await project.json('answer', 'last', 'allow')).toMatchObject({ callId: 1, answer: 'allow-once', outcome: 'accepted' })
    await asks('Bash')
    const wrong = await project.run(['answer', 'last', 'perhaps'])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('“allow”, “always” or “deny”')])
    const denied = await project.run(['answer', 'last', 'edit', 'deny'])
    expect([denied.code, denied.stderr]).toEqual([0, expect.stringContaining('Denied: Use Bash')])
    const done = await going.ended
    expect([done.code, done.stdout]).toEqual([0, '[simulated] edit\n'])
    expect(done.stderr).toContain('Answer within ten minutes')
    const answers = (await project.run(['logs', 'last', '--json'])).stdout
      .split('\n')
      .filter((line) => line.includes('permission.answered'))
      .map((line) => JSON.parse(line) as { answer: string; by: string })
    expect(answers).toMatchObject([
      { answer: 'allow-once', by: 'command line' },
      { answer: 'deny', by: 'command line' },
    ])
    const late = await project.run(['answer', 'last', 'allow'])
    expect([late.code, late.stderr]).toEqual([2, expect.stringContaining('asks nothing just now')])
  })
})

test('a tool allowed for good from another process is asked for no more', { timeout: 60_000 }, async () => {
  const project = new TestProject()
  const script = project.write('ask.js', `return agent('edit [[ask:Write]] [[ask:Write]]', { label: 'edit' })`)
  const going = project.start(['run', script, '--agent', 'simulated'])
  await until(() => project.started.length === 1)
  let asks = false
  while (!asks) asks = ((await project.json<RunView>('show', 'last')).calls[0]?.questions ?? []).length > 0
  expect(await project.json('answer', 'last', 'always')).toMatchObject({ answer: 'allow-always', outcome: 'accepted' })
  expect((await going.ended).code).toBe(0)
  const asked = (await project.run(['logs', 'last', '--json'])).stdout.split('\n').filter((line) => line.includes('permission.asked'))
  expect(asked).toHaveLength(1)
  project.remove()
})

describe('at a terminal', () => {
  const asked: NewEvent[] = [
    started,
    queued(1, 'edit'),
    { type: 'call.started', callId: 1, generation: 1, worker: 'local' },
    { type: 'permission.asked', callId: 1, question: 'q1', tool: 'Write', title: 'Write \u001b[31mnotes.txt' },
  ]
  async function answered(...types: string[]) {
    const screen = fakeIo({ tty: true, types, env: { NO_COLOR: '1' } })
    const given: string[] = []
    const fake = fakeService({
      launch: async () => {
        const live = liveRun(stream(asked), fake.asked, { endsWith: () => stream([...asked, ended(1), runEnded()]).slice(asked.length) })
        hang = () => live.stop('keep')
        return live
      },
      async answer(_, __, question, answer, by) {
        given.push(`${question} ${answer} ${by}`)
        hang()
        return 'accepted'
      },
    })
    let hang = (): void => undefined
    const code = main(['run', './triage.ts', '--agent', 'simulated'], screen.io, fake.open)
    if (types.includes('')) {
      while (!screen.stderr().includes('stays open')) await new Promise((resolve) => setImmediate(resolve))
      hang()
    }
    return { code: await code, given, stderr: screen.stderr() }
  }

  test.each([
    [['y'], 'allow-once'],
    [['a'], 'allow-always'],
    [['allow'], 'allow-once'],
    [['deny'], 'deny'],
    [['perhaps', 'no'], 'deny'],
  ])('the person is asked in place, and %j means %s', async (types, answer) => {
    const { given, stderr } = await answered(...types)
    expect(given).toEqual([`q1 ${answer} terminal`])
    expect(stderr).toContain('Call 1 wants to use Write: Write notes.txt')
  })

  test('an empty line leaves the question open and says how to answer it from elsewhere', async () => {
    const { given, stderr } = await answered('')
    expect([given, stderr]).toEqual([[], expect.stringMatching(/with allow, always or deny: reprise answer \S+ 1 allow/)])
  })
})
