import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { AgentCall, AgentContext, AgentOutcome } from '../../main/agents/agent-runner.ts'
import { agentRunners } from '../../main/agents/runners.ts'
import type { CallTask, Clock, Outcome, PermissionQuestion, TaskListener } from '../../main/engine/ports.ts'
import { LocalExecutor, type LocalExecutorOptions } from '../../main/host/local-executor.ts'
import { PERMISSION_MS } from '../../main/host/permissions.ts'
import { Places } from '../../main/host/places.ts'
import { RunId } from '../../shared/ids.ts'
import type { Json } from '../../shared/json.ts'
import { playedBy, temporaryFolder, until } from '../agents/process-fixture.ts'
import { repository } from '../agents/worktree/repository.ts'

const cwd = temporaryFolder()
const STALL_MS = 20 * 60_000
const NO_USAGE = { inputTokens: 0, outputTokens: 0 }

function task(request: Json, more: Partial<CallTask> = {}): CallTask {
  const name = { id: 'run.1.fingerpr.1', runId: 'run', call: 1, attempt: 1, generation: 1, kind: 'agent' as const }
  return { ...name, request, needs: [], workspace: null, timeoutMs: null, repeatable: false, ...more }
}

function executor(more: Partial<LocalExecutorOptions> = {}): LocalExecutor {
  const defaultAgent = more.defaultAgent === undefined ? 'simulated' : more.defaultAgent
  return new LocalExecutor({ cwd, slots: 4, defaultAgent, runners: agentRunners({ project: cwd, data: cwd, defaultAgent }), ...more })
}

/** A runner that the test plays itself. */
function played(run: (call: AgentCall, context: AgentContext) => Promise<AgentOutcome>): LocalExecutorOptions['runners'] {
  return playedBy({ backend: 'played', streams: true, run })
}

/** Everything a listener is told, in order, and how it ended. */
function listener() {
  const told: string[] = []
  const questions: PermissionQuestion[] = []
  let resolve: (outcome: Outcome) => void = () => {}
  const ended = new Promise<Outcome>((settle) => {
    resolve = settle
  })
  const on: TaskListener = {
    started: ({ worker, session }) => told.push(session === undefined ? `started ${worker}` : `session ${session}`),
    event: (event) => told.push(`${event.kind} ${event.text}`),
    asked: (question) => {
      told.push(`asked ${question.tool}`)
      questions.push(question)
    },
    answered: (_, answer) => told.push(`answered ${answer}`),
    ended: (outcome) => {
      told.push(`ended ${outcome.kind}`)
      resolve(outcome)
    },
  }
  return { on, told, questions, ended }
}

/** Time that passes when the test says so. */
function manualClock() {
  let now = 0
  const due = new Set<{ at: number; ring(): void }>()
  const clock: Clock = {
    now: () => now,
    after: (ms, signal) =>
      new Promise((resolve, reject) => {
        const giveUp = () => {
          due.delete(timer)
          reject(signal.reason as Error)
        }
        const ring = () => {
          signal.removeEventListener('abort', giveUp)
          resolve()
        }
        const timer = { at: now + ms, ring }
        due.add(timer)
        signal.addEventListener('abort', giveUp, { once: true })
      }),
  }
  /** In steps of a second, each followed by whatever it set off. */
  async function pass(ms: number): Promise<void> {
    for (const end = now + ms; now < end; ) {
      now = Math.min(end, now + 1000)
      for (const timer of [...due].filter((timer) => timer.at <= now)) {
        due.delete(timer)
        timer.ring()
      }
      await turn()
    }
  }
  return { clock, pass }
}

async function outcomeOf(tasks: LocalExecutor, one: CallTask): Promise<Outcome> {
  const { on, ended } = listener()
  await tasks.accept([one])
  tasks.attach(one.id, on)
  return ended
}

describe('a task', () => {
  test('is told from its start on to everybody who attaches, early or late', async () => {
    const tasks = executor()
    const [early, late] = [listener(), listener()]
    await tasks.accept([task({ prompt: 'Look [[events:2]]' })])
    tasks.attach('run.1.fingerpr.1', early.on)
    const outcome = await early.ended
    tasks.attach('run.1.fingerpr.1', late.on)
    expect(await late.ended).toEqual(outcome)
    expect(early.told).toEqual(['started local', 'text Simulated step 1 of 2', 'text Simulated step 2 of 2', 'ended ok'])
    expect(late.told).toEqual(early.told)
    expect(outcome).toEqual({
      kind: 'ok',
      output: { inline: '[simulated] Look' },
      usage: { inputTokens: 0, outputTokens: 10 },
      cost: 0,
      backend: 'simulated',
    })
  })

  test('that is accepted twice runs once', async () => {
    let runs = 0
    const run = async (): Promise<AgentOutcome> => {
      runs += 1
      return { kind: 'ok', output: 1, usage: NO_USAGE, cost: null }
    }
    const tasks = executor({ runners: played(run) })
    await tasks.accept([task({ prompt: 'x' }), task({ prompt: 'x' })])
    await outcomeOf(tasks, task({ prompt: 'x' }))
    await tasks.accept([task({ prompt: 'x' })])
    expect(runs).toBe(1)
  })

  test('is attached to without being told anything before attach has returned', async () => {
    const tasks = executor()
    await outcomeOf(tasks, task({ prompt: 'x' }))
    const late = listener()
    tasks.attach('run.1.fingerpr.1', late.on)
    expect(late.told).toEqual([])
    await late.ended
  })

  test('that was never accepted here can not be attached to', () => {
    expect(() => executor().attach('run.9.x.1', listener().on)).toThrow('run.9.x.1')
  })

  test('that talks without end is told by its latest thousand events, its start and its end', async () => {
    const tasks = executor()
    await outcomeOf(tasks, task({ prompt: '[[events:1500]] [[delay:0]]' }))
    const late = listener()
    tasks.attach('run.1.fingerpr.1', late.on)
    await late.ended
    expect(late.told.length).toBe(1002)
    expect([late.told[0], late.told[1], late.told[1000]]).toEqual([
      'started local',
      'text Simulated step 501 of 1500',
      'text Simulated step 1500 of 1500',
    ])
  })

  test('gets the call as it was asked, and an environment without our secrets', async () => {
    const seen: [AgentCall, AgentContext][] = []
    const run = async (call: AgentCall, context: AgentContext): Promise<AgentOutcome> => {
      seen.push([call, context])
      return { kind: 'ok', output: null, usage: NO_USAGE, cost: null }
    }
    const request = {
      prompt: 'p',
      schema: { type: 'null' },
      model: 'opus',
      effort: 'low',
      agentType: 'Plan',
      allowedTools: ['Read'],
      maxTokens: 9,
      label: 'l',
    }
    const tasks = executor({ runners: played(run), env: { PATH: '/bin', TOKEN: 's' }, defaultAgent: 'played' })
    await outcomeOf(tasks, task(request, { call: 5, attempt: 2, generation: 3, timeoutMs: 60_000 }))
    const place = { cwd, project: cwd, readOnly: false, permissions: 'ask' }
    expect(seen[0]?.[0]).toEqual({ ...request, ...place, runId: 'run', call: 5, attempt: 2, generation: 3, timeoutMs: 60_000 })
    expect(seen[0]?.[1].env).toEqual({ PATH: '/bin', REPRISE_RUN: 'run', REPRISE_CALL: '5', REPRISE_PROJECT: cwd })
  })

  test('sees the variables and secrets of its profile, and what it says of them is masked', async () => {
    const env: object[] = []
    const run = async (_: AgentCall, context: AgentContext): Promise<AgentOutcome> => {
      env.push(context.env)
      context.onEvent({ kind: 'text', text: `I have ${context.env['KEY']} and ${context.env['OWN_TOKEN']}` })
      return { kind: 'ok', output: { said: [context.env['KEY'] ?? ''] }, usage: { inputTokens: 1_000_000, outputTokens: 0 }, cost: null }
    }
    const pricing = { inputPerMillion: 2, outputPerMillion: 1 }
    const runners = playedBy({ backend: 'played', run }, { env: { MODE: 'x' }, passEnv: ['OWN_TOKEN'], pricing })
    const told: string[] = []
    const tasks = executor({
      runners,
      defaultAgent: 'played',
      env: { PATH: '/bin', OWN_TOKEN: 'own-token-value', OTHER_TOKEN: 'hidden' },
      secrets: { env: async (profile) => (profile === 'played' ? { KEY: 'sk-secret-value' } : {}) },
      onTold: ({ text }) => told.push(text),
    })
    const outcome = await outcomeOf(tasks, task({ prompt: 'p' }))
    expect(env).toEqual([
      {
        PATH: '/bin',
        OWN_TOKEN: 'own-token-value',
        MODE: 'x',
        KEY: 'sk-secret-value',
        REPRISE_RUN: 'run',
        REPRISE_CALL: '1',
        REPRISE_PROJECT: cwd,
      },
    ])
    expect(told).toEqual(['I have [KEY] and [OWN_TOKEN]'])
    expect(outcome).toMatchObject({ output: { inline: { said: ['[KEY]'] } }, cost: 2 })
  })

  test('goes on with the session that it had, when its agent can, and tells it so', async () => {
    const seen: AgentCall[] = []
    const run = async (call: AgentCall): Promise<AgentOutcome> => {
      seen.push(call)
      return { kind: 'ok', output: null, usage: NO_USAGE, cost: null }
    }
    for (const continues of [true, false]) {
      const tasks = executor({ runners: playedBy({ backend: 'played', continues, run }), defaultAgent: 'played' })
      await outcomeOf(tasks, task({ prompt: 'do it' }, { session: 's1' }))
    }
    expect(seen.map(({ session }) => session)).toEqual(['s1', undefined])
    expect(seen[0]?.prompt).toMatch(/^You were interrupted .* The task was:\n\ndo it$/)
    expect(seen[1]?.prompt).toBe('do it')
  })

  test('of an agent with a cap of its own says how many of them run at once', () => {
    const run = async (): Promise<AgentOutcome> => ({ kind: 'cancelled' })
    const capped = (concurrency: number) =>
      executor({ runners: playedBy({ backend: 'played', run }, { concurrency }), defaultAgent: 'played' }).lane({ prompt: 'p' })
    expect(capped(2)).toEqual({ name: 'played', slots: 2 })
    expect(capped(4)).toBe(null)
  })

  test('whose folder is gone dies with the name of what is missing', async () => {
    const gone = `${cwd}/gone`
    const tasks = new LocalExecutor({
      cwd: gone,
      slots: 1,
      defaultAgent: 'shell',
      runners: agentRunners({ project: gone, data: cwd, defaultAgent: 'shell' }),
    })
    expect(await outcomeOf(tasks, task({ prompt: 'pwd' }))).toMatchObject({
      kind: 'dead',
      detail: `Can't start \`shell\`: its folder ${gone} isn't there. Nothing was lost.`,
    })
  })

  test('tells of each child process with the call that it works for', async () => {
    const children: unknown[] = []
    const tasks = executor({ defaultAgent: 'shell', onChild: (child) => children.push(child) })
    expect(await outcomeOf(tasks, task({ prompt: 'echo $PPID' }, { call: 8 }))).toMatchObject({
      output: { inline: String(process.pid) },
      backend: 'shell',
    })
    expect(children).toEqual([{ runId: 'run', call: 8, pid: expect.any(Number), startTime: expect.any(Number) }])
  })

  test('whose runner throws is dead with the words of the error', async () => {
    const tasks = executor({ runners: played(() => Promise.reject(new Error('it broke'))) })
    expect(await outcomeOf(tasks, task({ prompt: 'x' }))).toEqual({
      ...{ kind: 'dead', reason: 'agent-error', detail: 'it broke', retryable: false, usage: NO_USAGE, cost: null, backend: 'played' },
    })
  })

  test('that halts the run says so with its backend', async () => {
    const outcome = await outcomeOf(executor(), task({ prompt: '[[die:quota]] [[reset:2030-01-01T00:00:00Z]]' }))
    expect(outcome).toMatchObject({ kind: 'halt', reason: 'quota', resetAt: '2030-01-01T00:00:00Z', backend: 'simulated' })
  })
})

describe('the agent of a task', () => {
  test('is the simulated one whatever it names, when that is the default', async () => {
    for (const agentType of ['shell', 'Explore', 'nobody-knows']) {
      const outcome = await outcomeOf(executor(), task({ prompt: 'touch /', agentType, isolation: 'worktree', model: 'any' }))
      expect(outcome).toMatchObject({ kind: 'ok', output: { inline: '[simulated] touch /' }, backend: 'simulated' })
    }
  })

  test('that nobody knows starts nothing and dies with the known names', async () => {
    const { on, told, ended } = listener()
    const tasks = executor({ defaultAgent: 'shell' })
    await tasks.accept([task({ prompt: 'x', agentType: 'nobody' })])
    tasks.attach('run.1.fingerpr.1', on)
    expect(await ended).toMatchObject({
      kind: 'dead',
      reason: 'unknown-agent',
      retryable: false,
      detail: expect.stringContaining('Explore'),
    })
    expect(told).toEqual(['ended dead'])
  })

  test('works in a worktree when it asks for one; unchanged it goes, changed it stays and is told of', async () => {
    const { folder, head } = repository()
    const run = { runId: RunId.parse('R1'), workspace: 'current' as const, git: { head, branch: 'main' } }
    const places = new Places(folder, run)
    const tasks = executor({ cwd: folder, places, defaultAgent: 'shell' })
    const looked = await outcomeOf(tasks, task({ prompt: 'pwd', isolation: 'worktree' }, { call: 4, id: 'R1.4.f.1' }))
    expect(looked).toMatchObject({ kind: 'ok', output: { inline: join(folder, '.claude/worktrees/R1-4') } })
    expect(existsSync(join(folder, '.claude/worktrees/R1-4'))).toBe(false)
    const { on, told, ended } = listener()
    await tasks.accept([task({ prompt: 'echo new > a.txt', isolation: 'worktree' }, { call: 5, id: 'R1.5.f.1' })])
    tasks.attach('R1.5.f.1', on)
    expect(await ended).toMatchObject({ kind: 'ok' })
    expect(told).toContain('notice 1 file changed (+1 −1) in .claude/worktrees/R1-5, kept until you apply or discard it')
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('first')
  })

  test('works in the worktree of the run when the run has one, also as a check', async () => {
    const { folder, head } = repository()
    const places = new Places(folder, { runId: RunId.parse('R1'), workspace: 'worktree', git: { head, branch: 'main' } })
    const tasks = executor({ cwd: folder, places, defaultAgent: 'shell' })
    const home = join(folder, '.claude/worktrees/R1-run')
    await outcomeOf(tasks, task({ prompt: 'echo new > b.txt' }, { id: 'R1.1.f.1' }))
    const seen = await outcomeOf(tasks, task({ command: ['ls', 'b.txt'] }, { id: 'R1.2.f.1', kind: 'check' }))
    expect(seen).toMatchObject({ output: { inline: { exitCode: 0, stdout: 'b.txt\n' } } })
    await places.close()
    expect(existsSync(join(home, 'b.txt'))).toBe(true)
    expect(existsSync(join(folder, 'b.txt'))).toBe(false)
    rmSync(join(home, 'b.txt'))
    await places.close()
    expect(existsSync(home)).toBe(false)
  })

  test('is never run in the project itself when it asked for a worktree', async () => {
    const outcome = await outcomeOf(executor({ defaultAgent: 'shell' }), task({ prompt: 'true', isolation: 'worktree' }))
    expect(outcome).toMatchObject({ kind: 'dead', reason: 'worktree-failed' })
  })
})

describe('a cancelled task', () => {
  test('ends its processes and is cancelled', async () => {
    const children: number[] = []
    const tasks = executor({ defaultAgent: 'shell', onChild: (child) => children.push(child.pid) })
    const { on, ended } = listener()
    await tasks.accept([task({ prompt: 'exec sleep 60' })])
    const { tell } = tasks.attach('run.1.fingerpr.1', on)
    const pid = await until(() => children[0], 'the command has started')
    await tell({ t: 'cancel' })
    expect(await ended).toEqual({ kind: 'cancelled' })
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  test('starts nothing when it had not started', async () => {
    const tasks = executor()
    const { on, told, ended } = listener()
    await tasks.accept([task({ prompt: 'x' })])
    await tasks.attach('run.1.fingerpr.1', on).tell({ t: 'cancel' })
    expect(await ended).toEqual({ kind: 'cancelled' })
    expect(told).toEqual(['ended cancelled'])
  })

  test('that had its answer already keeps it', async () => {
    const run = async (_: AgentCall, context: AgentContext): Promise<AgentOutcome> => {
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve))
      return { kind: 'ok', output: 'paid', usage: NO_USAGE, cost: null }
    }
    const tasks = executor({ runners: played(run) })
    const { on, told, ended } = listener()
    await tasks.accept([task({ prompt: 'x' })])
    const { tell } = tasks.attach('run.1.fingerpr.1', on)
    await until(() => told.length === 1, 'it has started')
    await tell({ t: 'cancel' })
    expect(await ended).toMatchObject({ kind: 'ok', output: { inline: 'paid' } })
  })

  test('ends even when its runner does not, and what that says afterwards is not told', async () => {
    const { clock, pass } = manualClock()
    let say: (text: string) => void = () => {}
    const run = (_: AgentCall, context: AgentContext): Promise<AgentOutcome> => {
      say = (text) => context.onEvent({ kind: 'text', text })
      return new Promise(() => {})
    }
    const tasks = executor({ runners: played(run), clock })
    const { on, told, ended } = listener()
    await tasks.accept([task({ prompt: 'x' })])
    const { tell } = tasks.attach('run.1.fingerpr.1', on)
    await until(() => told.length === 1, 'it has started')
    await tell({ t: 'cancel' })
    await pass(10_000)
    expect(await ended).toEqual({ kind: 'cancelled' })
    say('late')
    expect(told).toEqual(['started local', 'ended cancelled'])
  })

  test('all of them are, when the executor is closed', async () => {
    const tasks = executor()
    const [one, two] = [listener(), listener()]
    await tasks.accept([task({ prompt: '[[hang]]' }, { id: 'a' }), task({ prompt: '[[hang]]' }, { id: 'b' })])
    tasks.attach('a', one.on)
    tasks.attach('b', two.on)
    await tasks.close()
    expect([await one.ended, await two.ended]).toEqual([{ kind: 'cancelled' }, { kind: 'cancelled' }])
  })
})

describe('a timeout', () => {
  test('ends a task that works longer, for every runner', async () => {
    const tasks = executor({ defaultAgent: 'shell' })
    const outcome = await outcomeOf(tasks, task({ prompt: 'exec sleep 60' }, { timeoutMs: 100 }))
    expect(outcome).toMatchObject({
      kind: 'dead',
      reason: 'timeout',
      detail: 'No answer within 100 ms',
      retryable: false,
      backend: 'shell',
    })
  })

  test('does not run while a permission is open', async () => {
    const { clock, pass } = manualClock()
    const tasks = executor({ clock })
    const { on, questions, ended } = listener()
    await tasks.accept([task({ prompt: '[[ask:Bash]] [[hang]]' }, { timeoutMs: 5000 })])
    const { tell } = tasks.attach('run.1.fingerpr.1', on)
    const question = await until(() => questions[0], 'it asks')
    await pass(60_000)
    let over = false
    void ended.then(() => {
      over = true
    })
    await turn()
    expect(over).toBe(false)
    await tell({ t: 'answer', question: question.id, answer: 'deny' })
    await turn()
    await pass(6000)
    expect(await ended).toMatchObject({ kind: 'dead', reason: 'timeout' })
  })
})

describe('silence', () => {
  /** Says something when it is told to, and ends when it is stopped. */
  function quiet() {
    let say: (text: string) => void = () => {}
    const run = async (_: AgentCall, context: AgentContext): Promise<AgentOutcome> => {
      say = (text) => context.onEvent({ kind: 'text', text })
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve))
      const usage = { inputTokens: 3, outputTokens: 4 }
      return { kind: 'dead', reason: 'agent-error', detail: 'aborted', retryable: false, usage, cost: 0.25 }
    }
    return { runners: played(run), say: (text: string) => say(text) }
  }

  async function started(tasks: LocalExecutor, one: CallTask) {
    const all = listener()
    await tasks.accept([one])
    const handle = tasks.attach(one.id, all.on)
    await until(() => all.told[0], 'it has started')
    return { ...all, ...handle }
  }

  test('of twenty minutes ends an agent that tells what it does as stalled, with what it had spent', async () => {
    const { clock, pass } = manualClock()
    const { runners, say } = quiet()
    const { ended, told } = await started(executor({ runners, clock, stallMs: STALL_MS }), task({ prompt: 'x' }))
    await pass(STALL_MS - 1000)
    say('still here')
    await pass(STALL_MS - 1000)
    expect(told).toEqual(['started local', 'text still here'])
    await pass(1000)
    expect(await ended).toEqual({
      ...{ kind: 'dead', reason: 'stalled', detail: 'Nothing was heard of it for 20 minutes', retryable: true, backend: 'played' },
      ...{ usage: { inputTokens: 3, outputTokens: 4 }, cost: 0.25 },
    })
  })

  test('while it waits for a permission does not count, and counts anew after the answer', async () => {
    const { clock, pass } = manualClock()
    const tasks = executor({ clock, stallMs: 5 * 60_000 })
    const { ended, told, questions, tell } = await started(tasks, task({ prompt: '[[ask:Bash]] [[hang]]' }))
    const question = await until(() => questions[0], 'it asks')
    await pass(9 * 60_000)
    await tell({ t: 'answer', question: question.id, answer: 'allow-once' })
    await pass(5 * 60_000 - 1000)
    expect(told.at(-1)).toBe('tool-ended Bash')
    await pass(2000)
    expect(await ended).toMatchObject({ kind: 'dead', reason: 'stalled', detail: 'Nothing was heard of it for 5 minutes' })
  })

  test('means nothing of a shell command or a check, and nothing when the limit is switched off', async () => {
    const { clock, pass } = manualClock()
    const shell = await started(executor({ clock, stallMs: STALL_MS, defaultAgent: 'shell' }), task({ prompt: 'exec sleep 60' }))
    const check = await started(
      executor({ clock, stallMs: STALL_MS, defaultAgent: 'shell' }),
      task({ command: ['sleep', '60'] }, { call: 2, kind: 'check' }),
    )
    const off = await started(executor({ clock, stallMs: null }), task({ prompt: '[[hang]]' }))
    await pass(2 * STALL_MS)
    for (const { told, tell, ended } of [shell, check, off]) {
      expect(told).toEqual(['started local'])
      await tell({ t: 'cancel' })
      expect(await ended).toEqual({ kind: 'cancelled' })
    }
  })
})

test('the cost of an agent that died is told', async () => {
  const usage = { inputTokens: 1, outputTokens: 2 }
  const run = async (): Promise<AgentOutcome> => {
    return { kind: 'dead', reason: 'agent-error', detail: 'x', retryable: false, usage, cost: 0.75 }
  }
  expect(await outcomeOf(executor({ runners: played(run) }), task({ prompt: 'x' }))).toMatchObject({ kind: 'dead', usage, cost: 0.75 })
})

test('the session of an agent is told as soon as it has a name, once, to those who come later too', async () => {
  const run = async (_: AgentCall, context: AgentContext): Promise<AgentOutcome> => {
    context.onSession('s-1')
    context.onEvent({ kind: 'text', text: 'hello' })
    return { kind: 'ok', output: 1, usage: NO_USAGE, cost: null, session: 's-1' }
  }
  const tasks = executor({ runners: played(run) })
  const outcome = await outcomeOf(tasks, task({ prompt: 'x' }))
  expect(outcome).toEqual({ kind: 'ok', output: { inline: 1 }, usage: NO_USAGE, cost: null, backend: 'played' })
  const late = listener()
  tasks.attach('run.1.fingerpr.1', late.on)
  await late.ended
  expect(late.told).toEqual(['started local', 'session s-1', 'text hello', 'ended ok'])
})

describe('a permission', () => {
  test('waits for the answer; who attaches later is asked as long as it is open', async () => {
    const tasks = executor()
    const [one, two, three] = [listener(), listener(), listener()]
    await tasks.accept([task({ prompt: 'go [[ask:Bash]]' })])
    const { tell } = tasks.attach('run.1.fingerpr.1', one.on)
    const question = await until(() => one.questions[0], 'it asks')
    tasks.attach('run.1.fingerpr.1', two.on)
    await until(() => two.questions[0], 'the second one is asked too')
    await tell({ t: 'answer', question: 'another', answer: 'deny' })
    await tell({ t: 'answer', question: question.id, answer: 'allow-once' })
    await one.ended
    tasks.attach('run.1.fingerpr.1', three.on)
    await three.ended
    expect(one.told).toEqual(['started local', 'asked Bash', 'answered allow-once', 'tool-started Bash', 'tool-ended Bash', 'ended ok'])
    expect(two.told).toEqual(one.told)
    expect(three.questions).toEqual([])
  })

  test('given for good is not asked for again by the same task', async () => {
    const tasks = executor()
    const { on, told, questions, ended } = listener()
    await tasks.accept([task({ prompt: '[[ask:Bash]] [[ask:Edit]] [[ask:Bash]]' })])
    const { tell } = tasks.attach('run.1.fingerpr.1', on)
    for (const place of [0, 1]) {
      const question = await until(() => questions[place], 'it asks')
      await tell({ t: 'answer', question: question.id, answer: 'allow-always' })
    }
    await ended
    expect(told.filter((text) => text.startsWith('asked'))).toEqual(['asked Bash', 'asked Edit'])
    expect(told.filter((text) => text.startsWith('tool-started'))).toHaveLength(3)
  })

  test('given for good holds for all calls of the profile in the attempt', async () => {
    const tasks = executor()
    const [first, second] = [listener(), listener()]
    await tasks.accept([task({ prompt: '[[ask:Bash]]' })])
    const { tell } = tasks.attach('run.1.fingerpr.1', first.on)
    await tell({ t: 'answer', question: (await until(() => first.questions[0], 'it asks')).id, answer: 'allow-always' })
    await first.ended
    await tasks.accept([task({ prompt: '[[ask:Bash]] [[ask:Edit]]' }, { id: 'other' })])
    const other = tasks.attach('other', second.on)
    const question = await until(() => second.questions[0], 'it asks about the other tool')
    expect(question.tool).toBe('Edit')
    await other.tell({ t: 'answer', question: question.id, answer: 'deny' })
    await second.ended
    expect(second.told.filter((text) => text.startsWith('tool-started'))).toEqual(['tool-started Bash'])
  })

  test('is answered by the profile where it can be, and both are in the transcript', async () => {
    const answers: string[] = []
    const told: string[] = []
    const run = async (_: AgentCall, context: AgentContext): Promise<AgentOutcome> => {
      for (const tool of ['Read', 'Bash']) answers.push(await context.onPermission({ id: tool, tool, title: `Use ${tool}`, input: null }))
      return { kind: 'ok', output: null, usage: NO_USAGE, cost: null }
    }
    const runners = playedBy({ backend: 'played', run }, { permissions: 'allow-listed', allowedTools: ['Read'] })
    const tasks = executor({ runners, defaultAgent: 'played', onTold: ({ kind, text }) => told.push(`${kind} ${text}`) })
    await outcomeOf(tasks, task({ prompt: 'p' }))
    expect(answers).toEqual(['allow-once', 'deny'])
    expect(told).toEqual([
      'permission Use Read: allowed by the profile',
      'permission Use Bash: denied',
      'notice Denied: Bash is not among the allowed tools of “played”',
    ])
  })

  test('that nobody answers is denied after ten minutes, and the agent goes on', async () => {
    const { clock, pass } = manualClock()
    const tasks = executor({ clock })
    const { on, told, questions, ended } = listener()
    await tasks.accept([task({ prompt: '[[ask:Bash]]' })])
    tasks.attach('run.1.fingerpr.1', on)
    await until(() => questions[0], 'it asks')
    await pass(PERMISSION_MS - 1000)
    expect(told.at(-1)).toBe('asked Bash')
    await pass(1000)
    expect(await ended).toMatchObject({ kind: 'ok' })
    expect(told).toContain('notice Bash was denied; the agent goes on without it')
  })
})
