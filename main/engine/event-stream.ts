/**
 * The one ordered stream of a run: gives each event its place, folds the view, and hands both on. What comes in a burst is
 * folded and handed on together.
 */
import type { NewEvent, RunEvent } from '../../shared/run/events.ts'
import { reduceAll } from '../../shared/run/reduce.ts'
import type { RunView } from '../../shared/run/view.ts'

export interface EventStreamOptions {
  runId: string
  attempt: number
  /** The view of the attempts before; null for a new run. */
  earlier: RunView | null
  /** Milliseconds between two times that events are handed on; the first ones after a rest go at once. Absent: each turn's go at once. */
  burstMs?: number | undefined
  now(): number
  publish(events: RunEvent[], view: RunView): void
}

export class EventStream {
  readonly #options: EventStreamOptions
  /** The view after the first `#folded` events of the batch. */
  #view: RunView | null
  #seq: number
  #batch: RunEvent[] = []
  #folded = 0
  #timer: NodeJS.Timeout | null = null

  constructor(options: EventStreamOptions) {
    this.#options = options
    this.#view = options.earlier
    this.#seq = options.earlier?.lastSeq ?? 0
  }

  /** The view after all events so far. Only after the first event. */
  get view(): RunView {
    if (this.#folded < this.#batch.length) this.#view = reduceAll(this.#view, this.#batch.slice(this.#folded))
    this.#folded = this.#batch.length
    if (this.#view === null) throw new Error('No event yet: a run view begins with run.started')
    return this.#view
  }

  emit(event: NewEvent): void {
    const { runId, attempt, now } = this.#options
    this.#seq += 1
    const whole = { ...event, seq: this.#seq, at: now(), runId, attempt } as RunEvent
    if (this.#batch.push(whole) === 1 && this.#timer === null) queueMicrotask(() => this.flush())
  }

  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#batch.length === 0) return
    const { view } = this
    const events = this.#batch
    this.#batch = []
    this.#folded = 0
    const { burstMs, publish } = this.#options
    if (burstMs !== undefined) this.#timer = setTimeout(() => this.flush(), burstMs).unref()
    publish(events, view)
  }
}
