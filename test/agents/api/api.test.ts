import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AgentCall, AgentContext, AgentOutcome } from '../../../main/agents/agent-runner.ts'
import { makeApiRunner } from '../../../main/agents/api/api.ts'
import type { ApiOptions, ProfileOf } from '../../../shared/contract/agents.ts'
import type { Json } from '../../../shared/json.ts'
import { FakeApi } from '../fake-api/fake-api.ts'
import { agentCall, recording } from '../process-fixture.ts'

const SCHEMA: Json = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'], additionalProperties: false }
const KEY = { ENDPOINT_KEY: 'the-key' }

let api: FakeApi

beforeAll(async () => {
  api = await FakeApi.start()
})
beforeEach(() => api.forget())
afterAll(() => api.close())

function runner(provider: ApiOptions['provider'], options: Partial<ApiOptions> = {}) {
  const profile: ProfileOf<'api'> = {
    name: 'model',
    backend: 'api',
    // Of a model that it does not know, one of the packages thinks that it has no schemas.
    model: provider === 'anthropic' ? 'claude-sonnet-4-5' : 'fake-model',
    permissions: 'ask',
    options: { provider, baseUrl: `${api.url}/v1/`, keyName: 'ENDPOINT_KEY', ...options },
  }
  return makeApiRunner(profile, { project: '/', data: '/', executable: async (usual) => usual })
}

async function run(provider: ApiOptions['provider'], prompt: string, call: Partial<AgentCall> = {}, context: Partial<AgentContext> = {}) {
  const told = recording({ env: KEY, ...context })
  return { outcome: await runner(provider).run(agentCall(prompt, call), told.context), ...told }
}

function output(outcome: AgentOutcome): Json {
  if (outcome.kind !== 'ok') throw new Error(JSON.stringify(outcome))
  return outcome.output
}

for (const provider of ['openai-compatible', 'anthropic'] as const) {
  describe(`a model behind ${provider} endpoints`, () => {
    test('answers with its text, line by line as it comes, and its tokens', async () => {
      const { outcome, events, children } = await run(provider, '[[text]]')
      expect(outcome).toMatchObject({ kind: 'ok', output: 'Hello from the fake model (text).', cost: null })
      const usage = outcome.kind === 'ok' ? outcome.usage : null
      expect(usage).toMatchObject({
        outputTokens: 22,
        cachedInputTokens: 3,
        ...(provider === 'anthropic' ? {} : { inputTokens: 11, reasoningTokens: 4 }),
      })
      expect(events).toEqual([
        { kind: 'text', text: 'Hello from the fake model (text).' },
        { kind: 'usage', text: expect.stringMatching(/^\d+ tokens in, 22 out$/) },
      ])
      expect(children).toEqual([])
    })

    test('shows what it thinks apart from what it says', async () => {
      const { outcome, events } = await run(provider, '[[think]]')
      expect(output(outcome)).toBe('thought through')
      expect(events).toContainEqual({ kind: 'thinking', text: 'Let me see.' })
    })

    test('is told who it is, how hard to think, how much to say, and the key', async () => {
      await run(provider, '[[text]]', { instructions: 'You are a judge.', effort: 'low', maxTokens: 50, model: 'other-model' })
      const [request] = api.requests
      expect(request).toMatchObject({
        key: provider === 'anthropic' ? 'the-key' : 'Bearer the-key',
        question: { model: 'other-model', said: '[[text]]' },
      })
      const body = JSON.stringify(request?.body)
      expect(body).toContain('You are a judge.')
      expect(body).toMatch(/"max_(?:completion_)?tokens":50/)
      expect(body).toMatch(/"(?:reasoning_)?effort":"low"/)
    })

    test('keeps to a schema by the endpoint’s own means', async () => {
      const { outcome } = await run(provider, '[[json]]', { schema: SCHEMA })
      expect(output(outcome)).toEqual({ title: 'simulated' })
      expect(api.requests).toHaveLength(1)
    })

    test('gives a wrong shape as it is, for the engine to ask again', async () => {
      const { outcome } = await run(provider, '[[bad-json]]', { schema: SCHEMA })
      expect(output(outcome)).toEqual({ unexpected: true })
      const { outcome: second } = await run(provider, '[[bad-json]]', { schema: SCHEMA })
      expect(output(second)).toEqual({ title: 'simulated' })
    })

    test('lets its request go when the call is stopped', async () => {
      for (const marker of ['slow', 'hang']) {
        const told = recording({ env: KEY })
        const running = runner(provider).run(agentCall(`[[${marker}]]`), told.context)
        const request = await api.asked((one) => one.marker === marker)
        told.stop.abort()
        expect(await running).toEqual({ kind: 'cancelled' })
        expect(await request.aborted).toBe(true)
      }
    })

    test('works eight calls at once', async () => {
      const runs = await Promise.all(Array.from({ length: 8 }, () => run(provider, '[[text]]')))
      expect(runs.map(({ outcome }) => outcome.kind)).toEqual(Array(8).fill('ok'))
      expect(api.requests).toHaveLength(8)
    })

    const failures: [string, Record<string, unknown>][] = [
      ['401', { kind: 'halt', reason: 'auth' }],
      ['403', { kind: 'halt', reason: 'auth' }],
      ['429', { kind: 'dead', reason: 'rate-limited', retryable: true, retryAfterMs: 7000 }],
      ['usage-limit', { kind: 'halt', reason: 'quota' }],
      ['500', { kind: 'dead', reason: 'agent-error', retryable: true }],
      ['529', { kind: 'dead', reason: 'agent-error', retryable: true }],
      ['400', { kind: 'dead', reason: 'agent-error', retryable: false }],
      ['malformed', { kind: 'dead', reason: 'agent-error' }],
      ['drop', { kind: 'dead', reason: 'agent-error', retryable: true }],
    ]
    for (const [marker, expected] of failures) {
      test(`fails on ${marker} as what it is, after one request`, async () => {
        const { outcome } = await run(provider, `[[${marker}]]`)
        expect(outcome).toMatchObject(expected)
        expect('detail' in outcome && outcome.detail).toContain(api.url)
        expect(api.requests).toHaveLength(1)
      })
    }
  })
}

test('what the model can’t do is shown', async () => {
  const { events } = await run('anthropic', '[[text]]', { model: 'a-model-of-tomorrow' })
  expect(events).toContainEqual({ kind: 'notice', text: expect.stringContaining('The max output tokens have been limited to 4096') })
})

test('a call that allows tools is told that this agent has none', async () => {
  const { events } = await run('openai-compatible', '[[text]]', { allowedTools: ['Read'] })
  expect(events).toContainEqual({ kind: 'notice', text: 'This agent has no tools, so there are none to allow' })
})

test('a key that is not there stops the run before anything is asked; without a name none is sent', async () => {
  const { outcome } = await run('openai-compatible', '[[text]]', {}, { env: {} })
  expect(outcome).toMatchObject({ kind: 'halt', reason: 'auth', detail: expect.stringContaining('ENDPOINT_KEY') })
  expect(api.requests).toEqual([])
  const open: ProfileOf<'api'>['options'] = { provider: 'openai-compatible', baseUrl: `${api.url}/v1` }
  const profile: ProfileOf<'api'> = { name: 'local', backend: 'api', model: 'm', permissions: 'ask', options: open }
  const local = makeApiRunner(profile, { project: '/', data: '/', executable: async (usual) => usual })
  expect(await local.run(agentCall('[[text]]'), recording({ env: {} }).context)).toMatchObject({ kind: 'ok' })
  expect(api.requests.map(({ key }) => key)).toEqual([''])
})

test('an endpoint that nobody answers at is named with what to do', async () => {
  const nobody = await FakeApi.start()
  const address = nobody.url
  await nobody.close()
  const away = runner('openai-compatible', { baseUrl: `${address}/v1` })
  const outcome = await away.run(agentCall('x'), recording({ env: KEY }).context)
  expect(outcome).toMatchObject({
    kind: 'dead',
    reason: 'agent-error',
    retryable: true,
    detail: expect.stringMatching(/ECONNREFUSED.*Start it/),
  })
  const { signal } = new AbortController()
  expect(await away.probe?.({ env: KEY, signal, onSpawn: () => {} })).toMatchObject({ state: 'not-found' })
  expect(await runner('openai-compatible').probe?.({ env: KEY, signal, onSpawn: () => {} })).toMatchObject({ state: 'ready', detail: null })
  expect(await runner('openai-compatible').probe?.({ env: {}, signal, onSpawn: () => {} })).toMatchObject({ state: 'signed-out' })
})
