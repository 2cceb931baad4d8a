/**
 * A small agent that speaks the Agent Client Protocol, for tests: what it does is chosen by the last `[[marker]]` of the prompt.
 * Started with `--stubborn` it ignores SIGTERM and the end of its input.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { agent, methods, ndJsonStream, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk'

const USAGE = { inputTokens: 11, outputTokens: 22, cachedReadTokens: 3, thoughtTokens: 4, totalTokens: 40 }
const HANG_MS = 2 ** 31 - 1
const isStubborn = process.argv.includes('--stubborn')
const hasNoHttp = process.argv.includes('--no-http')
const sessions = new Map()

if (isStubborn) process.on('SIGTERM', () => {})

const CONFIG = [
  {
    id: 'model',
    name: 'Model',
    type: 'select',
    category: 'model',
    currentValue: 'small',
    options: [
      { value: 'small', name: 'Small' },
      { value: 'large', name: 'Large' },
    ],
  },
  {
    id: 'thinking',
    name: 'Thinking',
    type: 'select',
    category: 'thought_level',
    currentValue: 'low',
    options: [
      { value: 'low', name: 'Low' },
      { value: 'high', name: 'High' },
    ],
  },
]
const MODES = {
  currentModeId: 'default',
  availableModes: [
    { id: 'default', name: 'Asks' },
    { id: 'plan', name: 'Looks only' },
  ],
}

function open(sessionId, { cwd, mcpServers }) {
  sessions.set(sessionId, { cwd, server: mcpServers[0] ?? null, stop: new AbortController(), turns: 0, set: {} })
  return { modes: MODES, configOptions: CONFIG }
}

/** Calls the structured output tool of the client, as the protocol's tool servers are called. */
async function tool(session, method, params) {
  const { url, headers } = session.server
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...Object.fromEntries(headers.map(({ name, value }) => [name, value])) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return (await response.json()).result
}

async function prompt({ params, client }) {
  const { sessionId } = params
  const session = sessions.get(sessionId)
  session.turns += 1
  session.stop = new AbortController()
  const { signal } = session.stop
  const said = params.prompt.map((part) => part.text ?? '').join('\n')
  const marker = [...said.matchAll(/\[\[([\w:-]+)\]\]/g)].at(-1)?.[1] ?? session.marker ?? 'text'
  session.marker = marker
  const tell = (update) => client.notify(methods.client.session.update, { sessionId, update })
  const say = (text) => tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
  const done = { stopReason: 'end_turn', usage: USAGE }
  const ask = (toolCall) =>
    client.request(methods.client.session.requestPermission, {
      sessionId,
      toolCall,
      options: [
        { optionId: 'for-ever', name: 'Always', kind: 'allow_always' },
        { optionId: 'this-once', name: 'Allow', kind: 'allow_once' },
        { optionId: 'no', name: 'Reject', kind: 'reject_once' },
      ],
    })

  switch (marker) {
    case 'text':
      await tell({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'Thinking it over' } })
      for (const word of ['hello ', 'from ', 'the agent']) await say(word)
      return done
    case 'told':
      await say(JSON.stringify({ said, set: session.set, cwd: session.cwd, env: { ...process.env } }))
      return done
    case 'json':
    case 'json-bad-first':
    case 'json-ask': {
      const { tools } = await tool(session, 'tools/list', {})
      if (marker === 'json-ask') {
        const title = `${tools[0].name} (reprise MCP Server)`
        const { outcome } = await ask({ toolCallId: 'own', title, kind: 'other' })
        if (outcome.optionId !== 'this-once') return done
      }
      if (marker === 'json-bad-first') {
        const refused = await tool(session, 'tools/call', { name: tools[0].name, arguments: { title: 5 } })
        await say(refused.content[0].text)
        if (!refused.isError) return done
      }
      const value = tools[0].inputSchema.properties.value ? { value: [1, 2] } : { title: 'done', score: 7 }
      await tool(session, 'tools/call', { name: tools[0].name, arguments: value })
      return done
    }
    case 'json-wrong':
      await tool(session, 'tools/call', { name: 'structured_output', arguments: { wrong: true } })
      return done
    case 'json-late':
      if (session.turns === 1) await say('I forgot the tool')
      else await tool(session, 'tools/call', { name: 'structured_output', arguments: { title: 'late', score: 1 } })
      return done
    case 'json-never':
      await say('I will not')
      return done
    case 'json-words':
      await say('```json\n{"title": "words", "score": 2}\n```')
      return done
    case 'tool':
    case 'tool-cancels': {
      if (marker === 'tool-cancels' && session.turns > 1) {
        await say('went on')
        return done
      }
      await say('Let me look.')
      await tell({
        sessionUpdate: 'tool_call',
        toolCallId: 't',
        title: 'rm -r build',
        kind: 'execute',
        status: 'pending',
        rawInput: { command: 'rm -r build' },
      })
      const { outcome } = await ask({ toolCallId: 't' })
      const allowed = outcome.optionId === 'this-once'
      if (!allowed && marker === 'tool-cancels') return { stopReason: 'cancelled', usage: USAGE }
      await tell({ sessionUpdate: 'tool_call_update', toolCallId: 't', status: allowed ? 'completed' : 'failed' })
      await tell({
        sessionUpdate: 'plan',
        entries: [
          { content: 'Look', priority: 'high', status: 'completed' },
          { content: 'Tell', priority: 'low', status: 'pending' },
        ],
      })
      await tell({ sessionUpdate: 'usage_update', used: 40, size: 1000, cost: { amount: 0.25, currency: 'USD' } })
      await say(allowed ? 'tool ran' : `tool did not run: ${outcome.outcome}`)
      return done
    }
    case 'sleep': {
      // In a session of its own, so that its group is not ours; it never ends by itself.
      const child = spawn('tail', ['-f', '/dev/null'], { detached: true, stdio: 'ignore', env: { PATH: process.env.PATH } })
      appendFileSync(`${session.cwd}/tool.pid`, `${child.pid}\n`)
      await tell({ sessionUpdate: 'tool_call', toolCallId: 's', title: 'tail -f /dev/null', kind: 'execute', status: 'in_progress' })
      await wait(HANG_MS, undefined, isStubborn ? {} : { signal }).catch(() => {})
      return { stopReason: 'cancelled', usage: USAGE }
    }
    case 'hang':
      await wait(HANG_MS)
      return done
    case '401':
      throw RequestError.authRequired({ details: 'No key is set' })
    case '401-data':
      throw RequestError.internalError({ errorKind: 'authentication_failed', message: 'Invalid API key' })
    case '429':
      throw new RequestError(429, 'Too many requests, slow down')
    case '429-quota':
      throw RequestError.internalError({ status: 429, message: 'You exceeded your current quota. It resets in 2h 30m' })
    case '429-words':
      await say('stream disconnected: 429 Too Many Requests')
      return { stopReason: 'end_turn', usage: null }
    case '500':
      throw RequestError.internalError({ errorKind: 'server_error', message: 'The model is not there' })
    case 'refusal':
      await say('That I will not do')
      return { stopReason: 'refusal', usage: USAGE }
    case 'quota-usage':
      await say('counted elsewhere')
      return { stopReason: 'end_turn', _meta: { quota: { token_count: { input_tokens: 5, output_tokens: 6 } } } }
    case 'malformed':
      process.stdout.write('{"jsonrpc": "2.0", "id"\n')
      await wait(HANG_MS)
      return done
    case 'noise':
      process.stdout.write('Warning: no colours here\n')
      await say('all the same')
      return done
    case 'exit':
      process.stderr.write('panic: out of paper\n')
      process.exit(3)
      return done
    default:
      throw RequestError.invalidParams({ message: `The fixture knows no [[${marker}]]` })
  }
}

agent({ name: 'fixture' })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: PROTOCOL_VERSION,
    agentCapabilities: { loadSession: true, mcpCapabilities: { http: !hasNoHttp, sse: false } },
    authMethods: [],
  }))
  .onRequest(methods.agent.session.new, ({ params }) => {
    const sessionId = randomUUID()
    return { sessionId, ...open(sessionId, params) }
  })
  .onRequest(methods.agent.session.load, async ({ params, client }) => {
    if (params.sessionId === 'gone') throw RequestError.sessionNotFound(params.sessionId)
    // What was said then is told again before the session is loaded.
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'said long ago' } }
    await client.notify(methods.client.session.update, { sessionId: params.sessionId, update })
    return open(params.sessionId, params)
  })
  .onRequest(methods.agent.session.setMode, ({ params }) => {
    sessions.get(params.sessionId).set.mode = params.modeId
    return {}
  })
  .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
    sessions.get(params.sessionId).set[params.configId] = params.value
    return { configOptions: CONFIG }
  })
  .onRequest(methods.agent.session.prompt, prompt)
  .onNotification(methods.agent.session.cancel, ({ params }) => {
    if (!isStubborn) sessions.get(params.sessionId)?.stop.abort()
  })
  .connect(ndJsonStream(writable(), readable()))

function writable() {
  return new WritableStream({ write: (chunk) => new Promise((resolve) => process.stdout.write(chunk, () => resolve())) })
}

function readable() {
  return new ReadableStream({
    start(controller) {
      process.stdin.on('data', (chunk) => controller.enqueue(new Uint8Array(chunk)))
      process.stdin.once('end', () => (isStubborn ? setInterval(() => {}, HANG_MS) : controller.close()))
    },
  })
}
