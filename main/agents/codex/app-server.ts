/**
 * One `codex app-server` and the conversation with it. Many calls share it: what it tells and asks is passed to the thread that
 * it belongs to. When it ends, whatever was asked of it fails with how it ended.
 */
import { createInterface } from 'node:readline'
import type { Json } from '../../../shared/json.ts'
import { VERSION } from '../../../shared/version.ts'
import { AgentChild } from '../agent-child.ts'
import type { ProcessId } from '../process-tree.ts'
import type { ClientMethod, ClientRequests, Notification, ServerRequest } from './protocol.ts'

/** Whoever works in a thread. */
export interface ThreadListener {
  told(notification: Notification): void
  /** The answer goes back as it is. */
  asked(request: ServerRequest): Promise<Json>
  /** The server is gone; `how` says so in words. */
  lost(how: string): void
}

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

/** For an end of its own once its input is closed. */
const LEAVE_MS = 1000
/** An answer that the server gives without asking a model. */
const ANSWER_MS = 60_000

export class ServerError extends Error {}

export class AppServer {
  /** It answers. Rejects with why it does not. */
  readonly ready: Promise<void>
  readonly ended: Promise<void>
  private readonly child: AgentChild
  private readonly waiting = new Map<number, Waiting>()
  private readonly threads = new Map<string, ThreadListener>()
  private lastId = 0
  private how: string | null = null

  constructor(
    command: { file: string; args: readonly string[]; cwd: string; env: Readonly<Record<string, string>> },
    onSpawn: (self: ProcessId) => void,
  ) {
    const child = new AgentChild(command, onSpawn)
    this.child = child
    // One long line more or less: the protocol is made of lines, however long.
    createInterface({ input: child.process.stdout }).on('line', (line) => this.take(line))
    this.ended = child.ended.then((how) => this.gone(how))
    this.ready = this.greet()
    this.ready.catch(() => {})
  }

  private async greet(): Promise<void> {
    const clientInfo = { name: 'reprise', title: 'Reprise', version: VERSION }
    await this.ask('initialize', { clientInfo, capabilities: { experimentalApi: true } })
    this.write({ method: 'initialized' })
  }

  get isGone(): boolean {
    return this.how !== null
  }

  /** @throws ServerError what the server says, or how it ended */
  async ask<M extends ClientMethod>(method: M, params: ClientRequests[M]['params']): Promise<ClientRequests[M]['result']> {
    if (this.how !== null) throw new ServerError(this.how)
    this.lastId += 1
    const id = this.lastId
    const answered = new Promise<unknown>((resolve, reject) => this.waiting.set(id, { resolve, reject }))
    this.write({ id, method, params })
    const late = setTimeout(() => this.waiting.get(id)?.reject(new ServerError(`Codex did not answer ${method}`)), ANSWER_MS)
    try {
      return (await answered) as ClientRequests[M]['result']
    } finally {
      clearTimeout(late)
      this.waiting.delete(id)
    }
  }

  /** From now on the thread's news go to `listener`, until it is forgotten. */
  listen(threadId: string, listener: ThreadListener): void {
    this.threads.set(threadId, listener)
    if (this.how !== null) listener.lost(this.how)
  }

  forget(threadId: string): void {
    this.threads.delete(threadId)
  }

  /** Takes down what runs below it, before a command of it is ended. */
  look(): void {
    this.child.look()
  }

  async end(leaveMs = LEAVE_MS): Promise<void> {
    await this.child.end(leaveMs)
  }

  private take(line: string): void {
    const message = parsed(line)
    if (message === null) return
    if (typeof message['method'] === 'string') {
      if (message['id'] === undefined) this.news(message as unknown as Notification)
      else void this.request(message['id'], message as unknown as ServerRequest)
      return
    }
    const waiting = this.waiting.get(Number(message['id']))
    if (message['error'] === undefined) return waiting?.resolve(message['result'])
    const { message: words } = message['error'] as { message?: string }
    waiting?.reject(new ServerError(words ?? 'Codex refused without a reason'))
  }

  /** What belongs to no thread, such as the limits of the account, is for all of them. */
  private news(notification: Notification): void {
    const threadId = 'threadId' in notification.params ? notification.params.threadId : null
    if (typeof threadId === 'string') this.threads.get(threadId)?.told(notification)
    else for (const listener of this.threads.values()) listener.told(notification)
  }

  private async request(id: unknown, request: ServerRequest): Promise<void> {
    const listener = this.threads.get(request.params.threadId)
    try {
      if (listener === undefined) throw new Error('Nobody works in this thread')
      this.write({ id, result: await listener.asked(request) })
    } catch (error) {
      this.write({ id, error: { code: -32_601, message: error instanceof Error ? error.message : String(error) } })
    }
  }

  private write(message: Record<string, unknown>): void {
    if (this.how === null) this.child.process.stdin.write(`${JSON.stringify(message)}\n`)
  }

  private gone(how: string): void {
    const said = this.child.said
    this.how = `Codex ${how}${said === '' ? '' : `: ${said}`}`
    for (const { reject } of this.waiting.values()) reject(new ServerError(this.how))
    for (const listener of this.threads.values()) listener.lost(this.how)
  }
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
