/** The runs that this server is at work on. Nothing it started outlives it: at the end all are stopped and kept. */
import type { RunId } from '../../shared/ids.ts'
import type { RunView } from '../../shared/run/view.ts'
import type { LiveRun } from '../service/service.ts'

export class OwnRuns {
  readonly #live = new Map<RunId, LiveRun>()
  readonly #starting = new Set<Promise<unknown>>()
  readonly #ended: (view: RunView) => void
  #stop: 'keep' | 'now' | null = null

  /** @param ended called with the last view of each attempt that came to its end here */
  constructor(ended: (view: RunView) => void) {
    this.#ended = ended
  }

  get(runId: RunId): LiveRun | undefined {
    return this.#live.get(runId)
  }

  /** Starts a run or an attempt and keeps hold of it. What `make` throws comes out unchanged. */
  async start(make: () => Promise<LiveRun>): Promise<LiveRun> {
    const starting = make()
    this.#starting.add(starting)
    try {
      const run = await starting
      if (!run.existed) this.#keep(run)
      return run
    } finally {
      this.#starting.delete(starting)
    }
  }

  #keep(run: LiveRun): void {
    this.#live.set(run.runId, run)
    const forget = (): void => {
      if (this.#live.get(run.runId) === run) this.#live.delete(run.runId)
    }
    run.done.then((view) => {
      forget()
      this.#ended(view)
    }, forget)
    if (this.#stop !== null) run.stop(this.#stop)
  }

  /** Stops everything, also what is just being started; resolves when all of it is on disk. `now` waits for no call. */
  async stopAll(how: 'keep' | 'now'): Promise<void> {
    this.#stop = how
    for (const run of this.#live.values()) run.stop(how)
    await Promise.allSettled(this.#starting)
    await Promise.allSettled([...this.#live.values()].map((run) => run.done))
  }
}
