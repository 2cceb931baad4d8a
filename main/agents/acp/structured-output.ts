/**
 * Structured output for agents whose protocol knows no schemas: a tool server (MCP over HTTP) with one tool, whose input is
 * the wanted value. It listens on loopback only, on a path and with a token that nobody can guess, and for one call.
 */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from '../../../shared/json.ts'
import { schemaCheck } from '../../engine/schema.ts'

export const SERVER_NAME = 'reprise'
export const TOOL_NAME = 'structured_output'

/** An agent that never gets it right is stopped by the call's own limits, not by us; more than this is no dialogue. */
const MOST_BYTES = 32 * 1024 * 1024
const JSON_RPC = { invalidRequest: -32600, unknownMethod: -32601, invalidParams: -32602 }

type Message = { [key: string]: Json | undefined }

export class StructuredOutput {
  readonly url: string
  readonly token: string
  /** What the agent handed in last; `isValid` when it has the wanted shape. */
  given: { value: Json; isValid: boolean } | null = null
  private readonly server: Server

  private constructor(server: Server, path: string, token: string) {
    const { port } = server.address() as AddressInfo // a server that listens on a port has one
    this.server = server
    this.url = `http://127.0.0.1:${port}${path}`
    this.token = token
  }

  /** @throws Error when the schema is invalid, or no port can be had */
  static async open(schema: Json): Promise<StructuredOutput> {
    const check = schemaCheck(schema)
    const shape = toolShape(schema)
    const path = `/${randomBytes(16).toString('hex')}`
    const token = randomBytes(32).toString('hex')
    const server = createServer((request, response) => {
      const allowed = request.url === path && request.headers.authorization === `Bearer ${token}`
      if (!allowed) return void response.writeHead(404).end()
      void answer(request, response, shape.input, (input) => {
        const value = shape.unwrap(input)
        const verdict = value === undefined ? ({ ok: false, problem: 'the value is missing' } as const) : check(value)
        // A valid value stays, whatever comes after it.
        if (value !== undefined && opened.given?.isValid !== true) opened.given = { value, isValid: verdict.ok }
        return verdict.ok ? null : verdict.problem
      })
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, '127.0.0.1', resolve)
    })
    const opened = new StructuredOutput(server, path, token)
    return opened
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}

/** The input of a tool is an object: any other value is put into one. */
function toolShape(schema: Json): { input: Json; unwrap(input: Json): Json | undefined } {
  const whole = schema as Message // it was compiled before, so it is an object
  if (whole['type'] === 'object') return { input: schema, unwrap: (input) => input }
  const { $defs, definitions, $schema } = whole
  const input = {
    type: 'object',
    properties: { value: schema },
    required: ['value'],
    // Kept in reach of references such as `#/$defs/item`.
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
    ...($schema !== undefined && { $schema }),
  }
  return { input, unwrap: (given) => (given as Message | null)?.['value'] }
}

/** @param take gives what is wrong with a value, or null */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  input: Json,
  take: (value: Json) => string | null,
): Promise<void> {
  // There is no stream of our own and no session to end.
  if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end()
  const message = await read(request)
  const reply = message === null ? failed(null, JSON_RPC.invalidRequest, 'No JSON-RPC message') : replyTo(message, input, take)
  if (reply === null) return void response.writeHead(202).end()
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
}

function replyTo(message: Message, input: Json, take: (value: Json) => string | null): Message | null {
  const { id, method } = message
  if (id === undefined) return null
  const params = (message['params'] ?? {}) as Message
  switch (method) {
    case 'initialize': {
      const protocolVersion = params['protocolVersion'] ?? '2025-06-18'
      return succeeded(id, { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: SERVER_NAME, version: '1' } })
    }
    case 'ping':
      return succeeded(id, {})
    case 'tools/list': {
      const description = 'Hands in the final result of this task. Call it once, when you are done, with the whole result.'
      return succeeded(id, { tools: [{ name: TOOL_NAME, description, inputSchema: input }] })
    }
    case 'tools/call': {
      if (params['name'] !== TOOL_NAME) return failed(id, JSON_RPC.invalidParams, `There is no tool ${String(params['name'])}`)
      const problem = take(params['arguments'] ?? {})
      const text =
        problem === null ? 'Accepted. You are done.' : `Not accepted: ${problem}. Call ${TOOL_NAME} again with a value that matches.`
      return succeeded(id, { content: [{ type: 'text', text }], isError: problem !== null })
    }
    default:
      return failed(id, JSON_RPC.unknownMethod, `There is no method ${String(method)}`)
  }
}

function succeeded(id: Json, result: Json): Message {
  return { jsonrpc: '2.0', id, result }
}

function failed(id: Json, code: number, message: string): Message {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

async function read(request: IncomingMessage): Promise<Message | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request) {
      bytes += (chunk as Buffer).length
      if (bytes > MOST_BYTES) return null
      chunks.push(chunk as Buffer)
    }
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Message) : null
  } catch {
    return null
  }
}
