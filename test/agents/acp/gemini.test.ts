/** The real gemini program against the fake of its API, with a home of its own. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeAcpRunner } from '../../../main/agents/acp/acp.ts'
import type { AgentCall, AgentContext, AgentOutcome } from '../../../main/agents/agent-runner.ts'
import { childEnvironment } from '../../../main/agents/child-environment.ts'
import { familyOf, isAlive } from '../../../main/agents/process-tree.ts'
import type { ProfileOf } from '../../../shared/contract/agents.ts'
import type { Json } from '../../../shared/json.ts'
import { FakeApi } from '../fake-api/fake-api.ts'
import { agentCall, RUN, recording, temporaryFolder, until } from '../process-fixture.ts'
import { agentProgram } from '../programs.ts'
import { geminiEnvironment } from './gemini-home.ts'

const gemini = agentProgram('gemini')
const SCHEMA: Json = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'], additionalProperties: false }

let api: FakeApi
let env: Record<string, string>

beforeAll(async () => {
  api = await FakeApi.start()
})
beforeEach(() => {
  api.forget()
  env = geminiEnvironment(temporaryFolder(), api.url)
})
afterAll(() => api.close())

function runner(more: Partial<ProfileOf<'acp'>> = {}) {
  const profile: ProfileOf<'acp'> = { name: 'gemini', backend: 'acp', command: 'gemini', permissions: 'ask', options: {}, ...more }
  return makeAcpRunner(profile, { project: '/', data: '/', executable: async () => gemini.path })
}

async function run(prompt: string, call: Partial<AgentCall> = {}, context: Partial<AgentContext> = {}) {
  const told = recording(context)
  const environment = { ...told.context.env, ...env }
  const outcome = await runner().run(agentCall(prompt, { cwd: temporaryFolder(), model: 'gemini-2.5-flash', ...call }), {
    ...told.context,
    env: environment,
  })
  expect(told.children.map(isAlive)).toEqual([false])
  return { outcome, ...told }
}

function output(outcome: AgentOutcome): Json {
  if (outcome.kind !== 'ok') throw new Error(JSON.stringify(outcome))
  return outcome.output
}

describe.skipIf(!gemini.installed)(gemini.title, { timeout: 120_000 }, () => {
  test('answers with its text, its tokens and its session, and asks nobody but the model', async () => {
    const { outcome, events } = await run('Do it [[text]]', { instructions: 'You are a careful reviewer.' })
    expect(outcome).toMatchObject({
      kind: 'ok',
      output: 'Hello from the fake model (text).',
      usage: { inputTokens: 11, outputTokens: 22 },
      session: expect.any(String),
    })
    expect(events.map(({ kind }) => kind)).toEqual(['text', 'usage'])
    expect(api.requests.map(({ key, question }) => [key, question.model])).toEqual([['fake-key', 'gemini-2.5-flash']])
    expect(api.requests[0]?.question.said).toMatch(/You are a careful reviewer\.\n\nDo it \[\[text\]\]$/)
    expect(api.unknown).toEqual([])
  })

  test('hands in a result of the wanted shape, also after one of another shape, without asking anybody', async () => {
    const asked: string[] = []
    const onPermission: AgentContext['onPermission'] = async ({ tool }) => {
      asked.push(tool)
      return 'deny'
    }
    for (const marker of ['json', 'bad-json']) {
      const { outcome } = await run(`Do it [[${marker}]]`, { schema: SCHEMA }, { onPermission })
      expect(output(outcome)).toEqual({ title: 'simulated' })
    }
    expect(asked).toEqual([])
  })

  test('uses a tool when a person allows it, and goes on without it when they do not', async () => {
    const asked: string[] = []
    for (const answer of ['allow-once', 'deny'] as const) {
      const cwd = temporaryFolder()
      const onPermission: AgentContext['onPermission'] = async ({ tool, title }) => {
        asked.push(`${tool}: ${title}`)
        return answer
      }
      const { outcome, events } = await run('Do it [[tool:echo]]', { cwd }, { onPermission })
      expect(output(outcome)).toBe('Hello from the fake model (tool:echo).')
      expect(existsSync(join(cwd, 'tool-ran.txt'))).toBe(answer === 'allow-once')
      const tools = events.filter(({ kind }) => kind.startsWith('tool')).map(({ text }) => text)
      expect(tools).toEqual(answer === 'deny' ? [] : ['Bash: echo tool-ran | tee tool-ran.txt', 'Bash: echo tool-ran | tee tool-ran.txt'])
    }
    expect(asked).toEqual(Array(2).fill('Bash: echo tool-ran | tee tool-ran.txt'))
  })

  test('leaves no process of its own and of its tool when it is stopped in the middle of one', async () => {
    const told = recording()
    const environment = { ...told.context.env, ...env }
    const call = agentCall('Do it [[tool:endless]]', { cwd: temporaryFolder(), model: 'gemini-2.5-flash' })
    const running = runner().run(call, { ...told.context, env: environment })
    await until(() => told.events.some(({ kind }) => kind === 'tool-started'), 'the tool is told', 60_000)
    const family = await until(() => {
      const found = familyOf(told.children)
      return found.length > 1 && found
    }, 'the tool runs')
    const stoppedAt = performance.now()
    told.stop.abort()
    expect(await running).toEqual({ kind: 'cancelled' })
    await until(() => !family.some(isAlive), 'all of them are gone', 5000 - (performance.now() - stoppedAt))
  })

  test('lets its request go when it is stopped while the model is silent', async () => {
    const told = recording()
    const environment = { ...told.context.env, ...env }
    const running = runner().run(agentCall('[[hang]]', { cwd: temporaryFolder() }), { ...told.context, env: environment })
    const request = await api.asked(({ marker }) => marker === 'hang')
    told.stop.abort()
    expect(await running).toEqual({ kind: 'cancelled' })
    expect(await request.aborted).toBe(true)
    expect(told.children.map(isAlive)).toEqual([false])
  })

  test('says when the session that it should go on with is gone', async () => {
    const gone = await run('Go on', { session: '01234567-89ab-4cde-8f01-23456789abcd' })
    expect(gone.outcome).toMatchObject({ kind: 'dead', retryable: false, detail: expect.stringContaining('can’t go on') })
  })

  test('fails as what it is', async () => {
    const markers = ['401', '403', '429', 'usage-limit', '500', 'malformed']
    const ends: Record<string, AgentOutcome> = {}
    for (const marker of markers) ends[marker] = (await run(`Do it [[${marker}]]`)).outcome
    expect(ends).toMatchObject({
      '401': { kind: 'halt', reason: 'auth', detail: expect.stringMatching(/^Refused with 401\. Run gemini once/) },
      '403': { kind: 'halt', reason: 'auth' },
      '429': { kind: 'dead', reason: 'rate-limited', retryable: true },
      'usage-limit': { kind: 'halt', reason: 'quota', resetAt: expect.any(String) },
      '500': { kind: 'dead', reason: 'agent-error', retryable: true, detail: 'Refused with 500' },
      malformed: { kind: 'dead', reason: 'agent-error' },
    })
  })

  test('works eight calls at once, each with an answer of its own', async () => {
    const runs = await Promise.all(
      Array.from({ length: 8 }, (_, n) => {
        const marks = childEnvironment(process.env, { runId: RUN, call: n })
        return run(`Number ${n} [[text:n${n}]]`, { call: n }, { env: marks })
      }),
    )
    expect(runs.map(({ outcome }) => output(outcome))).toEqual(runs.map((_, n) => `Hello from the fake model (text:n${n}).`))
  })
})
