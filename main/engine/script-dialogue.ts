/**
 * What an attempt hears from its script and tells it: each message of the thread is shown, journaled and acted upon in the
 * order in which the script meant it.
 */
import { assertNever } from '../../shared/assert-never.ts'
import type { ErrorData } from '../../shared/errors.ts'
import type { Json } from '../../shared/json.ts'
import type { End, NewRecord, Value } from '../../shared/run/record.ts'
import type { AttemptEvents } from './attempt-events.ts'
import type { History, SavedCall } from './history.ts'
import type { Openings } from './openings.ts'
import type { AskedCall, FromScript, ScriptInit, ToScript } from './sandbox/protocol.ts'
import type { ScriptThread, StartScript } from './script-thread.ts'
import { UnexpectedCalls } from './unexpected-calls.ts'

export interface ScriptDialogueOptions {
  history: History
  events: AttemptEvents
  openings: Openings
  /** The attempt has ended: nothing is heard any more. */
  isOver(): boolean
  /** Reads a recorded value. */
  get(value: Value): Promise<Json>
  /** Journals calls, in their order. */
  save(records: NewRecord[]): void
  /** A call is to be executed; `saved` is what the journal has of it. */
  start(asked: AskedCall, saved: SavedCall | undefined): void
  /** All calls of a quiet point were handed over. */
  started(): void
  /** The script met a limit: the run ends so once what is running has finished. */
  limit(error: ErrorData): void
  /** The script waits for live calls. */
  rested(): void
  /** The script has come to its end. */
  over(end: End, value?: Json): Promise<void>
  /** Nothing may fail unheard. */
  guard(work: Promise<unknown>): void
}

export class ScriptDialogue {
  readonly #options: ScriptDialogueOptions
  readonly #saved: ReadonlyMap<number, SavedCall>
  readonly #unexpected: UnexpectedCalls
  readonly #lazy = new Map<number, AskedCall>()
  #thread: ScriptThread | null = null
  /** Results handed to the script. */
  #told = 0
  /** Of these, the ones it had heard of when it last came to rest. */
  #restedAfter = -1

  constructor(options: ScriptDialogueOptions) {
    this.#options = options
    this.#saved = new Map(options.history.calls.map((call) => [call.call, call]))
    this.#unexpected = new UnexpectedCalls(options.history)
  }

  /** Starts the script's thread. */
  begin(startScript: StartScript, init: ScriptInit): void {
    const { guard, over } = this.#options
    this.#thread = startScript(init, {
      batch: (batch) => guard(this.#onBatch(batch)),
      died: (error) => guard(over({ status: 'failed', error })),
    })
  }

  /** The script has heard everything that it was told, and waits. */
  get isAtRest(): boolean {
    return this.#restedAfter === this.#told
  }

  /** Calls that nobody waited for last time, and that were not started yet this time. */
  get lazy(): Iterable<AskedCall> {
    return this.#lazy.values()
  }

  /** Takes one of them out, with what the journal has of it. */
  takeLazy(call: number): { asked: AskedCall; saved: SavedCall | undefined } | null {
    const asked = this.#lazy.get(call)
    this.#lazy.delete(call)
    return asked === undefined ? null : { asked, saved: this.#saved.get(call) }
  }

  /** Hands a live result to the script. */
  tell(message: Extract<ToScript, { t: 'result' }>): void {
    this.#told += 1
    this.#thread?.post(message)
  }

  /** Ends the script's thread. */
  end(): void {
    void this.#thread?.terminate()
  }

  /** One quiet point of the script: what it asked for is journaled in its order, then started. */
  async #onBatch(batch: FromScript[]): Promise<void> {
    const { isOver, save, start, started, limit } = this.#options
    const records: NewRecord[] = []
    const starts: AskedCall[] = []
    for (const message of batch) if (!isOver()) this.#onMessage(message, records, starts)
    if (records.length > 0) save(records)
    for (const asked of starts) start(asked, this.#saved.get(asked.call))
    for (const message of batch) if (message.t === 'limit') limit(message.error)
    started()
    for (const message of batch) await this.#onDemand(message)
  }

  /** What a message says about calls and the screen. */
  #onMessage(message: FromScript, records: NewRecord[], starts: AskedCall[]): void {
    const { events, openings } = this.#options
    switch (message.t) {
      case 'call':
        if (message.isNew) records.push(callRecord(message))
        events.queued(message)
        this.#warnOf(message)
        if (message.lazy) this.#lazy.set(message.call, message)
        else if (message.whyLive !== null) starts.push(message)
        return
      case 'start': {
        const lazy = this.takeLazy(message.call)
        if (lazy !== null) starts.push(lazy.asked)
        return
      }
      case 'delivered': {
        const saved = this.#saved.get(message.call)
        if (saved !== undefined) events.replayed(saved, openings.refusal(message.call))
        return
      }
      case 'phase':
        return events.phase(message.title, message.source, message.child)
      case 'child-ended':
        return events.childEnded(message.child)
      case 'log':
        return events.log(message)
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
    const { openings, over, rested } = this.#options
    switch (message.t) {
      case 'need': {
        const call = this.#saved.get(message.call)
        const output = call?.kind === 'open-child' ? await openings.replay(call) : await this.#savedOutput(call)
        return this.#thread?.post({ t: 'value', call: message.call, output })
      }
      case 'stuck':
        return over({ status: 'failed', error: message.error })
      case 'settled': {
        const { outcome } = message
        return outcome.ok ? over({ status: 'completed' }, outcome.value) : over({ status: 'failed', error: outcome.error })
      }
      case 'idle':
        this.#restedAfter = message.heard
        return rested()
      case 'call':
      case 'start':
      case 'delivered':
      case 'phase':
      case 'child-ended':
      case 'log':
      case 'limit':
      case 'pong':
        return
      default:
        assertNever(message)
    }
  }

  /** Another text of a called workflow asks for other things by right. */
  #warnOf(asked: AskedCall): void {
    const { events, openings } = this.#options
    const warning = this.#unexpected.warning(asked)
    if (warning !== null && !openings.hasChanged) events.warn(warning, asked.line)
  }

  async #savedOutput(call: SavedCall | undefined): Promise<Json> {
    const result = call?.saved?.result
    return result?.kind === 'ok' ? await this.#options.get(result.output) : null
  }
}

function callRecord({ call, kind, fp, label, phase, request }: AskedCall): NewRecord {
  return { t: 'call', call, kind, fp, label, phase, params: request }
}
