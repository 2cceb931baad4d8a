/**
 * The model APIs that agent programs talk to, on loopback, without a model: what it does is chosen by a marker in the prompt
 * (see scenario.ts). Tests assert on what was asked of it.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Json } from '../../../shared/json.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { chatCompletions } from './chat-completions.ts'
import { gemini } from './gemini.ts'
import { openaiResponses } from './openai-responses.ts'
import { type Answer, answerTo, markerIn, type Question } from './scenario.ts'

/** One API: how it is asked, and how it answers. */
export interface Dialect {
  name: string
  /** `path` is without the query. Other requests that belong to this API are answered by `aside`. */
  answers(method: string, path: string): boolean
  aside?(method: string, path: string): Json | null
  read(body: Record<string, Json>, path: string): Question
  errorBody(status: number, message: string): Json
  /** Writes a whole answer that is no failure. */
  write(answer: Extract<Answer, { kind: 'text' | 'tool' }>, question: Question, out: Reply): Promise<void>
}

const DIALECTS: readonly Dialect[] = [anthropicMessages, openaiResponses, chatCompletions, gemini]

export interface ApiRequest {
  dialect: string
  path: string
  /** Whatever came as key: `x-api-key`, `authorization` or `x-goog-api-key`. */
  key: string
  marker: string
  question: Question
  body: Record<string, Json>
  /** What was answered; null while nothing is. */
  status: number | null
  /** Whether the other side went away before the answer was whole. Resolves when the request is over. */
  aborted: Promise<boolean>
}

/** The answer under way. */
export class Reply {
  readonly number: number
  readonly #response: ServerResponse
  readonly #request: ApiRequest

  constructor(number: number, response: ServerResponse, request: ApiRequest) {
    this.number = number
    this.#response = response
    this.#request = request
  }

  get closed(): boolean {
    return this.#response.destroyed
  }

  json(status: number, body: Json, headers: Record<string, string> = {}): void {
    this.#request.status = status
    this.#response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

  /** Sends one server-sent event; the first one opens the stream. */
  event(data: Json | '[DONE]', name?: string): void {
    this.#open()
    const text = data === '[DONE]' ? data : JSON.stringify(data)
    this.#response.write(`${name === undefined ? '' : `event: ${name}\n`}data: ${text}\n\n`)
  }

  end(): void {
    this.#response.end()
  }

  /** The text in words, with the pauses that its scenario wants; stops when the other side has gone. */
  async *words(text: string, pauseMs: number): AsyncGenerator<string> {
    for (const word of text.match(/\s*\S+\s*/g) ?? [text]) {
      if (this.closed) return
      yield word
      if (pauseMs > 0) await wait(pauseMs)
    }
  }

  malformed(): void {
    this.#open()
    this.#response.end('data: {"this is no JSON\n\n')
  }

  async drop(): Promise<void> {
    this.#open()
    this.#response.write(': open\n\n')
    await wait(20)
    this.#response.destroy()
  }

  #open(): void {
    if (this.#response.headersSent) return
    this.#request.status = 200
    this.#response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  }
}

export class FakeApi {
  /** Requests for answers, in the order in which they came. */
  readonly requests: ApiRequest[] = []
  /** Requests that nobody here answers: method and path. */
  readonly unknown: string[] = []
  /** The most requests that were open at once. */
  peak = 0
  #open = 0
  readonly #server: Server
  readonly #watchers = new Set<() => void>()

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#take(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
    })
  }

  static async start(): Promise<FakeApi> {
    const api = new FakeApi()
    await new Promise<void>((resolve) => api.#server.listen(0, '127.0.0.1', resolve))
    return api
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Forgets what was asked until now. */
  forget(): void {
    this.requests.length = 0
    this.unknown.length = 0
    this.peak = 0
  }

  /** Resolves with the first request that fits, made before or after this call. */
  async asked(fits: (request: ApiRequest) => boolean = () => true): Promise<ApiRequest> {
    for (;;) {
      const found = this.requests.find(fits)
      if (found !== undefined) return found
      await new Promise<void>((resolve) => this.#watchers.add(resolve))
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readJson(request)
    const method = request.method ?? 'GET'
    const path = new URL(request.url ?? '/', 'http://fake').pathname
    const dialect = DIALECTS.find((one) => one.answers(method, path))
    if (dialect === undefined) return this.#answerAside(method, path, response)
    const question = dialect.read(body, path)
    const marker = markerIn(question.said)
    const seen = this.requests.filter((one) => one.marker === marker).length
    const aborted = new Promise<boolean>((resolve) => response.once('close', () => resolve(!response.writableFinished)))
    const entry: ApiRequest = { dialect: dialect.name, path, key: keyOf(request), marker, question, body, status: null, aborted }
    this.requests.push(entry)
    this.#open += 1
    this.peak = Math.max(this.peak, this.#open)
    void aborted.then(() => {
      this.#open -= 1
    })
    for (const watcher of this.#watchers) watcher()
    this.#watchers.clear()
    await send(answerTo(question, marker, seen), dialect, question, new Reply(this.requests.length, response, entry))
  }

  #answerAside(method: string, path: string, response: ServerResponse): void {
    for (const dialect of DIALECTS) {
      const body = dialect.aside?.(method, path) ?? null
      if (body === null) continue
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      return
    }
    this.unknown.push(`${method} ${path}`)
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"Not found"}}')
  }
}

async function send(answer: Answer, dialect: Dialect, question: Question, reply: Reply): Promise<void> {
  switch (answer.kind) {
    case 'hang':
      return
    case 'drop':
      return reply.drop()
    case 'malformed':
      return reply.malformed()
    case 'refuse': {
      const headers: Record<string, string> = answer.retryAfter === undefined ? {} : { 'retry-after': answer.retryAfter }
      return reply.json(answer.status, dialect.errorBody(answer.status, answer.message), headers)
    }
    default:
      return dialect.write(answer, question, reply)
  }
}

async function readJson(request: IncomingMessage): Promise<Record<string, Json>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, Json>
  } catch {
    return {}
  }
}

function keyOf(request: IncomingMessage): string {
  const { headers } = request
  return String(headers['x-api-key'] ?? headers.authorization ?? headers['x-goog-api-key'] ?? '')
}
