import { afterEach, beforeEach, expect, test } from 'vitest'
import { StructuredOutput } from '../../../main/agents/acp/structured-output.ts'
import type { Json } from '../../../shared/json.ts'

const SCHEMA: Json = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] }

let tool: StructuredOutput
beforeEach(async () => {
  tool = await StructuredOutput.open(SCHEMA)
})
afterEach(() => tool.close())

async function post(message: Json, { url = tool.url, token = tool.token }: { url?: string; token?: string } = {}) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message) })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : (JSON.parse(text) as { result?: Json; error?: { code: number } }) }
}

const call = (input: Json) => post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'structured_output', arguments: input } })

test('it answers those alone who know its address and its token, and listens on this machine only', async () => {
  expect(new URL(tool.url).hostname).toBe('127.0.0.1')
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  expect((await post(list, { token: 'guessed' })).status).toBe(404)
  expect((await post(list, { url: new URL('/', tool.url).href })).status).toBe(404)
  expect(await post(list)).toMatchObject({ status: 200, body: { result: { tools: [{ name: 'structured_output', inputSchema: SCHEMA }] } } })
  expect((await fetch(tool.url, { headers: { authorization: `Bearer ${tool.token}` } })).status).toBe(405)
})

test('it speaks the version that it is asked for, and says nothing to what needs no answer', async () => {
  const hello = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-03-26' } }
  expect(await post(hello)).toMatchObject({ body: { result: { protocolVersion: '2025-03-26', capabilities: { tools: {} } } } })
  expect(await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).toEqual({ status: 202, body: null })
  expect(await post({ jsonrpc: '2.0', id: 2, method: 'resources/list' })).toMatchObject({ body: { error: { code: -32601 } } })
  expect((await post('no message')).body).toMatchObject({ error: { code: -32600 } })
})

test('a value of another shape is sent back with what is wrong; a right one stays, whatever comes later', async () => {
  expect(await call({ title: 1 })).toMatchObject({
    body: { result: { isError: true, content: [{ text: expect.stringContaining('/title must be string') }] } },
  })
  expect(tool.given).toEqual({ value: { title: 1 }, isValid: false })
  expect(await call({ title: 'right' })).toMatchObject({ body: { result: { isError: false } } })
  await call({ wrong: true })
  expect(tool.given).toEqual({ value: { title: 'right' }, isValid: true })
})
