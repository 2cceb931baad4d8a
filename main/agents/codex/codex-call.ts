/** One call on a running Codex: a thread, a turn in it, and its answer. Nothing that it started is left when it ends. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Json } from '../../../shared/json.ts'
import type { AgentCall, AgentContext, AgentOutcome } from '../agent-runner.ts'
import { marksOf } from '../child-environment.ts'
import { modelFailure } from '../model-failure.ts'
import { endFamily } from '../process-tree.ts'
import { type AppServer, ServerError } from './app-server.ts'
import { Approvals } from './approvals.ts'
import { CodexEvents } from './codex-events.ts'
import { turnFailure } from './codex-outcome.ts'
import type { ThreadSettings } from './protocol.ts'
import { type StrictSchema, strictSchema } from './strict-schema.ts'

/** For what Codex does at the end of a call, each by itself; it takes milliseconds when all is well. */
const TIDY_MS = 1500
const GRACE_MS = 1000

export class CodexCall {
  private readonly server: AppServer
  private readonly call: AgentCall
  private readonly context: AgentContext
  private readonly events: CodexEvents
  private readonly strict: StrictSchema | null
  private threadId: string | null = null
  /** The id of the turn, once one is asked for. */
  private turn: Promise<string> | null = null
  private lost: string | null = null
  private settle: () => void = () => {}
  /** The turn has ended, or the server has. */
  private readonly over = new Promise<void>((resolve) => {
    this.settle = resolve
  })

  constructor(server: AppServer, call: AgentCall, context: AgentContext) {
    this.server = server
    this.call = call
    this.context = context
    this.events = new CodexEvents((event) => context.onEvent(event))
    this.strict = call.schema === undefined ? null : strictSchema(call.schema)
  }

  async outcome({ problems, ...settings }: ThreadSettings & { problems: string[] }): Promise<AgentOutcome> {
    const { signal } = this.context
    const { server } = this
    for (const problem of problems) this.events.speech.notice(problem)
    const aborted = new Promise<'aborted'>((resolve) => {
      if (signal.aborted) resolve('aborted')
      else signal.addEventListener('abort', () => resolve('aborted'), { once: true })
    })
    const ended = this.talk(settings).catch((error: unknown) => this.failed(error))
    const first = await Promise.race([ended, aborted])
    if (first !== 'aborted') {
      await this.leave(first.kind === 'ok')
      return first
    }
    // Without a thread it has done nothing yet, and will not.
    if (this.threadId === null) void ended.then(() => this.leave(false))
    else if (await this.interrupted(ended)) await this.leave(false)
    else await server.end(0)
    return { kind: 'cancelled' }
  }

  private async talk(settings: ThreadSettings): Promise<AgentOutcome> {
    const { call, server, context } = this
    const { session } = call
    const { thread } =
      session === undefined
        ? await server.ask('thread/start', settings)
        : await server.ask('thread/resume', { ...settings, threadId: session, excludeTurns: true })
    this.threadId = thread.id
    const approvals = new Approvals(call, context, (item) => this.events.files.get(item) ?? [])
    server.listen(thread.id, {
      told: (notification) => {
        this.events.take(notification)
        if (this.events.end !== null) this.settle()
      },
      asked: (request) => approvals.answer(request),
      lost: (how) => {
        this.lost = how
        this.settle()
      },
    })
    context.onSession(thread.id)
    context.signal.throwIfAborted()
    const started = server.ask('turn/start', {
      threadId: thread.id,
      input: [{ type: 'text', text: this.prompt(), text_elements: [] }],
      ...(call.effort !== undefined && { effort: call.effort }),
      ...(this.strict !== null && { outputSchema: this.strict.schema }),
    })
    this.turn = started.then(({ turn }) => turn.id)
    await this.turn
    await this.over
    return this.result()
  }

  /** A schema that Codex can't hold the model to is told in words. */
  private prompt(): string {
    const { prompt, schema } = this.call
    if (schema === undefined || this.strict !== null) return prompt
    return `${prompt}\n\nAnswer with JSON and nothing else. It has to keep to this JSON Schema:\n${JSON.stringify(schema)}`
  }

  private result(): AgentOutcome {
    const { end, lastError, usage, answer, resetsAt } = this.events
    if (end === null) return this.died(this.lost ?? 'Codex ended in the middle of the call')
    if (end.status !== 'completed') {
      const error = end.error ?? lastError ?? { message: `Codex says that the turn was ${end.status}`, codexErrorInfo: null }
      return turnFailure(error, usage, resetsAt)
    }
    const output = this.call.schema === undefined ? answer : this.value(answer)
    return { kind: 'ok', output, usage, cost: null }
  }

  /** An answer that is no JSON stays text, for the schema check to answer. */
  private value(answer: string): Json {
    const text = answer.replace(/^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/, '$1')
    try {
      const value = JSON.parse(text) as Json
      return this.strict === null ? value : this.strict.back(value)
    } catch {
      return answer
    }
  }

  private failed(error: unknown): AgentOutcome {
    const detail = error instanceof Error ? error.message : String(error)
    if (this.server.isGone) return this.died(detail)
    const isSessionGone = this.call.session !== undefined && this.threadId === null
    if (isSessionGone) return this.dead(`${detail}. The session can’t be gone on with: ask again`, false)
    return error instanceof ServerError ? modelFailure({ text: detail, usage: this.events.usage }) : this.dead(detail, true)
  }

  private died(detail: string): AgentOutcome {
    return this.dead(detail, true)
  }

  private dead(detail: string, retryable: boolean): AgentOutcome {
    return { kind: 'dead', reason: 'agent-error', detail, retryable, usage: this.events.usage }
  }

  /** False when the server does not answer any more: it can only be ended then. */
  private interrupted(ended: Promise<unknown>): Promise<boolean> {
    const { threadId, turn, server } = this
    server.look()
    return inTime(async () => {
      const turnId = await turn
      if (threadId !== null && turnId !== null) await server.ask('turn/interrupt', { threadId, turnId })
      await ended
    })
  }

  /**
   * Commands that Codex keeps running in the background end with the call, and so does what they have started. A server that
   * does not do that at once is ended itself.
   */
  private async leave(isAnswered: boolean): Promise<void> {
    const { threadId, server } = this
    this.events.speech.flush()
    if (threadId === null || server.isGone) return
    const params = { threadId }
    const isClean = await inTime(() => server.ask('thread/backgroundTerminals/clean', params))
    if (process.platform !== 'win32') await endFamily([], GRACE_MS, marksOf(this.call))
    // Nobody goes on with a session that has given its answer.
    const isLeft = isClean && (await inTime(() => server.ask(isAnswered ? 'thread/delete' : 'thread/unsubscribe', params)))
    server.forget(threadId)
    if (!isLeft) await server.end(0)
  }
}

/** Whether it was done in time, with whatever result. */
async function inTime(work: () => Promise<unknown>): Promise<boolean> {
  const done = new AbortController()
  const late = wait(TIDY_MS, false, { signal: done.signal }).catch(() => false)
  const isDone = await Promise.race([
    work().then(
      () => true,
      () => true,
    ),
    late,
  ])
  done.abort()
  return isDone
}
