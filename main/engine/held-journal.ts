/**
 * Appends to the journal, and holds the run in place while nothing can be written: what is finished stays in memory and is
 * tried again, so that nothing is reported as saved that is not.
 */
import { AppError } from '../../shared/errors.ts'
import type { JournalRecord, NewRecord } from '../../shared/run/record.ts'
import type { Clock, OpenRun } from './ports.ts'

/** How often a write is tried again while the disk is full or closed to us. */
const RETRY_MS = 2000

export class HeldJournal {
  readonly #run: OpenRun
  readonly #clock: Clock
  readonly #onHeld: (error: AppError) => void
  readonly #stopped = new AbortController()

  constructor(run: OpenRun, clock: Clock, onHeld: (error: AppError) => void) {
    this.#run = run
    this.#clock = clock
    this.#onHeld = onHeld
  }

  /** @throws AppError `fenced`, or the reason of the hold once the person has stopped the run */
  async save(records: NewRecord[], sync: boolean): Promise<JournalRecord[]> {
    for (let isTold = false; ; isTold = true) {
      try {
        return await this.#run.append(records, { sync })
      } catch (thrown) {
        const error = AppError.wrap(thrown)
        const holds = error.code === 'disk-full' || error.code === 'no-permission'
        if (!holds || this.#stopped.signal.aborted) throw error
        if (!isTold) this.#onHeld(error)
        await this.#clock.after(RETRY_MS, this.#stopped.signal).catch(() => undefined)
      }
    }
  }

  /** The person wants the run to end: a write that can't be made is tried once more and then given up. */
  stop(): void {
    this.#stopped.abort()
  }
}
