/**
 * Appends to the journal, and holds the run in place while nothing can be written: what is finished stays in memory and is
 * tried again in its order, so that nothing is reported as saved that is not, and no result stands before its call. A run
 * that is stopped meanwhile still gets its end record, as soon as there is room for it.
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
  readonly #givenUp = new AbortController()
  /** What could not be written yet, oldest first; while there is any, everything new waits behind it. */
  #held: Held[] = []
  /** Writes that wait for the disk. The person is told of the first of them. */
  #waiting = 0

  constructor(run: OpenRun, clock: Clock, onHeld: (error: AppError) => void) {
    this.#run = run
    this.#clock = clock
    this.#onHeld = onHeld
  }

  /** Nothing can be written now. */
  get isHeld(): boolean {
    return this.#waiting > 0
  }

  /**
   * Whoever saves first hears first: `then` is called in the order of the journal, also for what shared one write, so that
   * results reach the script as a resume is going to hand them out.
   * @throws AppError `fenced`, or the reason of the hold once it was given up
   */
  async save(records: NewRecord[], sync: boolean, then: (written: JournalRecord[]) => void = () => undefined): Promise<JournalRecord[]> {
    const written = await this.#write(records, sync)
    then(written)
    return written
  }

  async #write(records: NewRecord[], sync: boolean): Promise<JournalRecord[]> {
    if (this.#held.length > 0) return this.#hold(records, sync)
    try {
      return await this.#run.append(records, { sync })
    } catch (thrown) {
      const error = AppError.wrap(thrown)
      if (!isHold(error) || this.#givenUp.signal.aborted) throw error
      const held = this.#hold(records, sync)
      if (this.#held.length === 1) void this.#tryAgain(error)
      return held
    }
  }

  /** Writes what a record is going to name, and waits as long as the records do. @throws what `save` throws */
  async beside<T>(write: () => Promise<T>): Promise<T> {
    for (let waits = false; ; waits = true) {
      try {
        const written = await write()
        if (waits) this.#waiting -= 1
        return written
      } catch (thrown) {
        const error = AppError.wrap(thrown)
        if (!isHold(error) || this.#givenUp.signal.aborted) throw error
        if (!waits) this.#wait(error)
        await this.#clock.after(RETRY_MS, this.#givenUp.signal).catch(() => undefined)
      }
    }
  }

  /** The process is about to go: a write that can't be made is tried once more and then given up. */
  giveUp(): void {
    this.#givenUp.abort()
  }

  #wait(error: AppError): void {
    this.#waiting += 1
    if (this.#waiting === 1) this.#onHeld(error)
  }

  #hold(records: NewRecord[], sync: boolean): Promise<JournalRecord[]> {
    return new Promise((resolve, reject) => this.#held.push({ records, sync, resolve, reject }))
  }

  /** Everything held goes out together, in one write of the store: all of it is written, or nothing counts. */
  async #tryAgain(reason: AppError): Promise<void> {
    this.#wait(reason)
    for (let waits = true; this.#held.length > 0; ) {
      if (waits) await this.#clock.after(RETRY_MS, this.#givenUp.signal).catch(() => undefined)
      const tried = [...this.#held]
      const outcomes = await Promise.allSettled(tried.map(({ records, sync }) => this.#run.append(records, { sync })))
      const refused = outcomes.find((outcome) => outcome.status === 'rejected')
      const error = refused === undefined ? null : AppError.wrap(refused.reason)
      waits = error !== null && isHold(error) && !this.#givenUp.signal.aborted
      if (waits) continue
      const all = this.#held
      // What came meanwhile has waited behind these, and is the next to be tried.
      this.#held = error === null ? all.slice(tried.length) : []
      if (error !== null) for (const { reject } of all) reject(error)
      else for (const [i, outcome] of outcomes.entries()) if (outcome.status === 'fulfilled') tried[i]?.resolve(outcome.value)
    }
    this.#waiting -= 1
  }
}

/** Whether a write that failed may succeed once the person has made room, or allowed it. */
export function isHold(error: AppError): boolean {
  return error.code === 'disk-full' || error.code === 'no-permission'
}
