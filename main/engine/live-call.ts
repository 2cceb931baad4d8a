/**
 * One live call from its place in the queue to its final outcome: starts, tries again, checks the shape of the answer.
 * It journals each start; the final result is its owner's to save.
 */
import { assertNever } from '../../shared/assert-never.ts'
import { isTooDeep, type Json, MAX_JSON_DEPTH } from '../../shared/json.ts'
import type { NewEvent } from '../../shared/run/events.ts'
import type { CallResult, NewRecord, Usage } from '../../shared/run/record.ts'
import { callTask, requestOf } from './call-task.ts'
import type { AgentEvent, CallExecutor, CallTask, Clock, Outcome, PermissionAnswer, PermissionQuestion, ToTask } from './ports.ts'
import { retryDelay } from './retry-rule.ts'
import type { AskedCall } from './sandbox/protocol.ts'
import { type SchemaCheck, schemaCheck } from './schema.ts'

/** Answers that break the schema before the call is dead. */
const SCHEMA_TRIES = 3
/** Who answered a permission whose time was over. */
const NOBODY = 'nobody'

/** How a live call ended, before it is saved. */
export type Settled =
  | {
      kind: 'result'
      result: Exclude<CallResult, { kind: 'ok' }> | { kind: 'ok'; output: Json }
      usage: Usage
      cost: number | null
      ms: number
      tries: number
      backend: string | null
    }
  | { kind: 'halt'; reason: 'quota' | 'auth'; detail: string; resetAt?: string }
  /** Cancelled by a stop or by the end of the script: its owner knows why. */
  | { kind: 'cancelled' }

export interface LiveCallWorld {
  runId: string
  attempt: number
  backend: string | null
  executor: CallExecutor
  clock: Clock
  emit(event: NewEvent): void
  save(records: NewRecord[], sync: boolean): Promise<unknown>
  /** Nothing can be written now, so nothing is to be started either. */
  isHeld(): boolean
  chance(): number
  /** Its start could not be journaled. */
  onBroken(error: unknown): void
}

type State = 'queued' | 'starting' | 'running' | 'backoff' | 'settled'

export class LiveCall {
  readonly asked: AskedCall
  readonly settled: Promise<Settled>
  state: State = 'queued'
  #settle!: (settled: Settled) => void // set by the promise's executor, which runs at once
  #generation: number
  #tries = 0
  #deaths = 0
  #mismatches = 0
  /** How its last try died, while it waits for the next one. */
  #lastDeath: Extract<Outcome, { kind: 'dead' }> | null = null
  #isLastTry = false
  #startedAt = 0
  #ms = 0
  #usage: Usage = { inputTokens: 0, outputTokens: 0 }
  #cost: number | null = null
  #feedback = ''
  #task: { tell(message: ToTask): Promise<void> } | null = null
  /** Open permissions: the name that the run knows them by, and the one that the task does. */
  readonly #questions = new Map<string, string>()
  #cancelled: 'stop' | 'skip' | 'retry' | null = null
  #backoff: AbortController | null = null
  #session: string | undefined
  readonly #world: LiveCallWorld

  /** @param session the one that its first start goes on with; a later start begins anew */
  constructor(asked: AskedCall, generation: number, world: LiveCallWorld, session?: string) {
    this.asked = asked
    this.#session = session
    this.#generation = generation
    this.#world = world
    this.settled = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  /** What it has spent until now, in all its tries. */
  get soFar(): Omit<Extract<Settled, { kind: 'result' }>, 'kind' | 'result'> {
    return { usage: this.#usage, cost: this.#cost, ms: this.#ms, tries: this.#tries, backend: this.#world.backend }
  }

  /** It has been started and asks nobody anything. */
  get canRetry(): boolean {
    return this.state !== 'queued' && this.state !== 'settled' && this.#questions.size === 0
  }

  /** Journals the start and hands the call to the executor: what must not be repeated once its start is on the disk. */
  async start(): Promise<void> {
    const { runId, attempt, backend, executor, save, isHeld, onBroken } = this.#world
    const { call, fp, kind } = this.asked
    let check: SchemaCheck | null
    try {
      const schema = requestOf(this.asked.request)['schema']
      check = schema === undefined ? null : schemaCheck(schema)
    } catch (cause) {
      return this.#dead('schema-mismatch', `The schema is invalid: ${cause instanceof Error ? cause.message : String(cause)}`)
    }
    this.state = 'starting'
    this.#generation += 1
    this.#tries += 1
    this.#cancelled = null
    const request = this.#feedback === '' ? this.asked.request : withPrompt(this.asked.request, this.#feedback)
    const task = callTask({
      runId,
      attempt,
      call,
      kind: kind === 'check' ? 'check' : 'agent',
      fp,
      generation: this.#generation,
      request,
      backend,
      session: this.#session,
    })
    this.#session = undefined
    const saved = save([{ t: 'started', call, attempt, generation: this.#generation, worker: workerOf(task.needs) }], !task.repeatable)
    // What may be repeated does not wait for its line, which is written in this turn: with its result when that comes at once.
    if (!task.repeatable || isHeld()) await saved
    else saved.catch(onBroken)
    if (this.#isCancelled()) return this.#afterCancel()
    await executor.accept([task])
    this.#startedAt = this.#world.clock.now()
    this.#attach(task, check)
  }

  #attach(task: CallTask, check: SchemaCheck | null): void {
    const { call } = this.asked
    const { emit } = this.#world
    let announced = false
    this.state = 'running'
    const handle = this.#world.executor.attach(task.id, {
      started: ({ worker, streams, session }) => {
        if (!announced)
          emit({ type: 'call.started', callId: call, generation: task.generation, worker, ...(streams === true && { streams }) })
        announced = true
        if (session !== undefined) this.#named(session, task)
      },
      event: (event: AgentEvent) => emit({ type: 'call.progress', callId: call, kind: event.kind, text: event.text }),
      asked: ({ id, tool, title }: PermissionQuestion) => {
        const question = questionId(task, id)
        this.#questions.set(question, id)
        emit({ type: 'permission.asked', callId: call, question, tool, title })
      },
      answered: (id, answer) => this.#closeQuestion(questionId(task, id), answer, NOBODY),
      ended: (outcome) => this.#ended(outcome, check),
    })
    this.#task = handle
    if (this.#isCancelled()) void handle.tell({ t: 'cancel' })
  }

  /** Answers an open permission of this call. False when it has none of this name: the first answer counts. */
  answer(question: string, answer: PermissionAnswer, by: string): boolean {
    const own = this.#questions.get(question)
    if (own === undefined || this.#isCancelled()) return false
    this.#closeQuestion(question, answer, by)
    void this.#task?.tell({ t: 'answer', question: own, answer })
    return true
  }

  #closeQuestion(question: string, answer: PermissionAnswer, by: string): void {
    if (!this.#questions.delete(question)) return
    this.#world.emit({ type: 'permission.answered', callId: this.asked.call, question, answer, by })
  }

  /** The start is journaled before there is a conversation, so its name follows in a record of its own. */
  #named(session: string, { generation, needs }: CallTask): void {
    const { attempt, emit, save, onBroken } = this.#world
    const { call } = this.asked
    emit({ type: 'call.session', callId: call, session })
    save([{ t: 'started', call, attempt, generation, worker: workerOf(needs), session }], false).catch(onBroken)
  }

  /** Ends the call: for good (`stop`), as skipped, or to start it again. False when it has ended, or the run ends it already. */
  cancel(how: 'stop' | 'skip' | 'retry'): boolean {
    if (this.state === 'settled' || this.#cancelled === 'stop') return false
    this.#cancelled = how
    if (this.state === 'queued') this.#afterCancel()
    else if (this.state === 'backoff') this.#backoff?.abort()
    else void this.#task?.tell({ t: 'cancel' })
    return true
  }

  /** No further try is made: what is running goes on to its end, and a call that waits for its next try has died. */
  lastTry(): void {
    this.#isLastTry = true
    if (this.state === 'backoff') this.#backoff?.abort()
  }

  #isCancelled(): boolean {
    return this.#cancelled !== null
  }

  #afterCancel(): void {
    switch (this.#cancelled) {
      case 'skip':
        return this.#finish({ kind: 'skipped' }, null)
      case 'retry':
        if (!this.#isLastTry) return this.#again()
        this.state = 'settled'
        return this.#settle({ kind: 'cancelled' })
      case 'stop':
      case null:
        this.state = 'settled'
        return this.#settle({ kind: 'cancelled' })
      default:
        return assertNever(this.#cancelled)
    }
  }

  #ended(outcome: Outcome, check: SchemaCheck | null): void {
    this.#ms += Math.max(0, this.#world.clock.now() - this.#startedAt)
    this.#task = null
    this.#questions.clear()
    switch (outcome.kind) {
      case 'cancelled':
        return this.#afterCancel()
      case 'halt': {
        this.state = 'settled'
        const { reason, detail, resetAt } = outcome
        return this.#settle({ kind: 'halt', reason, detail, ...(resetAt !== undefined && { resetAt }) })
      }
      case 'dead':
        this.#count(outcome)
        return this.#died(outcome)
      case 'ok':
        this.#count(outcome)
        return this.#answered(outcome, check)
      default:
        return assertNever(outcome)
    }
  }

  #answered(outcome: Extract<Outcome, { kind: 'ok' }>, check: SchemaCheck | null): void {
    if (!('inline' in outcome.output)) return this.#dead('unserialisable', 'The answer was not handed over', outcome.backend)
    const answer = check === null ? outcome.output.inline : parsedIfText(outcome.output.inline, check)
    if (isTooDeep(answer))
      return this.#dead('unserialisable', `The answer is nested more than ${MAX_JSON_DEPTH} levels deep`, outcome.backend)
    const verdict = check?.(answer) ?? { ok: true }
    if (verdict.ok) return this.#finish({ kind: 'ok', output: answer }, outcome.backend)
    if (this.#isCancelled()) return this.#afterCancel()
    this.#mismatches += 1
    if (this.#isLastTry || this.#mismatches >= SCHEMA_TRIES) return this.#dead('schema-mismatch', verdict.problem, outcome.backend)
    this.#feedback = `\n\nYour last answer did not match the schema: ${verdict.problem}. Answer again with a value that matches.`
    this.#emitRetry('schema-mismatch', verdict.problem, 0)
    this.#again()
  }

  #died(outcome: Extract<Outcome, { kind: 'dead' }>): void {
    if (this.#isCancelled()) return this.#afterCancel()
    const retries = requestOf(this.asked.request)['retries']
    const delayMs = retryDelay(outcome, this.#deaths, typeof retries === 'number' ? retries : null, this.#world.chance())
    if (delayMs === null || this.#isLastTry) return this.#dead(outcome.reason, outcome.detail, outcome.backend)
    this.#deaths += 1
    this.#lastDeath = outcome
    this.#emitRetry(outcome.reason, outcome.detail, delayMs)
    this.state = 'backoff'
    const backoff = new AbortController()
    this.#backoff = backoff
    const over = (): void => this.#afterBackoff()
    this.#world.clock.after(delayMs, backoff.signal).then(over, over)
  }

  /** What was wished for meanwhile counts, also when it came in the moment in which the wait was over. */
  #afterBackoff(): void {
    const death = this.#lastDeath
    if (this.#isCancelled() || death === null) return this.#afterCancel()
    if (!this.#isLastTry) return this.#again()
    this.#dead(death.reason, death.detail, death.backend)
  }

  #again(): void {
    this.start().catch((error: unknown) => this.#world.onBroken(error))
  }

  #emitRetry(reason: string, detail: string, delayMs: number): void {
    this.#world.emit({ type: 'call.retrying', callId: this.asked.call, reason, detail, delayMs, tries: this.#tries })
  }

  #dead(reason: Extract<CallResult, { kind: 'dead' }>['reason'], detail: string, backend: string | null = null): void {
    this.#finish({ kind: 'dead', reason, detail }, backend)
  }

  #finish(result: Extract<Settled, { kind: 'result' }>['result'], backend: string | null): void {
    this.state = 'settled'
    this.#settle({ kind: 'result', result, usage: this.#usage, cost: this.#cost, ms: this.#ms, tries: this.#tries, backend })
  }

  #count({ usage, cost }: { usage: Usage; cost: number | null }): void {
    const total: Usage = {
      inputTokens: this.#usage.inputTokens + usage.inputTokens,
      outputTokens: this.#usage.outputTokens + usage.outputTokens,
    }
    for (const key of ['cachedInputTokens', 'reasoningTokens'] as const) {
      const sum = (this.#usage[key] ?? 0) + (usage[key] ?? 0)
      if (sum > 0) total[key] = sum
    }
    this.#usage = total
    if (cost !== null) this.#cost = (this.#cost ?? 0) + cost
  }
}

/** An agent that answers in text may still have written the JSON that was asked for. */
function parsedIfText(output: Json, check: SchemaCheck): Json {
  if (typeof output !== 'string' || check(output).ok) return output
  try {
    return JSON.parse(output) as Json
  } catch {
    return output
  }
}

/** Tasks name their questions as they like; in a run each has a name of its own. */
function questionId({ call, generation }: CallTask, id: string): string {
  return `${call}.${generation}.${id}`
}

function workerOf(needs: readonly string[]): string {
  return needs[0] ?? 'local'
}

function withPrompt(request: Json, added: string): Json {
  const given = requestOf(request)
  return { ...given, prompt: `${String(given['prompt'])}${added}` } as Json
}
