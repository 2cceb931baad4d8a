import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Json } from '../../shared/json.ts'
import { FakeApi } from './fake-api/fake-api.ts'

let api: FakeApi

beforeAll(async () => {
  api = await FakeApi.start()
})
beforeEach(() => api.forget())
afterAll(() => api.close())

const SCHEMA = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] }
const SHELL = { name: 'Bash', input_schema: { type: 'object', properties: { command: { type: 'string' }, description: {} } } }

function messages(said: string, more: Record<string, Json> = {}, signal?: AbortSignal): Promise<Response> {
  return post('/v1/messages', { model: 'some-model', messages: [{ role: 'user', content: said }], ...more }, { 'x-api-key': 'key' }, signal)
}

function responses(said: string, more: Record<string, Json> = {}): Promise<Response> {
  return post('/v1/responses', { model: 'some-model', input: [{ role: 'user', content: said }], ...more }, { authorization: 'Bearer key' })
}

function post(path: string, body: Json, headers: Record<string, string>, signal?: AbortSignal): Promise<Response> {
  return fetch(`${api.url}${path}`, { method: 'POST', body: JSON.stringify(body), headers, signal: signal ?? null })
}

describe('the fake of the model APIs', () => {
  test('remembers what it was asked: model, key, tools and marker', async () => {
    await (await messages('Do it [[text]]', { tools: [SHELL] })).text()
    await (await responses('Do it [[text]]', { tools: [{ type: 'namespace', name: 'mcp', tools: [{ name: 'find' }] }] })).text()
    const seen = api.requests.map(({ dialect, key, marker, status, question }) => [dialect, key, marker, status, question.model])
    expect(seen).toEqual([
      ['anthropic-messages', 'key', 'text', 200, 'some-model'],
      ['openai-responses', 'Bearer key', 'text', 200, 'some-model'],
    ])
    expect(api.requests.map((request) => request.question.tools.map(({ name, namespace }) => [name, namespace]))).toEqual([
      [['Bash', undefined]],
      [['find', 'mcp']],
    ])
  })

  test('answers whole or in events, with the same tokens', async () => {
    expect(await (await messages('Hi')).json()).toMatchObject({
      content: [{ type: 'text' }],
      usage: { input_tokens: 11, output_tokens: 22 },
    })
    expect(await (await responses('Hi')).json()).toMatchObject({ status: 'completed', usage: { input_tokens: 11, output_tokens: 22 } })
    const events = await (await messages('Hi', { stream: true })).text()
    expect([...events.matchAll(/^event: (\w+)$/gm)].map((match) => match[1]).slice(-3)).toEqual([
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
    expect(await (await responses('Hi', { stream: true })).text()).toMatch(/"type":"response.completed"/)
  })

  test('gives a value that keeps to the schema, after one that does not where the marker says so', async () => {
    const format = { output_config: { format: { type: 'json_schema', schema: SCHEMA } } }
    const said = async (marker: string) => {
      const body = (await (await messages(marker, format)).json()) as { content: { text: string }[] }
      return JSON.parse(body.content[0]?.text ?? '') as Json
    }
    expect(await said('[[bad-json]]')).toEqual({ unexpected: true })
    expect(await said('[[bad-json]]')).toEqual({ title: 'simulated' })
    expect(await said('[[json]]')).toEqual({ title: 'simulated' })
  })

  test('calls a tool that it is offered, once', async () => {
    const first = await (await messages('[[tool:echo]]', { tools: [SHELL] })).json()
    expect(first).toMatchObject({
      stop_reason: 'tool_use',
      content: [{ name: 'Bash', input: { command: expect.stringContaining('echo') } }],
    })
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: 'done' }] }
    const again = await messages('', { tools: [SHELL], messages: [{ role: 'user', content: '[[tool:echo]]' }, result] })
    expect(await again.json()).toMatchObject({ stop_reason: 'end_turn', content: [{ type: 'text' }] })
  })

  test('refuses with the status that the marker names, and tells when to come back', async () => {
    for (const status of [401, 403, 429, 500, 529]) expect((await messages(`[[${status}]]`)).status).toBe(status)
    expect((await responses('[[429]]')).headers.get('retry-after')).toBe('7')
    expect(await (await responses('[[usage-limit:9am]]')).json()).toMatchObject({ error: { message: expect.stringContaining('9am') } })
    expect([(await messages('[[once:500]]')).status, (await messages('[[once:500]]')).status]).toEqual([500, 200])
  })

  test('hangs, breaks off or talks nonsense, and notices who goes away', async () => {
    const stop = new AbortController()
    const hanging = messages('[[hang]]', {}, stop.signal).catch((error: unknown) => error)
    const request = await api.asked((one) => one.marker === 'hang')
    stop.abort()
    expect(await request.aborted).toBe(true)
    expect(await hanging).toBeInstanceOf(Error)
    await expect((await messages('[[drop]]')).text()).rejects.toThrow()
    expect(await (await messages('[[malformed]]')).text()).toMatch(/^data: \{"this/)
  })
})

test('chat completions and Gemini answer in events with the same tokens, and keep to a schema', async () => {
  const chat = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], stream: true }
  const format = { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: SCHEMA } } }
  expect(await (await post('/v1/chat/completions', chat, {})).text()).toMatch(/"completion_tokens":22[\s\S]*data: \[DONE\]/)
  const object = await (await post('/v1/chat/completions', { ...chat, ...format, stream: false }, {})).json()
  expect(JSON.parse((object as { choices: { message: { content: string } }[] }).choices[0]?.message.content ?? '')).toHaveProperty('title')
  const asked = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }
  const google = await (await post('/v1beta/models/some-gemini:streamGenerateContent', asked, { 'x-goog-api-key': 'key' })).text()
  expect(google).toMatch(/"candidatesTokenCount":22/)
  expect(api.requests.map(({ dialect, question }) => [dialect, question.model])).toEqual([
    ['chat-completions', 'm'],
    ['chat-completions', 'm'],
    ['gemini', 'some-gemini'],
  ])
})
