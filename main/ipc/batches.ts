/** Collects run events and hands them on at most ten times a second a run; the first of a quiet run goes at once. */
import type { RunsChanged } from '../../shared/contract/events.ts'
import type { RunId } from '../../shared/ids.ts'
import type { RunEvent } from '../../shared/run/events.ts'

const INTERVAL_MS = 100

interface Batch {
  events: RunEvent[]
  timer: NodeJS.Timeout
}

export class Batches {
  readonly #send: (change: RunsChanged) => void
  readonly #open = new Map<RunId, Batch>()

  constructor(send: (change: RunsChanged) => void) {
    this.#send = send
  }

  add(runId: RunId, event: RunEvent): void {
    const open = this.#open.get(runId)
    if (open !== undefined) {
      open.events.push(event)
      return
    }
    this.#send({ runId, seq: event.seq, events: [event] })
    this.#open.set(runId, { events: [], timer: this.#later(runId) })
  }

  /** Sends what waits for this run now. */
  flush(runId: RunId): void {
    const open = this.#open.get(runId)
    if (open === undefined) return
    clearTimeout(open.timer)
    this.#open.delete(runId)
    this.#hand(runId, open.events)
  }

  #later(runId: RunId): NodeJS.Timeout {
    return setTimeout(() => {
      const open = this.#open.get(runId)
      if (open === undefined) return
      if (open.events.length === 0) {
        this.#open.delete(runId)
        return
      }
      this.#hand(runId, open.events.splice(0))
      open.timer = this.#later(runId)
    }, INTERVAL_MS)
  }

  #hand(runId: RunId, events: RunEvent[]): void {
    const last = events.at(-1)
    if (last !== undefined) this.#send({ runId, seq: last.seq, events })
  }
}
