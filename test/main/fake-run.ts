/** A live run that a test drives: it says its events and ends when told. */
import type { LiveRun } from '../../main/service/service.ts'
import { RunId } from '../../shared/ids.ts'
import type { NewEvent, RunEvent } from '../../shared/run/events.ts'
import { NO_COUNTS, reduce } from '../../shared/run/reduce.ts'
import type { RunView } from '../../shared/run/view.ts'

export class FakeRun implements LiveRun {
  readonly runId: RunId
  readonly number: number
  readonly existed = false
  readonly done: Promise<RunView>
  readonly stops: ('keep' | 'now')[] = []
  view: RunView | null = null
  #finish: (view: RunView) => void = () => undefined
  readonly #listeners = new Set<(event: RunEvent) => void>()
  #seq = 0

  constructor(id: string, number = 1) {
    this.runId = RunId.parse(id)
    this.number = number
    this.done = new Promise((resolve) => {
      this.#finish = resolve
    })
  }

  get listenerCount(): number {
    return this.#listeners.size
  }

  onEvent(listener: (event: RunEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  stop(how: 'keep' | 'now'): void {
    this.stops.push(how)
  }

  pause(): void {}

  say(event: NewEvent): void {
    const whole = { ...event, seq: ++this.#seq, at: 0, runId: this.runId, attempt: 1 } as RunEvent
    this.view = reduce(this.view, whole)
    for (const listener of [...this.#listeners]) listener(whole)
  }

  start(title = 'triage'): void {
    const facts = { path: '/p/x.ts', script: '', scriptChanged: false, declaredPhases: [], backend: null, policy: 'content' }
    this.say({ type: 'run.started', number: this.number, title, ...facts, concurrency: 4, budget: null, startedAt: 0 })
  }

  /** Ends the attempt, first as an event, then for good. */
  end(status: string, counts: Partial<typeof NO_COUNTS> = {}): void {
    this.tellEnd(status, counts)
    if (this.view === null) throw new Error('start the run before its end')
    this.#finish(this.view)
  }

  /** The event alone: not everything of the attempt is on disk yet. */
  tellEnd(status: string, counts: Partial<typeof NO_COUNTS> = {}): void {
    this.say({ type: 'run.ended', status, reason: null, resetAt: null, error: null, counts: { ...NO_COUNTS, ...counts }, value: null })
  }
}
