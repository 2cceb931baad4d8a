/**
 * Appends to the journal, and holds the run in place while nothing can be written: what is finished stays in memory and is
 * tried again in its order, so that nothing is reported as saved that is not, and no result stands before its call.
 */
import { AppError } from '../../shared/errors.ts'
import type { JournalRecord, NewRecord } from '../../shared/run/record.ts'
import type { Clock, OpenRun } from './ports.ts'

/** How often a write is tried again while the disk is full or closed to us. */
const RETRY_MS = 2000

interface Held {
  records: NewRecord[]
  sync: boolean
  resolve(records: JournalRecord[]): void
  reject(error: AppError): void
}

export class HeldJournal {
  readonly #run: OpenRun
  readonly #clock: Clock
  readonly #onHeld: (error: AppError) => void
  readonly #stopped = new AbortController()
  /** What could not be written yet, oldest first; while there is any, everything new waits behind it. */
  #held: Held[] = []

  constructor(run: OpenRun, clock: Clock, onHeld: (error: AppError) => void) {
    this.#run = run
    this.#clock = clock
    this.#onHeld = onHeld
  }

  /** Nothing can be written now. */
  get isHeld(): boolean {
    return this.#held.length > 0
  }

  /** @throws AppError `fenced`, or the reason of the hold once the person has stopped the run */
  async save(records: NewRecord[], sync: boolean): Promise<JournalRecord[]> {
    if (this.#held.length > 0) return this.#hold(records, sync)
    try {
      return await this.#run.append(records, { sync })
    } catch (thrown) {
      const error = AppError.wrap(thrown)
      if (!isHold(error) || this.#stopped.signal.aborted) throw error
      const written = this.#hold(records, sync)
      if (this.#held.length === 1) {
        this.#onHeld(error)
        void this.#tryAgain()
      }
      return written
    }
  }

  /** The person wants the run to end: a write that can't be made is tried once more and then given up. */
  stop(): void {
    this.#stopped.abort()
  }

  #hold(records: NewRecord[], sync: boolean): Promise<JournalRecord[]> {
    return new Promise((resolve, reject) => this.#held.push({ records, sync, resolve, reject }))
  }

  /** Everything held goes out together, in one write of the store: all of it is written, or nothing counts. */
  async #tryAgain(): Promise<void> {
    for (let waits = true; this.#held.length > 0; ) {
      if (waits) await this.#clock.after(RETRY_MS, this.#stopped.signal).catch(() => undefined)
      const tried = [...this.#held]
      const outcomes = await Promise.allSettled(tried.map(({ records, sync }) => this.#run.append(records, { sync })))
      const refused = outcomes.find((outcome) => outcome.status === 'rejected')
      const error = refused === undefined ? null : AppError.wrap(refused.reason)
      waits = error !== null && isHold(error) && !this.#stopped.signal.aborted
      if (waits) continue
      const all = this.#held
      // What came meanwhile has waited behind these, and is the next to be tried.
      this.#held = error === null ? all.slice(tried.length) : []
      if (error !== null) for (const { reject } of all) reject(error)
      else for (const [i, outcome] of outcomes.entries()) if (outcome.status === 'fulfilled') tried[i]?.resolve(outcome.value)
    }
  }
}

function isHold(error: AppError): boolean {
  return error.code === 'disk-full' || error.code === 'no-permission'
}
