/** Tells an attempt's story: one event for each thing that happens to the run, its phases and its calls. */
import type { Json } from '../../shared/json.ts'
import type { Committed, NewEvent, PhaseMeta, RunEvent } from '../../shared/run/events.ts'
import type { BadLine, CallKind, Counts, End, Usage, Value } from '../../shared/run/record.ts'
import type { RunView } from '../../shared/run/view.ts'
import { agentOf, requestOf } from './call-task.ts'
import { EventStream } from './event-stream.ts'
import type { SavedCall } from './history.ts'
import type { Settled } from './live-call.ts'
import { Phases } from './phases.ts'
import type { Clock, OpenRun, RunLimits } from './ports.ts'
import type { AskedCall, FromScript } from './sandbox/protocol.ts'
import type { Spent } from './spending.ts'
import { summaryOf, titleOf } from './summary.ts'

type Ended = Extract<NewEvent, { type: 'call.ended' }>
const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 }

export interface AttemptEventsOptions {
  run: OpenRun
  clock: Clock
  backend: string | null
  earlier: RunView | null
  burstMs?: number | undefined
  onEvents(events: RunEvent[], view: RunView): void
}

export interface AttemptStart {
  /** Sha-256 of the text that runs. */
  script: string
  policy: string
  limits: RunLimits
  declaredPhases: PhaseMeta[]
  startedAt: number
  /** What the results of the attempts before spent. */
  spent: readonly Spent[]
}

export class AttemptEvents {
  readonly #stream: EventStream
  readonly #phases: Phases
  readonly #asked = new Map<number, { phase: string | null; kind: CallKind }>()
  readonly #options: AttemptEventsOptions
  #isOver = false

  constructor(options: AttemptEventsOptions) {
    const { run, clock, earlier, burstMs, onEvents } = options
    this.#options = options
    this.#stream = new EventStream({
      runId: run.runId,
      attempt: run.attempt,
      earlier,
      burstMs,
      now: () => clock.now(),
      publish: (events, view) => {
        run.publish(events, view)
        onEvents(events, view)
      },
    })
    this.#phases = new Phases((event) => this.emit(event))
  }

  get view(): RunView {
    return this.#stream.view
  }

  /** Nothing follows the end: what a call that was left to itself still says is not told. */
  emit(event: NewEvent): void {
    if (!this.#isOver) this.#stream.emit(event)
  }

  started({ script, policy, limits, declaredPhases, startedAt, spent }: AttemptStart): void {
    const { run, backend, earlier } = this.#options
    const { number, title, source } = run.info
    const scriptChanged = earlier !== null && earlier.script !== script
    const { concurrency, budget, maxCost } = limits
    this.emit({
      type: 'run.started',
      number,
      title,
      path: source.path,
      script,
      scriptChanged,
      declaredPhases,
      backend,
      policy,
      concurrency,
      budget,
      maxCost,
      startedAt,
      committed: committed(spent),
    })
  }

  damaged({ line, path, reason }: BadLine): void {
    this.warn(`Line ${line} of this run's journal is damaged (${reason}); its result is lost, the others are safe. ${path}`)
  }

  warn(text: string, line: number | null = null): void {
    this.emit({ type: 'log', level: 'warning', source: 'live', line, text })
  }

  log({ text, level, source, line }: Extract<FromScript, { t: 'log' }>): void {
    this.emit({ type: 'log', text, level, source, line })
  }

  /** @param child the call that opened the workflow whose phase it is; null for the run's own script */
  phase(title: string, source: 'replayed' | 'live', child: number | null): void {
    this.#phases.enter(title, source, child)
  }

  childEnded(child: number): void {
    this.#phases.leave(child)
  }

  queued({ call, kind, label, phase, request, whyLive, fp }: AskedCall): void {
    const source = whyLive === null ? 'replayed' : 'live'
    const { model } = requestOf(request)
    const title = label ?? titleOf(kind, request)
    const { backend } = this.#options
    const simulated = kind === 'check' && backend === 'simulated' ? backend : null
    const agent = kind === 'agent' ? agentOf(request, backend) : simulated
    this.#asked.set(call, { phase, kind })
    this.#phases.callMade(phase, source)
    this.emit({
      type: 'call.queued',
      callId: call,
      kind,
      label,
      title,
      phase,
      source,
      whyLive,
      agent,
      model: typeof model === 'string' ? model : null,
      fp,
    })
  }

  /** @param refused why a recorded opening of a child could not be repeated */
  replayed({ call, kind, saved }: SavedCall, refused?: string): void {
    if (saved === null) return
    const { result, ms, usage, cost, tries, backend, attempt } = saved
    const summary = result.kind === 'ok' && 'inline' in result.output ? summaryOf(result.output.inline, kind) : ''
    this.#ended({
      type: 'call.ended',
      callId: call,
      outcome: refused === undefined ? result.kind : 'dead',
      source: 'replayed',
      reason: refused === undefined ? null : 'refused',
      detail: refused ?? null,
      ms,
      usage,
      cost,
      tries,
      summary,
      backend,
      fromAttempt: attempt,
    })
  }

  settled(callId: number, { result, ms, usage, cost, tries, backend }: Extract<Settled, { kind: 'result' }>): void {
    const [reason, detail] = result.kind === 'dead' ? [result.reason, result.detail] : [null, null]
    const summary = result.kind === 'ok' ? summaryOf(result.output, this.#asked.get(callId)?.kind) : ''
    const { kind: outcome } = result
    const fromAttempt = null
    const type = 'call.ended'
    this.#ended({ type, callId, outcome, source: 'live', reason, detail, ms, usage, cost, tries, summary, backend, fromAttempt })
  }

  decided(callId: number, output: Json): void {
    const { choice, note, by } = requestOf(output)
    this.emit({ type: 'gate.decided', callId, choice: String(choice), note: typeof note === 'string' ? note : null, by: String(by) })
  }

  abandoned(callId: number): void {
    const { backend } = this.#options
    const nothing = { reason: null, detail: null, ms: 0, usage: NO_USAGE, cost: null, tries: 0, summary: '', fromAttempt: null }
    this.#ended({ type: 'call.ended', callId, outcome: 'abandoned', source: 'live', backend, ...nothing })
  }

  #ended(event: Ended): void {
    this.emit(event)
    this.#phases.callSettled(this.#asked.get(event.callId)?.phase ?? null)
  }

  /** The phases end before their run does; then come the counts that the end record holds. */
  endPhases(): Counts {
    this.#phases.end()
    return this.view.counts
  }

  /** The last event of the attempt; everything is handed on when this returns. */
  ended(end: End, counts: Counts, value: Value | null): void {
    const reason = end.status === 'paused' || end.status === 'waiting' ? end.reason : null
    const resetAt = end.status === 'paused' ? (end.resetAt ?? null) : null
    const error = end.status === 'failed' ? { ...end.error } : null
    this.emit({ type: 'run.ended', status: end.status, reason, resetAt, error, counts, value })
    this.#isOver = true
    this.#stream.flush()
  }
}

function committed(spent: readonly Spent[]): Committed {
  let [outputTokens, cost] = [0, 0]
  for (const one of spent) {
    outputTokens += one.usage.outputTokens
    cost += one.cost ?? 0
  }
  return { outputTokens, cost }
}
