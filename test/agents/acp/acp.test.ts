import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeAcpRunner } from '../../../main/agents/acp/acp.ts'
import type { AgentCall, AgentContext, AgentOutcome } from '../../../main/agents/agent-runner.ts'
import { childEnvironment } from '../../../main/agents/child-environment.ts'
import { isAlive, startTimeOf } from '../../../main/agents/process-tree.ts'
import type { ProfileOf } from '../../../shared/contract/agents.ts'
import type { Json } from '../../../shared/json.ts'
import { agentCall, linesOf, RUN, recording, temporaryFolder, until } from '../process-fixture.ts'

const AGENT = resolve('test/agents/acp/fixture-agent.mjs')
const SCHEMA: Json = {
  type: 'object',
  properties: { title: { type: 'string' }, score: { type: 'integer' } },
  required: ['title', 'score'],
  additionalProperties: false,
}
const USAGE = { inputTokens: 11, outputTokens: 22, cachedInputTokens: 3, reasoningTokens: 4 }

function runner(more: Partial<ProfileOf<'acp'>> = {}) {
  const args = [AGENT, ...(more.args ?? [])]
  const profile: ProfileOf<'acp'> = {
    name: 'fixture',
    backend: 'acp',
    command: process.execPath,
    permissions: 'ask',
    options: {},
    ...more,
    args,
  }
  return makeAcpRunner(profile, { project: '/', data: '/', executable: async (usual) => usual })
}

async function run(
  prompt: string,
  call: Partial<AgentCall> = {},
  context: Partial<AgentContext> = {},
  profile: Partial<ProfileOf<'acp'>> = {},
) {
  const told = recording(context)
  const outcome = await runner(profile).run(agentCall(prompt, call), told.context)
  for (const child of told.children) expect(isAlive(child)).toBe(false)
  return { outcome, ...told }
}

function output(outcome: AgentOutcome): Json {
  if (outcome.kind !== 'ok') throw new Error(JSON.stringify(outcome))
  return outcome.output
}

describe('an agent of the protocol answers', () => {
  test('with its text, its tokens and its session, and its thoughts are events', async () => {
    const sessions: string[] = []
    const { outcome, events } = await run('[[text]]', {}, { onSession: (id) => sessions.push(id) })
    expect(outcome).toMatchObject({ kind: 'ok', output: 'hello from the agent', usage: USAGE, cost: null, session: expect.any(String) })
    expect(sessions).toEqual([outcome.kind === 'ok' && outcome.session])
    expect(events).toEqual([
      { kind: 'thinking', text: 'Thinking it over' },
      { kind: 'text', text: 'hello from the agent' },
      { kind: 'usage', text: '11 tokens in (3 cached), 22 out' },
    ])
  })

  test('with the tokens that it tells as a quota', async () => {
    const { outcome } = await run('[[quota-usage]]')
    expect(outcome).toMatchObject({ kind: 'ok', usage: { inputTokens: 5, outputTokens: 6 } })
  })

  test('in eight calls at once, each its own', async () => {
    const runs = await Promise.all(
      Array.from({ length: 8 }, (_, n) => {
        const env = childEnvironment(process.env, { runId: RUN, call: n })
        return run(`call ${n} [[told]]`, { call: n }, { env })
      }),
    )
    const said = runs.map(({ outcome }) => (JSON.parse(output(outcome) as string) as { said: string }).said)
    expect(said).toEqual(Array.from({ length: 8 }, (_, n) => `call ${n} [[told]]`))
  })

  test('although it prints words of its own beside the protocol, which are shown', async () => {
    const { outcome, events } = await run('[[noise]]')
    expect(output(outcome)).toBe('all the same')
    expect(events).toContainEqual({ kind: 'notice', text: 'Warning: no colours here' })
  })
})

describe('what the agent is told', () => {
  test('is its instructions before the prompt, the folder to work in and the environment of the call only', async () => {
    const cwd = temporaryFolder()
    const { outcome } = await run('do it [[told]]', { cwd, instructions: 'You are a reviewer.' })
    const told = JSON.parse(output(outcome) as string) as { said: string; cwd: string; env: Record<string, string> }
    expect(told.said).toBe('You are a reviewer.\n\ndo it [[told]]')
    expect(told.cwd).toBe(cwd)
    expect(told.env).toMatchObject({ REPRISE_RUN: RUN, REPRISE_CALL: '1' })
    expect(Object.keys(told.env)).not.toContain('VITEST')
  })

  test('is the model, the effort and the mode that call and profile ask for', async () => {
    const { outcome } = await run('[[told]]', { model: 'Large', effort: 'high' }, {}, { mode: 'plan' })
    expect(JSON.parse(output(outcome) as string)).toMatchObject({ set: { model: 'large', thinking: 'high', mode: 'plan' } })
  })

  test('is refused with the names it knows when it has no such model or mode', async () => {
    const model = await run('[[text]]', { model: 'huge' })
    expect(model.outcome).toMatchObject({
      kind: 'dead',
      reason: 'unknown-model',
      detail: 'The agent has no model “huge”. It has small, large',
    })
    const mode = await run('[[text]]', {}, {}, { mode: 'yolo' })
    expect(mode.outcome).toMatchObject({ kind: 'dead', detail: 'The agent has no mode “yolo”. It has default, plan' })
  })

  test('is said when it can’t be had: an effort, a limit of tokens', async () => {
    const { events } = await run('[[text]]', { effort: 'extreme', maxTokens: 10 })
    expect(events.filter((event) => event.kind === 'notice')).toHaveLength(2)
  })

  test('goes into an earlier session, whose old words are no part of the answer', async () => {
    const { outcome, events } = await run('[[text]]', { session: 'session-of-then' })
    expect(outcome).toMatchObject({ kind: 'ok', output: 'hello from the agent', session: 'session-of-then' })
    expect(events.map((event) => event.text)).not.toContain('said long ago')
    const { outcome: gone } = await run('[[text]]', { session: 'gone' })
    expect(gone).toMatchObject({ kind: 'dead', retryable: false, detail: expect.stringMatching(/^The session gone can’t go on/) })
  })
})

describe('a result of a wanted shape', () => {
  test('is what the agent hands in with the tool', async () => {
    const { outcome } = await run('[[json]]', { schema: SCHEMA })
    expect(outcome).toMatchObject({ kind: 'ok', output: { title: 'done', score: 7 }, usage: USAGE })
  })

  test('may be no object', async () => {
    const { outcome } = await run('[[json]]', { schema: { type: 'array', items: { type: 'integer' } } })
    expect(output(outcome)).toEqual([1, 2])
  })

  test('is asked for again when it has another shape, with what is wrong in it', async () => {
    const { outcome, events } = await run('[[json-bad-first]]', { schema: SCHEMA })
    expect(output(outcome)).toEqual({ title: 'done', score: 7 })
    expect(events).toContainEqual({ kind: 'text', text: expect.stringMatching(/^Not accepted: .*score/) })
  })

  test('is handed over as it is when the agent is content with a wrong one', async () => {
    const { outcome } = await run('[[json-wrong]]', { schema: SCHEMA })
    expect(output(outcome)).toEqual({ wrong: true })
  })

  test('is asked for once more in the same session when the agent forgot it', async () => {
    const { outcome } = await run('[[json-late]]', { schema: SCHEMA })
    expect(outcome).toMatchObject({ kind: 'ok', output: { title: 'late', score: 1 }, usage: { inputTokens: 22, outputTokens: 44 } })
  })

  test('may be in the words of the agent, and without any the call is dead', async () => {
    expect(output((await run('[[json-words]]', { schema: SCHEMA })).outcome)).toEqual({ title: 'words', score: 2 })
    const { outcome } = await run('[[json-never]]', { schema: SCHEMA })
    expect(outcome).toMatchObject({
      kind: 'dead',
      reason: 'schema-mismatch',
      detail: expect.stringContaining('I will not'),
      retryable: false,
    })
  })

  test('is asked for in words when the agent takes no tools from us', async () => {
    const { outcome } = await run('[[json-words]]', { schema: SCHEMA }, {}, { args: ['--no-http'] })
    expect(output(outcome)).toEqual({ title: 'words', score: 2 })
  })

  test('needs no permission of a person', async () => {
    const asked: string[] = []
    const onPermission: AgentContext['onPermission'] = async ({ tool }) => {
      asked.push(tool)
      return 'deny'
    }
    const { outcome } = await run('[[json-ask]]', { schema: SCHEMA }, { onPermission })
    expect(output(outcome)).toEqual({ title: 'done', score: 7 })
    expect(asked).toEqual([])
  })
})

describe('a tool that wants permission', () => {
  test('runs when it is allowed, once, and is shown with plan and cost', async () => {
    const asked: Json[] = []
    const onPermission: AgentContext['onPermission'] = async (question) => {
      asked.push({ ...question })
      return 'allow-always'
    }
    const { outcome, events } = await run('[[tool]]', {}, { onPermission })
    expect(asked).toEqual([{ id: '1.1.1', tool: 'Bash', title: 'rm -r build', input: { command: 'rm -r build' } }])
    expect(outcome).toMatchObject({ kind: 'ok', output: 'tool ran', cost: 0.25 })
    expect(events).toEqual([
      { kind: 'text', text: 'Let me look.' },
      { kind: 'tool-started', text: 'Bash: rm -r build' },
      { kind: 'tool-ended', text: 'Bash: rm -r build' },
      { kind: 'plan', text: '✓ Look\n· Tell' },
      { kind: 'text', text: 'tool ran' },
      { kind: 'usage', text: '11 tokens in (3 cached), 22 out' },
    ])
  })

  test('does not run when it is denied, and the agent goes on', async () => {
    const { outcome, events } = await run('[[tool]]', {}, { onPermission: async () => 'deny' })
    expect(output(outcome)).toBe('tool did not run: selected')
    expect(events).toContainEqual({ kind: 'tool-ended', text: 'Bash: rm -r build (failed)' })
  })

  test('ends nothing but itself when it is denied, also where the agent takes that as the end of its turn', async () => {
    const { outcome } = await run('[[tool-cancels]]', {}, { onPermission: async () => 'deny' })
    expect(outcome).toMatchObject({ kind: 'ok', output: 'went on', usage: { outputTokens: 44 } })
  })

  test('is not asked about when the call does not allow it, or may only look', async () => {
    const asked: string[] = []
    const onPermission: AgentContext['onPermission'] = async ({ tool }) => {
      asked.push(tool)
      return 'allow-once'
    }
    for (const call of [{ allowedTools: ['Read', 'Grep'] }, { readOnly: true }]) {
      const { outcome, events } = await run('[[tool]]', call, { onPermission })
      expect(output(outcome)).toBe('tool did not run: selected')
      expect(events).toContainEqual({ kind: 'notice', text: expect.stringMatching(/^Bash .*goes on without it$/) })
    }
    expect(asked).toEqual([])
    await run('[[tool]]', { allowedTools: ['Bash(rm:*)'] }, { onPermission })
    expect(asked).toEqual(['Bash'])
  })

  test('that is still asked about when the call is stopped ends with it', async () => {
    const told = recording({ onPermission: () => new Promise(() => {}) })
    const running = runner().run(agentCall('[[tool]]'), told.context)
    await until(() => told.events.some((event) => event.kind === 'tool-started'), 'the tool is told')
    told.stop.abort()
    expect(await running).toEqual({ kind: 'cancelled' })
    expect(told.children.map(isAlive)).toEqual([false])
  })
})

describe('a stopped call', () => {
  for (const args of [[], ['--stubborn']]) {
    test(`leaves no process of ${args.length === 0 ? 'an agent' : 'an agent that ignores everything'} and its tools`, async () => {
      const cwd = temporaryFolder()
      const told = recording()
      const running = runner({ args }).run(agentCall('[[sleep]]', { cwd }), told.context)
      const [pid] = await until(() => linesOf(`${cwd}/tool.pid`), 'the tool runs')
      const tool = { pid: Number(pid), startTime: startTimeOf(Number(pid)) }
      expect(isAlive(tool)).toBe(true)
      told.stop.abort()
      expect(await running).toEqual({ kind: 'cancelled' })
      expect([...told.children, tool].map(isAlive)).toEqual([false, false])
    })
  }

  test('ends also before the agent has a session, and does not start when it was stopped before', async () => {
    const told = recording()
    const silent: ProfileOf<'acp'> = { name: 'cat', backend: 'acp', command: 'sleep', args: ['1000'], permissions: 'ask', options: {} }
    const deps = { project: '/', data: '/', executable: async (usual: string) => usual }
    const running = makeAcpRunner(silent, deps).run(agentCall('x'), told.context)
    await until(() => told.children[0], 'it is started')
    told.stop.abort()
    expect(await running).toEqual({ kind: 'cancelled' })
    expect(told.children.map(isAlive)).toEqual([false])
    const before = recording()
    before.stop.abort()
    expect(await runner().run(agentCall('x'), before.context)).toEqual({ kind: 'cancelled' })
    expect(before.children).toEqual([])
  })
})

describe('a failure says what it is', () => {
  const cases: [string, Partial<Extract<AgentOutcome, { detail: string }>> & Record<string, unknown>][] = [
    ['401', { kind: 'halt', reason: 'auth', detail: expect.stringContaining('No key is set') }],
    ['401-data', { kind: 'halt', reason: 'auth', detail: expect.stringContaining('Invalid API key') }],
    ['429', { kind: 'dead', reason: 'rate-limited', retryable: true }],
    ['429-quota', { kind: 'halt', reason: 'quota', resetAt: expect.any(String) }],
    ['429-words', { kind: 'dead', reason: 'rate-limited', retryable: true, detail: 'stream disconnected: 429 Too Many Requests' }],
    ['500', { kind: 'dead', reason: 'agent-error', retryable: true, detail: expect.stringContaining('The model is not there') }],
    ['refusal', { kind: 'dead', reason: 'refused', retryable: false, detail: 'That I will not do' }],
    ['malformed', { kind: 'dead', reason: 'agent-error', retryable: false, detail: expect.stringContaining('no JSON') }],
    [
      'exit',
      { kind: 'dead', reason: 'agent-error', detail: expect.stringMatching(/exited with 3 before it was done: panic: out of paper/) },
    ],
  ]
  for (const [marker, expected] of cases) {
    test(marker, async () => {
      const { outcome } = await run(`[[${marker}]]`)
      expect(outcome).toMatchObject(expected)
    })
  }

  test('a program that is missing, or a folder', async () => {
    const deps = { project: '/', data: '/', executable: async () => '/no/such/agent' }
    const missing: ProfileOf<'acp'> = { name: 'x', backend: 'acp', command: 'x', permissions: 'ask', options: {} }
    const outcome = await makeAcpRunner(missing, deps).run(agentCall('x'), recording().context)
    expect(outcome).toMatchObject({
      kind: 'dead',
      reason: 'agent-error',
      detail: expect.stringContaining('/no/such/agent'),
      retryable: false,
    })
    const { outcome: nowhere } = await run('x', { cwd: '/no/such/folder' })
    expect(nowhere).toMatchObject({ kind: 'dead', detail: expect.stringContaining('/no/such/folder') })
  })
})
