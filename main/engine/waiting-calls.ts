/**
 * The calls of an attempt that only wait: a sleep for its time, a gate for a person. They take no slot and no executor
 * knows of them. When one is due is journaled with its start, so that the next attempt waits for the rest only.
 */
import type { Json } from '../../shared/json.ts'
import type { NewEvent } from '../../shared/run/events.ts'
import type { NewRecord, Shown, Value } from '../../shared/run/record.ts'
import { requestOf } from './call-task.ts'
import type { SavedCall } from './history.ts'
import type { Settled } from './live-call.ts'
import type { Clock } from './ports.ts'
import type { AskedCall } from './sandbox/protocol.ts'

/** The clock is looked at this often: a machine that slept wakes a call that fell due meanwhile. */
const LOOK_MS = 1000
const NOTHING_SPENT = { usage: { inputTokens: 0, outputTokens: 0 }, cost: null, tries: 1, backend: null }

/** A file for a person to look at, or why it can't be shown. */
export type ShownFile = { text: string; sha256: string } | { refused: string }

const NOBODY_CHOSE = { kind: 'dead', reason: 'timeout', detail: 'Nobody chose in time' } as const

export interface WaitingCall {
  readonly asked: AskedCall
  readonly startedAt: number
  /** When it ends by itself, in milliseconds since 1970; null for a gate without a time limit. */
  readonly dueAt: number | null
  readonly over: AbortController
  /** Its start is in the journal. */
  hasBegun: boolean
  /** Hash of the text that the gate showed at its opening. */
  shown?: string
}

export interface WaitingCallsOptions {
  attempt: number
  clock: Clock
  emit(event: NewEvent): void
  save(records: NewRecord[], sync: boolean): Promise<unknown>
  readFile(path: string): Promise<ShownFile>
  put(value: Json): Promise<Value>
  onBegun(): void
  /** Resolves when the result is saved. */
  onSettled(asked: AskedCall, settled: Extract<Settled, { kind: 'result' }>): Promise<void>
  /** A result that was on its way to the journal has arrived there. */
  onFreed(): void
  onBroken(error: unknown): void
}

export class WaitingCalls {
  readonly #options: WaitingCallsOptions
  readonly #calls = new Map<number, WaitingCall>()
  #saving = 0

  constructor(options: WaitingCallsOptions) {
    this.#options = options
  }

  /** Waiting now, in the order in which they were asked. */
  get all(): readonly WaitingCall[] {
    return [...this.#calls.values()]
  }

  /** No result of it is on its way to the journal. */
  get isIdle(): boolean {
    return this.#saving === 0
  }

  find(call: number): WaitingCall | undefined {
    return this.#calls.get(call)
  }

  /** Begins to wait, for the rest of the time when an attempt before this one had begun. */
  add(asked: AskedCall, saved: SavedCall | undefined): void {
    const { clock, onBroken } = this.#options
    const startedAt = clock.now()
    const call: WaitingCall = { asked, startedAt, dueAt: dueAt(asked, saved, startedAt), over: new AbortController(), hasBegun: false }
    this.#calls.set(asked.call, call)
    this.#begin(call, (saved?.started?.generation ?? 0) + 1).catch(onBroken)
  }

  /**
   * Gives a call its result now; resolves when that is saved. Null when it does not wait any more: whoever came first has
   * settled it.
   */
  settle(callId: number, result: Extract<Settled, { kind: 'result' }>['result']): Promise<void> | null {
    const call = this.#calls.get(callId)
    if (call === undefined) return null
    this.#forget(call)
    const ms = Math.max(0, this.#options.clock.now() - call.startedAt)
    return this.#save(call.asked, { kind: 'result', result, ms, ...NOTHING_SPENT })
  }

  async #save(asked: AskedCall, settled: Extract<Settled, { kind: 'result' }>): Promise<void> {
    const { onSettled, onFreed, onBroken } = this.#options
    this.#saving += 1
    const saved = onSettled(asked, settled)
    saved.catch(onBroken)
    await saved
    this.#saving -= 1
    onFreed()
  }

  /** The attempt ends: nothing falls due any more. */
  close(): void {
    for (const call of this.all) this.#forget(call)
  }

  async #begin(waiting: WaitingCall, generation: number): Promise<void> {
    const { attempt, emit, save, clock, onBegun } = this.#options
    const { asked, dueAt, over } = waiting
    const { call } = asked
    const wakeAt = dueAt === null ? {} : { wakeAt: dueAt }
    const shown = await this.#shown(asked)
    if (shown !== null && 'refused' in shown) {
      void this.settle(call, { kind: 'dead', reason: 'refused', detail: `The gate can't show its file: ${shown.refused}` })
      return
    }
    const worker = asked.kind === 'gate' ? 'person' : 'clock'
    await save([{ t: 'started', call, attempt, generation, worker, ...wakeAt, ...(shown !== null && { shown }) }], false)
    if (over.signal.aborted) return
    if (shown !== null) waiting.shown = shown.sha256
    emit({ type: 'call.started', callId: call, generation, worker, ...wakeAt })
    if (asked.kind === 'gate') emit({ type: 'gate.opened', callId: call, ...questionOf(asked.request) })
    waiting.hasBegun = true
    onBegun()
    if (dueAt === null) return
    for (let left = dueAt - clock.now(); left > 0; left = dueAt - clock.now()) {
      await clock.after(Math.min(left, LOOK_MS), over.signal).catch(() => undefined)
      if (over.signal.aborted) return
    }
    void this.settle(call, asked.kind === 'gate' ? NOBODY_CHOSE : { kind: 'ok', output: null })
  }

  async #shown({ request }: AskedCall): Promise<Shown | { refused: string } | null> {
    const path = shownPath(request)
    if (path === null) return null
    const file = await this.#options.readFile(path)
    return 'refused' in file ? file : { path, sha256: file.sha256, text: await this.#options.put(file.text) }
  }

  /** Whether a gate has another text to show now than the one with this hash. */
  async showsOther({ asked, shown }: WaitingCall, seen: string): Promise<boolean> {
    const path = shownPath(asked.request)
    if (path === null) return false
    const file = await this.#options.readFile(path)
    const now = 'refused' in file ? shown : file.sha256
    return now !== undefined && now !== seen
  }

  #forget(call: WaitingCall): void {
    this.#calls.delete(call.asked.call)
    call.over.abort()
  }
}

/** The time that was journaled stands, unless a result came after it and the call is asked anew. */
function dueAt({ request }: AskedCall, saved: SavedCall | undefined, now: number): number | null {
  const started = saved?.started ?? null
  const result = saved?.saved ?? null
  const isAsked = result !== null && result.result.kind !== 'abandoned' && result.attempt >= (started?.attempt ?? 0)
  const journaled = isAsked ? undefined : started?.wakeAt
  if (journaled !== undefined) return journaled
  const ms = durationOf(request)
  return ms === null ? null : now + ms
}

/** What a gate asks, and what can be chosen. */
export function questionOf(request: Json): { question: string; options: string[] } {
  const { question, options } = requestOf(request)
  const choices = Array.isArray(options) ? options.filter((option) => typeof option === 'string') : []
  return { question: typeof question === 'string' ? question : '', options: choices }
}

function shownPath(request: Json): string | null {
  const { show } = requestOf(request)
  return typeof show === 'object' && show !== null && !Array.isArray(show) && typeof show['path'] === 'string' ? show['path'] : null
}

function durationOf(request: Json): number | null {
  const { ms, timeoutMs } = requestOf(request)
  const given = ms ?? timeoutMs
  return typeof given === 'number' ? given : null
}
