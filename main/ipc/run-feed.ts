/**
 * Tells the page of the runs that it watches. Events of runs of this process go out in batches; a run that another process
 * works on is looked at once a second, and news of it is a `seq` that the page has not: it then asks for the run.
 */
import type { RunId } from '../../shared/ids.ts'
import type { RunStatus } from '../../shared/run/view.ts'
import type { LiveRuns } from '../live-runs.ts'
import type { Service } from '../service/service.ts'
import { Batches } from './batches.ts'
import type { Send } from './install.ts'

const LOOK_MS = 1_000
/** States in which another process may be at work. */
const UNFINISHED: readonly RunStatus[] = ['queued', 'running', 'waiting']

interface Watched {
  count: number
  project: string
  /** What was seen last of a run that is not ours; null before the first look. */
  seen: { seq: number; status: RunStatus } | null
}

export class RunFeed {
  readonly #service: Service
  readonly #live: LiveRuns
  readonly #send: Send
  readonly #watched = new Map<RunId, Watched>()
  #timer: NodeJS.Timeout | undefined

  constructor(service: Service, live: LiveRuns, send: Send) {
    this.#service = service
    this.#live = live
    this.#send = send
    const batches = new Batches((change) => send('runs.changed', change))
    live.event.on(({ entry, event }) => {
      if (!this.#watched.has(entry.run.runId)) return
      batches.add(entry.run.runId, event)
      if (event.type === 'run.ended') batches.flush(entry.run.runId)
    })
  }

  watch(runId: RunId, project: string): void {
    const known = this.#watched.get(runId)
    if (known !== undefined) known.count += 1
    else this.#watched.set(runId, { count: 1, project, seen: null })
    this.#timer ??= setInterval(() => void this.#look(UNFINISHED), LOOK_MS)
  }

  unwatch(runId: RunId): void {
    const known = this.#watched.get(runId)
    if (known === undefined) return
    known.count -= 1
    if (known.count === 0) this.#watched.delete(runId)
    if (this.#watched.size === 0) this.#rest()
  }

  /** The page was loaded anew: its subscriptions are gone. */
  clear(): void {
    this.#watched.clear()
    this.#rest()
  }

  /** The list of runs changed, perhaps by another process: finished runs may have gone on. */
  async lookAgain(): Promise<void> {
    await this.#look(null)
  }

  #rest(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** @param only states of runs worth a look; null for all */
  async #look(only: readonly RunStatus[] | null): Promise<void> {
    for (const [runId, watched] of [...this.#watched]) {
      if (this.#live.find(runId) !== undefined) continue
      if (only !== null && watched.seen !== null && !only.includes(watched.seen.status)) continue
      try {
        const { lastSeq, status } = await this.#service.show(watched.project, runId)
        const isNews = watched.seen !== null && (watched.seen.seq !== lastSeq || watched.seen.status !== status)
        watched.seen = { seq: lastSeq, status }
        // One more than there is: a run whose owner died has no event of it, and must be asked for all the same.
        if (isNews && this.#watched.get(runId) === watched) this.#send('runs.changed', { runId, seq: lastSeq + 1, events: [] })
      } catch {
        // Unreadable right now; the page hears why when it asks itself.
      }
    }
  }
}
