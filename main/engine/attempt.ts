/**
 * One attempt at a run: joins the script's thread, the recorded history, the live calls and the journal. It promises that a
 * result is durable before the script sees it, that exactly one `end` record closes the attempt, and that nothing is
 * started after the decision to end.
 */
import { assertNever } from '../../shared/assert-never.ts'
import { AppError } from '../../shared/errors.ts'
import type { Json } from '../../shared/json.ts'
import type { NewEvent, PhaseMeta, RunEvent } from '../../shared/run/events.ts'
import type { End, JournalRecord, NewRecord, Usage } from '../../shared/run/record.ts'
import type { RunView } from '../../shared/run/view.ts'
import { agentOf, requestOf } from './call-task.ts'
import { EventStream } from './event-stream.ts'
import { foldHistory, type History, recordedCalls, type SavedCall } from './history.ts'
import type { LiveCall, Settled } from './live-call.ts'
import { LiveCalls } from './live-calls.ts'
import { Phases } from './phases.ts'
import type { Attempt as AttemptInput, CallExecutor, Clock, OpenRun, RunLimits } from './ports.ts'
import type { AskedCall, FromScript } from './sandbox/protocol.ts'
import type { ScriptThread, StartScript } from './script-thread.ts'
import type { PreparedScript } from './source/check-script.ts'
import { SpendingLimit } from './spending-limit.ts'
import { summaryOf, titleOf } from './summary.ts'

const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 }
/** Deaths of one reason in a row in one phase that open the breaker. */
const SAME_FAILURES = 5
/** How long a stop waits for cancelled calls to be gone. */
const STOP_GRACE_MS = 6000
/** How often a write is tried again while the disk is full or closed to us. */
const HOLD_MS = 2000

export interface AttemptOptions {
  run: OpenRun
  executor: CallExecutor
  clock: Clock
  startScript: StartScript
  script: PreparedScript
  /** What this attempt is made of; its record is in the journal already. */
  input: Omit<AttemptInput, 'owner'>
  limits: RunLimits
  declaredPhases: PhaseMeta[]
  /** The view of the attempts before, null in the first. */
  earlier: RunView | null
  /** Calls (numbers) that were running at the last crash and are to be taken as skipped. */
  skipInFlight: readonly number[]
  onEvents(events: RunEvent[], view: RunView): void
  chance?(): number
}

/** `draining` ends by itself when what is running has finished, `abandoning` when the cancelled calls are gone. */
type Phase = { at: 'running' } | { at: 'draining'; end: End } | { at: 'abandoning' } | { at: 'ended' }

export class Attempt {
  /** The final view, when everything is on disk. Rejects with `fenced` when another owner took over. */
  readonly done: Promise<RunView>
  readonly #options: AttemptOptions
  readonly #stream: EventStream
  readonly #phases: Phases
  readonly #live: LiveCalls
  readonly #saved = new Map<number, SavedCall>()
  readonly #lazy = new Map<number, AskedCall>()
  #history: History = { calls: [], attempts: [], committedTokens: 0 }
  #spending = new SpendingLimit(null, 0)
  #thread: ScriptThread | null = null
  #phase: Phase = { at: 'running' }
  #settledInPhase = new Map<string, { reason: string; count: number }>()
  #begun = false
  /** A stop that came before the script could start. */
  #stopFirst: 'keep' | 'now' | null = null
  readonly #stopping = new AbortController()
  #finish!: (view: RunView) => void // both are set by the promise's executor, which runs at once
  #fail!: (error: AppError) => void

  constructor(options: AttemptOptions) {
    this.#options = options
    const { run, clock, executor, limits, input } = options
    this.done = new Promise((resolve, reject) => {
      this.#finish = resolve
      this.#fail = reject
    })
    this.#stream = new EventStream({
      runId: run.runId,
      attempt: run.attempt,
      earlier: options.earlier,
      now: () => clock.now(),
      publish: (events, view) => {
        run.publish(events, view)
        options.onEvents(events, view)
      },
    })
    const emit = (event: NewEvent): void => this.#stream.emit(event)
    this.#phases = new Phases(emit)
    this.#live = new LiveCalls({
      runId: run.runId,
      attempt: run.attempt,
      backend: input.backend,
      executor,
      clock,
      emit,
      save: (records, sync) => this.#save(records, sync),
      chance: options.chance ?? Math.random,
      slots: Math.max(1, Math.min(limits.concurrency, executor.slots)),
      mayStart: (asked) => this.#mayStart(asked),
      onSettled: (call, settled) => void this.#onSettled(call, settled).catch((error: unknown) => this.#broken(error)),
    })
  }

  async start(): Promise<void> {
    try {
      await this.#begin()
    } catch (error) {
      this.#broken(error)
    }
  }

  async #begin(): Promise<void> {
    const { run, script, input, limits, skipInFlight, clock } = this.#options
    const { records, badLines } = await run.history()
    const skips: NewRecord[] = skipInFlight.map((call) => ({
      t: 'result',
      call,
      attempt: run.attempt,
      result: { kind: 'skipped' },
      usage: NO_USAGE,
      cost: null,
      ms: 0,
      tries: 0,
      backend: input.backend,
    }))
    const skipped = skips.length > 0 ? await this.#save(skips, true) : []
    this.#history = foldHistory([...records, ...skipped])
    this.#spending = new SpendingLimit(limits.budget, this.#history.committedTokens)
    for (const call of this.#history.calls) this.#saved.set(call.call, call)
    this.#emitStarted()
    for (const { line, path, reason } of badLines) {
      this.#emit({
        type: 'log',
        level: 'warning',
        source: 'live',
        line: null,
        text: `Line ${line} of this run's journal is damaged (${reason}); its result is lost, the others are safe. ${path}`,
      })
    }
    this.#begun = true
    if (this.#stopFirst !== null) return this.stop(this.#stopFirst)
    this.#thread = this.#options.startScript(
      {
        script,
        ...(input.args !== undefined && { args: input.args }),
        seed: run.info.seed,
        startedAt: this.#history.attempts[0]?.at ?? clock.now(),
        attempt: run.attempt,
        budget: limits.budget,
        maxAgents: limits.maxAgents,
        policy: input.policy,
        from: input.from ?? null,
        history: recordedCalls(this.#history, input.backend),
        mode: 'run',
      },
      {
        batch: (batch) => void this.#onBatch(batch).catch((error: unknown) => this.#broken(error)),
        died: (error) => void this.#abandonAndEnd({ status: 'failed', error }).catch((failure: unknown) => this.#broken(failure)),
      },
    )
  }

  #emitStarted(): void {
    const { run, input, limits, declaredPhases, earlier, clock, executor } = this.#options
    this.#emit({
      type: 'run.started',
      number: run.info.number,
      title: run.info.title,
      path: run.info.source.path,
      script: input.script.sha256,
      scriptChanged: earlier !== null && earlier.script !== input.script.sha256,
      declaredPhases,
      backend: input.backend,
      policy: input.policy,
      concurrency: Math.max(1, Math.min(limits.concurrency, executor.slots)),
      budget: limits.budget,
      startedAt: this.#history.attempts[0]?.at ?? clock.now(),
    })
  }

  /** Ends the run for the person who asked: `keep` waits for cancelled calls to be gone, `now` does not. */
  stop(how: 'keep' | 'now'): void {
    if (!this.#begun) this.#stopFirst = how
    if (!this.#begun || this.#phase.at === 'ended') return
    this.#phase = { at: 'draining', end: { status: 'killed' } }
    this.#stopping.abort()
    void this.#thread?.terminate()
    this.#live.cancelAll()
    if (how === 'now' || this.#live.isIdle) void this.#end({ status: 'killed' })
    else void this.#grace(this.done).then(() => this.#end({ status: 'killed' }))
  }

  /** Starts nothing new, lets running calls finish, then ends the attempt as paused. */
  pause(): void {
    this.#drain({ status: 'paused', reason: 'user' })
  }

  /** Takes a queued or running call as skipped. False when it has ended or is not known. */
  skip(callId: number): boolean {
    const call = this.#live.find(callId)
    call?.cancel('skip')
    return call !== undefined
  }

  /** Starts a running call again. False when it is not running. */
  retry(callId: number): boolean {
    const call = this.#live.find(callId)
    if (call === undefined || call.state === 'queued') return false
    call.cancel('retry')
    return true
  }

  async #onBatch(batch: FromScript[]): Promise<void> {
    const records: NewRecord[] = []
    const starts: AskedCall[] = []
    for (const message of batch) if (this.#phase.at !== 'ended') this.#onMessage(message, records, starts)
    if (records.length > 0) void this.#save(records, false).catch((error: unknown) => this.#broken(error)) // in order before the starts
    for (const asked of starts) this.#live.add(asked, this.#saved.get(asked.call)?.started?.generation ?? 0)
    this.#live.pump()
    for (const message of batch) await this.#onDemand(message)
  }

  /** What a message says about calls and the screen. */
  #onMessage(message: FromScript, records: NewRecord[], starts: AskedCall[]): void {
    switch (message.t) {
      case 'call':
        if (message.isNew) records.push(callRecord(message))
        this.#emitQueued(message)
        if (message.lazy) this.#lazy.set(message.call, message)
        else if (message.whyLive !== null) starts.push(message)
        return
      case 'start': {
        const asked = this.#lazy.get(message.call)
        this.#lazy.delete(message.call)
        if (asked !== undefined) starts.push(asked)
        return
      }
      case 'delivered':
        return this.#emitReplayed(message.call)
      case 'phase':
        this.#phases.enter(message.title, message.source)
        return
      case 'log':
        this.#emit({ type: 'log', text: message.text, level: message.level, source: message.source, line: message.line })
        return
      case 'need':
      case 'idle':
      case 'settled':
      case 'stuck':
      case 'limit':
      case 'pong':
        return
      default:
        assertNever(message)
    }
  }

  /** What a message asks of us. */
  async #onDemand(message: FromScript): Promise<void> {
    if (this.#phase.at === 'ended') return
    switch (message.t) {
      case 'need': {
        const result = this.#saved.get(message.call)?.saved?.result
        const output = result?.kind === 'ok' ? await this.#options.run.get(result.output) : null
        this.#thread?.post({ t: 'value', call: message.call, output })
        return
      }
      case 'limit':
        return this.#drain({ status: 'failed', error: message.error })
      case 'stuck':
        return this.#abandonAndEnd({ status: 'failed', error: message.error })
      case 'settled':
        return message.outcome.ok
          ? this.#complete(message.outcome.value)
          : this.#abandonAndEnd({ status: 'failed', error: message.outcome.error })
      default:
    }
  }

  #emit(event: NewEvent): void {
    this.#stream.emit(event)
  }

  #emitQueued(asked: AskedCall): void {
    const source = asked.whyLive === null ? 'replayed' : 'live'
    const { model } = requestOf(asked.request)
    this.#phases.callMade(asked.phase, source)
    this.#emit({
      type: 'call.queued',
      callId: asked.call,
      kind: asked.kind,
      label: asked.label,
      title: asked.label ?? titleOf(asked.kind, asked.request),
      phase: asked.phase,
      source,
      whyLive: asked.whyLive,
      agent: agentOf(asked.request, this.#options.input.backend),
      model: typeof model === 'string' ? model : null,
      fp: asked.fp,
    })
  }

  #emitReplayed(callId: number): void {
    const call = this.#saved.get(callId)
    const saved = call?.saved
    if (call === undefined || saved === null || saved === undefined) return
    const { result, ms, usage, cost, tries, backend, attempt } = saved
    const summary = result.kind === 'ok' && 'inline' in result.output ? summaryOf(result.output.inline) : ''
    this.#emit({
      type: 'call.ended',
      callId,
      outcome: result.kind,
      source: 'replayed',
      reason: null,
      detail: null,
      ms,
      usage,
      cost,
      tries,
      summary,
      backend,
      fromAttempt: attempt,
    })
    this.#phases.callSettled(this.#phaseOf(callId) ?? call.phase)
  }

  #phaseOf(callId: number): string | null {
    return this.#stream.view.calls.findLast((call) => call.callId === callId)?.phase ?? null
  }

  #mayStart(asked: AskedCall): boolean {
    if (this.#phase.at !== 'running') return false
    const working = [...this.#live.working].map((call) => call.asked.phase)
    if (asked.kind !== 'agent' || this.#spending.allows(asked.phase, working)) return true
    this.#drain({ status: 'paused', reason: 'budget' })
    return false
  }

  async #onSettled(call: LiveCall, settled: Settled): Promise<void> {
    switch (settled.kind) {
      case 'cancelled':
        break
      case 'halt':
        this.#emit({ type: 'log', level: 'warning', source: 'live', line: null, text: settled.detail })
        this.#drain({ status: 'paused', reason: settled.reason, ...(settled.resetAt !== undefined && { resetAt: settled.resetAt }) })
        break
      case 'result':
        await this.#saveResult(call, settled)
        break
      default:
        assertNever(settled)
    }
    this.#endWhenDrained()
  }

  async #saveResult(call: LiveCall, settled: Extract<Settled, { kind: 'result' }>): Promise<void> {
    const { asked } = call
    const { result, usage, cost, ms, tries, backend } = settled
    const value = result.kind === 'ok' ? await this.#options.run.put(result.output) : null
    const saved =
      result.kind === 'ok' && value !== null ? { kind: 'ok' as const, output: value } : (result as Exclude<typeof result, { kind: 'ok' }>)
    const [record] = await this.#save(
      [{ t: 'result', call: asked.call, attempt: this.#options.run.attempt, result: saved, usage, cost, ms, tries, backend }],
      true,
    )
    this.#spending.spent(asked.phase, usage.outputTokens)
    const dead = result.kind === 'dead' ? result : null
    const summary = result.kind === 'ok' ? summaryOf(result.output) : ''
    this.#emit({
      type: 'call.ended',
      callId: asked.call,
      outcome: result.kind,
      source: 'live',
      reason: dead?.reason ?? null,
      detail: dead?.detail ?? null,
      ms,
      usage,
      cost,
      tries,
      summary,
      backend,
      fromAttempt: null,
    })
    this.#phases.callSettled(asked.phase)
    if (this.#phase.at === 'running') {
      const output = result.kind === 'ok' ? result.output : null
      this.#thread?.post({
        t: 'result',
        call: asked.call,
        output,
        outputTokens: usage.outputTokens,
        at: record?.at ?? this.#options.clock.now(),
      })
      this.#watchFailures(asked.phase, dead?.reason ?? null)
    }
  }

  /** Five siblings that die in a row of one reason are a cause of their own, which no sixth try mends. */
  #watchFailures(phase: string | null, reason: string | null): void {
    const key = phase ?? ''
    const before = this.#settledInPhase.get(key)
    if (reason === null) return void this.#settledInPhase.delete(key)
    const count = before?.reason === reason ? before.count + 1 : 1
    this.#settledInPhase.set(key, { reason, count })
    if (count >= SAME_FAILURES) this.#drain({ status: 'paused', reason: 'same-failure' })
  }

  /** Nothing new starts; the attempt ends so when what is running has finished and is saved. */
  #drain(end: End): void {
    if (this.#phase.at !== 'running') return
    this.#phase = { at: 'draining', end }
    this.#live.close()
    this.#endWhenDrained()
  }

  #endWhenDrained(): void {
    if (this.#phase.at === 'draining' && this.#live.isIdle) void this.#end(this.#phase.end)
  }

  async #complete(value: Json): Promise<void> {
    await this.#abandonAndEnd({ status: 'completed' }, value)
  }

  /** The script's promise has settled: whatever nobody waited for is ended and recorded as abandoned. */
  async #abandonAndEnd(end: End, value?: Json): Promise<void> {
    if (this.#phase.at !== 'running') return
    this.#phase = { at: 'abandoning' }
    const { run, input } = this.#options
    const left = [...this.#live.queued, ...this.#live.working].filter((call) => call.state !== 'settled')
    const gone = left.map((call) => call.settled)
    this.#live.cancelAll()
    const records: NewRecord[] = left.map((call) => ({
      t: 'result',
      call: call.asked.call,
      attempt: run.attempt,
      result: { kind: 'abandoned' },
      usage: call.usage,
      cost: null,
      ms: 0,
      tries: call.tries,
      backend: input.backend,
    }))
    if (records.length > 0) await this.#save(records, true)
    for (const asked of [...left.map((call) => call.asked), ...this.#lazy.values()]) {
      this.#emit({
        type: 'call.ended',
        callId: asked.call,
        outcome: 'abandoned',
        source: 'live',
        reason: null,
        detail: null,
        ms: 0,
        usage: NO_USAGE,
        cost: null,
        tries: 0,
        summary: '',
        backend: input.backend,
        fromAttempt: null,
      })
      this.#phases.callSettled(asked.phase)
    }
    await this.#grace(Promise.all(gone))
    await this.#end(end, value)
  }

  /** Waits for something, but no longer than cancelled calls are given to be gone. */
  async #grace(until: Promise<unknown>): Promise<void> {
    const timer = new AbortController()
    await Promise.race([until, this.#options.clock.after(STOP_GRACE_MS, timer.signal)]).catch(() => undefined)
    timer.abort()
  }

  async #end(end: End, value?: Json): Promise<void> {
    if (this.#phase.at === 'ended') return
    this.#phase = { at: 'ended' }
    try {
      void this.#thread?.terminate()
      this.#phases.end()
      const { run } = this.#options
      const { counts } = this.#stream.view
      const stored = value === undefined ? null : await run.put(value)
      await this.#save([{ t: 'end', attempt: run.attempt, end, counts, ...(stored !== null && { value: stored }) }], true)
      const reason = end.status === 'paused' || end.status === 'waiting' ? end.reason : null
      const resetAt = end.status === 'paused' ? (end.resetAt ?? null) : null
      this.#emit({
        type: 'run.ended',
        status: end.status,
        reason,
        resetAt,
        error: end.status === 'failed' ? { ...end.error } : null,
        counts,
        value: stored,
      })
      this.#stream.flush()
      await run.release(this.#stream.view)
      this.#finish(this.#stream.view)
    } catch (error) {
      this.#fail(AppError.wrap(error))
    }
  }

  /** Appends, and holds the run in place while nothing can be written; what is finished stays in memory and is tried again. */
  async #save(records: NewRecord[], sync: boolean): Promise<JournalRecord[]> {
    for (;;) {
      try {
        return await this.#options.run.append(records, { sync })
      } catch (thrown) {
        const error = AppError.wrap(thrown)
        if (error.code !== 'disk-full' && error.code !== 'no-permission') throw error
        this.#emit({ type: 'log', level: 'warning', source: 'live', line: null, text: error.message })
        await this.#options.clock.after(HOLD_MS, this.#stopping.signal)
      }
    }
  }

  /** Another owner took the run, or we are at fault: end everything, write nothing more. */
  #broken(thrown: unknown): void {
    if (this.#phase.at === 'ended') return
    this.#phase = { at: 'ended' }
    void this.#thread?.terminate()
    this.#live.cancelAll()
    this.#fail(AppError.wrap(thrown))
  }
}

function callRecord({ call, kind, fp, label, phase, request }: AskedCall): NewRecord {
  return { t: 'call', call, kind, fp, label, phase, params: request }
}
