/** The one ordered stream of a run: gives each event its place, folds the view, and hands both on. */
import type { NewEvent, RunEvent } from '../../shared/run/events.ts'
import { reduce } from '../../shared/run/reduce.ts'
import type { RunView } from '../../shared/run/view.ts'

export interface EventStreamOptions {
  runId: string
  attempt: number
  /** The view of the attempts before; null for a new run. */
  earlier: RunView | null
  now(): number
  publish(events: RunEvent[], view: RunView): void
}

export class EventStream {
  #view: RunView | null
  #seq: number
  readonly #options: EventStreamOptions
  #batch: RunEvent[] = []

  constructor(options: EventStreamOptions) {
    this.#options = options
    this.#view = options.earlier
    this.#seq = options.earlier?.lastSeq ?? 0
  }

  /** The view after all events so far. Only after the first event. */
  get view(): RunView {
    if (this.#view === null) throw new Error('No event yet: a run view begins with run.started')
    return this.#view
  }

  emit(event: NewEvent): void {
    const { runId, attempt, now } = this.#options
    this.#seq += 1
    const whole = { ...event, seq: this.#seq, at: now(), runId, attempt } as RunEvent
    this.#view = reduce(this.#view, whole)
    this.#batch.push(whole)
    if (this.#batch.length === 1) queueMicrotask(() => this.flush())
  }

  flush(): void {
    if (this.#batch.length > 0) this.#options.publish(this.#batch.splice(0), this.view)
  }
}
