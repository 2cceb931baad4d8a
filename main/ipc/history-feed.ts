/** Tells the page that the list of runs is not what it was: because of runs of this process, or because the index file changed. */
import { unwatchFile, watchFile } from 'node:fs'
import type { LiveRuns } from '../live-runs.ts'
import type { Projects } from '../projects.ts'
import { projectPaths } from '../store/paths.ts'

const QUIET_MS = 250
const LOOK_MS = 1_000

export class HistoryFeed {
  readonly #tell: (change: { seq: number; project: string }) => void
  #seq = 0
  #project: string | null = null
  #timer: NodeJS.Timeout | undefined
  #isStale = false

  constructor(projects: Projects, live: LiveRuns, tell: (change: { seq: number; project: string }) => void) {
    this.#tell = tell
    this.#follow(projects.current?.path ?? null)
    projects.changed.on((project) => {
      this.#follow(project?.path ?? null)
      this.changed()
    })
    live.changed.on(() => this.changed())
    live.event.on(({ entry }) => {
      if (entry.project === this.#project) this.changed()
    })
  }

  /** At once when it was quiet, then at most four times a second. */
  changed(): void {
    if (this.#timer !== undefined) {
      this.#isStale = true
      return
    }
    this.#emit()
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#isStale) this.changed()
    }, QUIET_MS)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#follow(null)
  }

  #emit(): void {
    this.#isStale = false
    if (this.#project !== null) this.#tell({ seq: ++this.#seq, project: this.#project })
  }

  /** Looked at by its time and size, which also works before the file is there. */
  #follow(project: string | null): void {
    if (this.#project !== null) unwatchFile(projectPaths(this.#project).index)
    this.#project = project
    if (project === null) return
    watchFile(projectPaths(project).index, { interval: LOOK_MS, persistent: false }, (now, before) => {
      // A file that is not there yet is also told of, once.
      if (now.mtimeMs !== before.mtimeMs || now.size !== before.size) this.changed()
    })
  }
}
