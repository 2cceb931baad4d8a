/**
 * The runs that this process works on: each with its view, folded from its events. Windows, tray, notifications and the quit
 * question all read this one list.
 */
import type { RunId } from '../shared/ids.ts'
import type { RunEvent } from '../shared/run/events.ts'
import { reduce } from '../shared/run/reduce.ts'
import type { RunView } from '../shared/run/view.ts'
import type { LiveRun } from './service/service.ts'
import { Signal } from './signal.ts'

export interface LiveEntry {
  readonly run: LiveRun
  readonly project: string
  /** Null until its first event. */
  view: RunView | null
  /** The person asked for its end here, so nobody needs to be told of it. */
  isStoppedByUser: boolean
}

export class LiveRuns {
  readonly event = new Signal<{ entry: LiveEntry; event: RunEvent }>()
  /** A run was added or has ended. */
  readonly changed = new Signal<void>()
  /** An attempt has ended and everything of it is on disk. */
  readonly ended = new Signal<{ entry: LiveEntry; view: RunView }>()
  readonly #entries = new Map<RunId, LiveEntry>()

  get entries(): LiveEntry[] {
    return [...this.#entries.values()]
  }

  /** Those that go on unless somebody ends them: not the ones that were stopped here or have their end, and are only being saved. */
  get atWork(): LiveEntry[] {
    return this.entries.filter(({ isStoppedByUser, view }) => !isStoppedByUser && (view === null || view.endedAt === null))
  }

  find(runId: RunId): LiveEntry | undefined {
    return this.#entries.get(runId)
  }

  /** Follows a run that was launched or resumed here, until its end. */
  add(run: LiveRun, project: string): void {
    if (this.#entries.get(run.runId)?.run === run) return
    const entry: LiveEntry = { run, project, view: null, isStoppedByUser: false }
    this.#entries.set(run.runId, entry)
    const stopListening = run.onEvent((event) => {
      entry.view = reduce(entry.view, event)
      this.event.emit({ entry, event })
    })
    this.changed.emit()
    void this.#followToEnd(entry, stopListening)
  }

  async #followToEnd(entry: LiveEntry, stopListening: () => void): Promise<void> {
    let view: RunView | null = null
    try {
      view = await entry.run.done
    } catch (error) {
      console.error(`The run ${entry.run.runId} ended without a final state`, error)
    }
    stopListening()
    // A resume may have put a newer attempt in its place.
    if (this.#entries.get(entry.run.runId) === entry) this.#entries.delete(entry.run.runId)
    if (view !== null) this.ended.emit({ entry, view })
    this.changed.emit()
  }

  /** @returns false when the run is not worked on here */
  stop(runId: RunId, how: 'keep' | 'now'): boolean {
    const entry = this.#entries.get(runId)
    if (entry === undefined) return false
    entry.isStoppedByUser = true
    entry.run.stop(how)
    return true
  }

  /**
   * Ends every run and waits until all is on disk: in order first, at once when `graceMs` is over.
   * @returns when no run is left
   */
  async stopAll(graceMs: number): Promise<void> {
    const entries = this.entries
    const ends = Promise.allSettled(entries.map((entry) => entry.run.done))
    for (const entry of entries) this.stop(entry.run.runId, 'keep')
    const late = setTimeout(() => {
      for (const entry of entries) entry.run.stop('now')
    }, graceMs)
    await ends
    clearTimeout(late)
  }
}
