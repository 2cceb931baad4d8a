/**
 * One attempt at a run: joins the script's thread, the recorded history, the live calls and the journal. It promises that a
 * result is durable before the script sees it, that exactly one `end` record closes the attempt, and that nothing is
 * started after the decision to end.
 */
import { assertNever } from '../../shared/assert-never.ts'
import { AppError } from '../../shared/errors.ts'
import type { Json } from '../../shared/json.ts'
import type { PhaseMeta, RunEvent } from '../../shared/run/events.ts'
import type { End, WaitReason } from '../../shared/run/record.ts'
import type { RunView } from '../../shared/run/view.ts'
import { AttemptEvents } from './attempt-events.ts'
import { requestOf } from './call-task.ts'
import { decision } from './gate-decision.ts'
import { HeldJournal } from './held-journal.ts'
import { foldHistory, type History, recordedCalls, type SavedCall } from './history.ts'
import type { Settled } from './live-call.ts'
import { LiveCalls } from './live-calls.ts'
import { Openings } from './openings.ts'
import type {
  Attempt as AttemptInput,
  CallExecutor,
  Clock,
  CommandOutcome,
  LoadChild,
  OpenRun,
  PermissionAnswer,
  RunLimits,
} from './ports.ts'
import { ResultLedger } from './result-ledger.ts'
import type { AskedCall, ScriptInit } from './sandbox/protocol.ts'
import { ScriptDialogue } from './script-dialogue.ts'
import type { StartScript } from './script-thread.ts'
import type { PreparedScript } from './source/check-script.ts'
import { questionOf, type ShownFile, WaitingCalls } from './waiting-calls.ts'

/** How long a stop waits for cancelled calls to be gone. */
const STOP_GRACE_MS = 6000
/** A run that waits for longer than this is left by an owner that has nobody to show it to. */
const STAY_MS = 60_000

export interface AttemptOptions {
  run: OpenRun
  executor: CallExecutor
  clock: Clock
  startScript: StartScript
  loadChild: LoadChild
  script: PreparedScript
  /** What this attempt is made of; its record is in the journal already. */
  input: Omit<AttemptInput, 'owner'>
  limits: RunLimits
  declaredPhases: PhaseMeta[]
  /** The view of the attempts before, null in the first. */
  earlier: RunView | null
  /** Calls (numbers) that were running at the last crash and are to be taken as skipped. */
  skipInFlight: readonly number[]
  /** Calls that were cut off go on with the session that their agent had, where the agent can. */
  continueSessions?: boolean
  /** `leave`: ends the attempt as waiting when nothing but a gate or a long wait is left. */
  whenWaiting: 'stay' | 'leave'
  /** A file of the project that a gate shows. */
  readFile(path: string): Promise<ShownFile>
  /** Milliseconds for which the events of a burst are gathered; absent: those of one turn. */
  burstMs?: number
  onEvents(events: RunEvent[], view: RunView): void
  chance?(): number
}

/** `draining` ends by itself when what is running has finished, `abandoning` when the cancelled calls are gone. */
type Stage =
  | { at: 'reading'; wish: 'keep' | 'now' | 'pause' | null }
  | { at: 'running' }
  | { at: 'draining'; end: End }
  | { at: 'abandoning' }
  | { at: 'ended' }

/** What a person chose at a gate. `seen`: hash of the text that was read. */
interface Choice {
  choice: string
  note?: string
  seen?: string
  by: string
}

/** What becomes of a command. Where something is to be saved for it, it counts from then on. */
export interface Told {
  outcome: CommandOutcome
  saved: Promise<void> | null
}

export class Attempt {
  /** The final view, when everything is on disk. Rejects with `fenced` when another owner took over. */
  readonly done: Promise<RunView>
  readonly #options: AttemptOptions
  readonly #events: AttemptEvents
  readonly #journal: HeldJournal
  readonly #live: LiveCalls
  readonly #openings: Openings
  readonly #waits: WaitingCalls
  readonly #ledger: ResultLedger
  #script: ScriptDialogue | null = null
  #stage: Stage = { at: 'reading', wish: null }
  #finish!: (view: RunView) => void // both are set by the promise's executor, which runs at once
  #fail!: (error: AppError) => void

  constructor(options: AttemptOptions) {
    this.#options = options
    const { run, clock, executor, limits, input, earlier, onEvents } = options
    this.done = new Promise((resolve, reject) => {
      this.#finish = resolve
      this.#fail = reject
    })
    this.#events = new AttemptEvents({ run, clock, backend: input.backend, earlier, burstMs: options.burstMs, onEvents })
    this.#journal = new HeldJournal(run, clock, (error) => this.#events.warn(error.message))
    this.#ledger = new ResultLedger({ run, journal: this.#journal, backend: input.backend, limits })
    this.#live = new LiveCalls({
      runId: run.runId,
      attempt: run.attempt,
      backend: input.backend,
      executor,
      clock,
      emit: (event) => this.#events.emit(event),
      save: (records, sync) => this.#journal.save(records, sync),
      isHeld: () => this.#journal.isHeld,
      chance: options.chance ?? Math.random,
      slots: this.#slots(limits),
      mayStart: (asked) => this.#mayStart(asked),
      onSettled: (call, settled) => this.#onSettled(call.asked, settled).catch((error: unknown) => this.#broken(error)),
      onFreed: () => this.#endWhenDrained(),
      onBroken: (error) => this.#broken(error),
    })
    this.#waits = new WaitingCalls({
      attempt: run.attempt,
      clock,
      emit: (event) => this.#events.emit(event),
      save: (records, sync) => this.#journal.save(records, sync),
      readFile: options.readFile,
      put: (value) => this.#journal.beside(() => run.put(value)),
      onBegun: () => this.#onlyWaits(),
      onSettled: (asked, settled) => this.#onSettled(asked, settled),
      onFreed: () => this.#endWhenDrained(),
      onBroken: (error) => this.#broken(error),
    })
    this.#openings = new Openings({
      run,
      load: options.loadChild,
      keep: ({ text, ext }) => this.#journal.beside(() => run.keepSource(text, ext)),
      now: () => clock.now(),
      save: (records, then) => this.#journal.save(records, true, then),
      onSaved: (call, settled) => this.#events.settled(call, settled),
      onIdle: () => this.#endWhenDrained(),
      tell: (message) => {
        if (this.#stage.at === 'running') this.#script?.tell(message)
      },
    })
  }

  /** Reads the history and starts the script; what goes wrong is told by `done`. */
  start(): void {
    this.#guard(this.#begin())
  }

  /**
   * Ends the run for the person who asked: `keep` waits for cancelled calls to be gone and, on a full disk, until its end can be
   * written; `now` waits for nothing.
   */
  stop(how: 'keep' | 'now'): void {
    if (how === 'now') this.#journal.giveUp()
    if (this.#stage.at === 'reading') this.#stage.wish = how
    // A script that has come to its end keeps its end; what nobody waited for is being cancelled already.
    if (this.#stage.at !== 'running' && this.#stage.at !== 'draining') return
    this.#stage = { at: 'draining', end: { status: 'killed' } }
    this.#openings.abandon()
    this.#script?.end()
    this.#live.cancelAll()
    this.#waits.close()
    if (how === 'now') return this.#guard(this.#end({ status: 'killed' }))
    this.#endWhenDrained()
    this.#guard(this.#grace(this.done).then(() => this.#end({ status: 'killed' })))
  }

  /** Starts nothing new, lets running calls finish, then ends the attempt as paused. */
  pause(): void {
    if (this.#stage.at === 'reading') this.#stage.wish ??= 'pause'
    this.#drain({ status: 'paused', reason: 'user' })
  }

  /** Takes a call as skipped that is queued, at work, between two tries, asking or waiting. False when it has ended or is not known. */
  skip(callId: number): boolean {
    if (this.#waits.settle(callId, { kind: 'skipped' }) !== null) return true
    return this.#live.find(callId)?.cancel('skip') ?? this.#skipLazy(callId)
  }

  /** One that nobody waited for last time has not been started yet. */
  #skipLazy(callId: number): boolean {
    const lazy = this.#stage.at === 'running' ? (this.#script?.takeLazy(callId) ?? null) : null
    if (lazy === null) return false
    this.#live.add(lazy.asked, lazy.saved?.started?.generation ?? 0)
    return this.#live.find(callId)?.cancel('skip') ?? false
  }

  /** Answers an open permission. False when it is not open any more: the first answer counts. */
  answer(question: string, answer: PermissionAnswer, by: string): boolean {
    return this.#live.answer(question, answer, by)
  }

  /** Gives a gate what a person chose. `stale` when the gate is not open, or has no such choice. */
  async decide(callId: number, { choice, note, by, seen }: Choice): Promise<Told> {
    const gate = this.#waits.find(callId)
    if (gate?.asked.kind !== 'gate' || !questionOf(gate.asked.request).options.includes(choice)) return { outcome: 'stale', saved: null }
    if (seen !== undefined && (await this.#waits.showsOther(gate, seen))) return { outcome: 'unseen', saved: null }
    const output = decision({ choice, ...(note !== undefined && { note }), by, at: this.#options.clock.now() })
    const saved = this.#waits.settle(callId, { kind: 'ok', output })
    return { outcome: saved === null ? 'stale' : 'accepted', saved }
  }

  /** Journals what was made of a command; resolves when it is saved. */
  async answered(command: string, outcome: CommandOutcome): Promise<void> {
    await this.#journal.save([{ t: 'command', id: command, outcome }], true)
  }

  /** Starts a call again that is at work or between two tries. False for any other, and when the run starts nothing more. */
  retry(callId: number): boolean {
    const call = this.#live.find(callId)
    return this.#stage.at === 'running' && call?.canRetry === true && call.cancel('retry')
  }

  async #begin(): Promise<void> {
    const { run, input, limits, skipInFlight, declaredPhases, clock, startScript } = this.#options
    const { records, badLines } = await run.history()
    const skips = skipInFlight.map((call) => this.#ledger.record(call, { kind: 'skipped' }))
    const skipped = skips.length > 0 ? await this.#journal.save(skips, true) : []
    const history = foldHistory([...records, ...skipped])
    this.#ledger.begin(history.spent)
    const startedAt = history.attempts[0]?.at ?? clock.now()
    this.#events.started({
      script: input.script.sha256,
      policy: input.policy,
      limits: { ...limits, concurrency: this.#slots(limits) },
      declaredPhases,
      startedAt,
      spent: history.spent,
    })
    for (const line of badLines) this.#events.damaged(line)
    const wish = this.#stage.at === 'reading' ? this.#stage.wish : null
    this.#stage = { at: 'running' }
    if (wish === 'pause') return this.pause()
    if (wish !== null) return this.stop(wish)
    this.#script = this.#dialogue(history)
    this.#script.begin(startScript, this.#init(history, startedAt))
  }

  #init(history: History, startedAt: number): ScriptInit {
    const { run, script, input, limits, earlier } = this.#options
    const hasSameBudget = earlier === null || earlier.budget === limits.budget
    return {
      script,
      ...(input.args !== undefined && { args: input.args }),
      seed: run.info.seed,
      startedAt,
      attempt: run.attempt,
      budget: limits.budget,
      maxAgents: limits.maxAgents,
      policy: input.policy,
      history: recordedCalls(history, input.backend, hasSameBudget),
    }
  }

  #dialogue(history: History): ScriptDialogue {
    return new ScriptDialogue({
      history,
      events: this.#events,
      openings: this.#openings,
      isOver: () => this.#stage.at === 'ended',
      get: (value) => this.#options.run.get(value),
      save: (records) => this.#guard(this.#journal.save(records, false)),
      start: (asked, saved) => this.#startCall(asked, saved),
      started: () => this.#live.pump(),
      limit: (error) => this.#drain({ status: 'failed', error }),
      rested: () => this.#onlyWaits(),
      over: (end, value) => this.#abandonAndEnd(end, value),
      guard: (work) => this.#guard(work),
    })
  }

  #slots(limits: RunLimits): number {
    return Math.max(1, Math.min(limits.concurrency, this.#options.executor.slots))
  }

  #startCall(asked: AskedCall, saved: SavedCall | undefined): void {
    const isRunning = this.#stage.at === 'running'
    if (isRunning && asked.kind === 'open-child') this.#guard(this.#openings.open(asked))
    else if (isRunning && (asked.kind === 'sleep' || asked.kind === 'gate')) this.#waits.add(asked, saved)
    else {
      const session = this.#options.continueSessions === true && saved?.saved === null ? saved.started?.session : undefined
      this.#live.add(asked, saved?.started?.generation ?? 0, session)
    }
  }

  /** Nothing is left but waits: that is shown, and an owner that shows it to nobody leaves when they take long. */
  #onlyWaits(): void {
    const waits = this.#waits.all
    if (this.#stage.at !== 'running' || this.#script?.isAtRest !== true || !this.#live.isDone || !this.#waits.isIdle) return
    if (!this.#openings.isDone || waits.length === 0 || !waits.every((call) => call.hasBegun)) return
    const reason = waitReason(waits.map((call) => call.asked))
    const dues = waits.flatMap((call) => (call.dueAt === null ? [] : [call.dueAt]))
    const until = dues.length === 0 ? null : Math.min(...dues)
    this.#events.emit({ type: 'run.waiting', for: reason })
    if (this.#options.whenWaiting === 'stay' || (until !== null && until - this.#options.clock.now() <= STAY_MS)) return
    this.#drain({ status: 'waiting', reason, ...(until !== null && { until }) })
  }

  /** Asked in the slot, before a start. A limit that is reached pauses the run: what is running is paid and finishes. */
  #mayStart(asked: AskedCall): boolean {
    if (this.#stage.at !== 'running') return false
    const working = [...this.#live.working].flatMap((call) => (call.state === 'settled' ? [] : [call.asked.phase]))
    const reason = this.#ledger.refusal(asked, working)
    if (reason !== null) this.#drain({ status: 'paused', reason })
    return reason === null
  }

  async #onSettled(asked: AskedCall, settled: Settled): Promise<void> {
    switch (settled.kind) {
      case 'cancelled':
        break
      case 'halt':
        this.#events.warn(settled.detail)
        this.#drain({ status: 'paused', reason: settled.reason, ...(settled.resetAt !== undefined && { resetAt: settled.resetAt }) })
        break
      case 'result':
        await this.#saveResult(asked, settled)
        break
      default:
        assertNever(settled)
    }
  }

  /** Durable first; then it is shown, and handed to the script. */
  #saveResult(asked: AskedCall, settled: Extract<Settled, { kind: 'result' }>): Promise<void> {
    return this.#ledger.save(asked, settled, (at) => this.#handOn(asked, settled, at ?? this.#options.clock.now()))
  }

  #handOn(asked: AskedCall, settled: Extract<Settled, { kind: 'result' }>, at: number): void {
    const { result, usage } = settled
    if (asked.kind === 'gate' && result.kind === 'ok') this.#events.decided(asked.call, result.output)
    this.#events.settled(asked.call, settled)
    if (this.#stage.at !== 'running') return
    const output = result.kind === 'ok' ? result.output : null
    this.#script?.tell({ t: 'result', call: asked.call, output, outputTokens: usage.outputTokens, at })
    if (this.#ledger.opensBreaker(asked, settled)) this.#drain({ status: 'paused', reason: 'same-failure' })
  }

  /** Nothing new starts; the attempt ends so when what is running has finished and is saved. */
  #drain(end: End): void {
    if (this.#stage.at !== 'running') return
    this.#stage = { at: 'draining', end }
    this.#live.close()
    this.#openings.abandon() // asked for again on resume: nothing of them was paid
    this.#endWhenDrained()
  }

  #endWhenDrained(): void {
    if (this.#stage.at === 'draining' && this.#live.isIdle && this.#waits.isIdle && this.#openings.isIdle)
      this.#guard(this.#end(this.#stage.end))
  }

  /** The script's promise has settled: whatever nobody waited for is ended and recorded as abandoned. */
  async #abandonAndEnd(end: End, value?: Json): Promise<void> {
    if (this.#stage.at !== 'running') return
    this.#stage = { at: 'abandoning' }
    const left = [...this.#live.queued, ...this.#live.working].filter((call) => call.state !== 'settled')
    const gone = Promise.all(left.map((call) => call.settled))
    this.#live.cancelAll()
    const unwaited = [...this.#waits.all.map((call) => call.asked), ...this.#openings.abandon()]
    this.#waits.close()
    const records = [
      ...left.map((call) => this.#ledger.record(call.asked.call, { kind: 'abandoned' }, call.soFar)),
      ...unwaited.map((asked) => this.#ledger.record(asked.call, { kind: 'abandoned' })),
    ]
    if (records.length > 0) await this.#journal.save(records, true)
    for (const asked of [...left.map((call) => call.asked), ...unwaited, ...(this.#script?.lazy ?? [])]) this.#events.abandoned(asked.call)
    await this.#grace(gone)
    await this.#end(end, value)
  }

  /** Waits for something, but no longer than cancelled calls are given to be gone. */
  async #grace(until: Promise<unknown>): Promise<void> {
    const timer = new AbortController()
    await Promise.race([until, this.#options.clock.after(STOP_GRACE_MS, timer.signal)]).catch(() => undefined)
    timer.abort()
  }

  async #end(end: End, value?: Json): Promise<void> {
    if (this.#stage.at === 'ended') return
    this.#stage = { at: 'ended' }
    this.#waits.close()
    this.#script?.end()
    const { run } = this.#options
    await this.#ledger.atRest()
    const counts = this.#events.endPhases()
    const stored = value === undefined ? null : await this.#journal.beside(() => run.put(value))
    await this.#journal.save([{ t: 'end', attempt: run.attempt, end, counts, ...(stored !== null && { value: stored }) }], true)
    this.#events.ended(end, counts, stored)
    await run.release(this.#events.view)
    this.#finish(this.#events.view)
  }

  /** Nothing here may fail unheard. */
  #guard(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#broken(error))
  }

  /** Another owner took the run, or we are at fault: end everything, write nothing more. */
  #broken(thrown: unknown): void {
    this.#stage = { at: 'ended' }
    this.#script?.end()
    this.#waits.close()
    this.#live.cancelAll()
    this.#fail(AppError.wrap(thrown))
  }
}

/** A gate is for a person, so it comes first; a sleep inside of `wait()` is a wait. */
function waitReason(waits: readonly AskedCall[]): WaitReason {
  if (waits.some((asked) => asked.kind === 'gate')) return 'gate'
  return waits.some((asked) => requestOf(asked.request)['wait'] !== undefined) ? 'wait' : 'sleep'
}
