/**
 * The append handle of one attempt: what it reports as written is on the disk. Never truncates, writes one batch with one
 * sync for all who wait, and looks before each batch whether another owner took the run over.
 */
import { closeSync, constants, fstatSync, readSync } from 'node:fs'
import { AppError } from '../../shared/errors.ts'
import type { JournalRecord, NewRecord } from '../../shared/run/record.ts'
import type { Disk } from './disk.ts'
import { writeAll, writeError } from './disk.ts'
import { decodeRecord, encodeRecord } from './journal-format.ts'

/** Flags of an owner's handle: appends wherever the end is by then, and reads what others appended. */
export const OWNER_FLAGS = constants.O_RDWR | constants.O_APPEND

/** `full`: results are on the disk before anybody sees them. `os`: left to the system, lost with a power cut. */
export type Durability = 'full' | 'os'

export interface JournalOptions {
  fd: number
  path: string
  attempt: number
  /** Number of the next line. */
  nextN: number
  /** Bytes of the file that were read and known. */
  known: number
  /** The file may end inside a line. */
  torn: boolean
  disk: Disk
  durability: Durability
  now: () => number
}

interface Waiting {
  records: readonly NewRecord[]
  sync: boolean
  resolve(records: JournalRecord[]): void
  reject(error: AppError): void
}

const NEWLINE = 0x0a

export class Journal {
  readonly #o: JournalOptions
  /** End of what was looked at. */
  #checked: number
  /** Where the file ends if only we wrote since then. */
  #expected: number
  #nextN: number
  #torn: boolean
  #queue: Waiting[] = []
  #scheduled = false
  #fenced: AppError | null = null
  #closed = false

  constructor(options: JournalOptions) {
    this.#o = options
    this.#checked = options.known
    this.#expected = options.known
    this.#nextN = options.nextN
    this.#torn = options.torn
  }

  /** Bytes of the journal as far as this owner knows. */
  get bytes(): number {
    return this.#expected
  }

  /**
   * Appends records in the order of the calls. Resolves when they are written, and durable if one of them or `sync` asks.
   * @throws AppError `fenced`, `disk-full`, `no-permission`, `journal-missing`: none of these records counts as saved then
   */
  append(records: readonly NewRecord[], options: { sync?: boolean } = {}): Promise<JournalRecord[]> {
    return new Promise((resolve, reject) => {
      const sync = options.sync === true || records.some((record) => record.t !== 'call' && record.t !== 'started')
      this.#queue.push({ records, sync, resolve, reject })
      if (this.#scheduled) return
      this.#scheduled = true
      // One turn later, so that everything that arrived in this turn shares one write and one sync.
      setImmediate(() => this.#flush())
    })
  }

  /** Writes what still waits and closes the file. */
  close(): void {
    if (this.#closed) return
    this.#flush()
    this.#closed = true
    closeSync(this.#o.fd)
  }

  #flush(): void {
    this.#scheduled = false
    const batch = this.#queue.splice(0)
    if (batch.length === 0) return
    try {
      const written = this.#write(batch)
      for (const [place, waiting] of batch.entries()) waiting.resolve(written[place] ?? [])
    } catch (error) {
      const told = writeError(error, this.#o.path)
      for (const waiting of batch) waiting.reject(told)
    }
  }

  #write(batch: readonly Waiting[]): JournalRecord[][] {
    const { fd, disk, path, durability, now, attempt } = this.#o
    if (this.#closed) throw new AppError('internal', `${path} was closed before the last record.`)
    this.#look()
    const at = now()
    let n = this.#nextN
    const written = batch.map(({ records }) => records.map((record) => this.#numbered(record, n++, at, attempt)))
    let text = this.#torn ? '\n' : ''
    for (const records of written) for (const record of records) text += `${encodeRecord(record)}\n`
    const bytes = Buffer.from(text)
    const sync = durability === 'full' && batch.some((waiting) => waiting.sync)
    try {
      // Until both have succeeded the file may end anywhere, and nobody may build on it.
      this.#torn = true
      writeAll(disk, fd, bytes)
      if (sync) disk.sync(fd)
    } catch (error) {
      this.#expected = -1
      throw error
    }
    this.#torn = false
    this.#nextN = n
    this.#expected += bytes.length
    this.#look()
    return written
  }

  #numbered(record: NewRecord, n: number, at: number, attempt: number): JournalRecord {
    return record.t === 'call' ? { ...record, attempt, n, at } : { ...record, n, at }
  }

  /**
   * Reads what others appended since the last look.
   * @throws AppError `fenced` when another attempt began, `journal-missing` when the run was deleted under us
   */
  #look(): void {
    if (this.#fenced !== null) throw this.#fenced
    const { size, nlink } = fstatSync(this.#o.fd)
    if (nlink === 0)
      throw new AppError('journal-missing', `${this.#o.path} was deleted while the run went on. What follows can't be saved.`)
    if (size === this.#expected) {
      this.#checked = size
      return
    }
    const added = Buffer.alloc(Math.max(0, size - this.#checked))
    readSync(this.#o.fd, added, 0, added.length, this.#checked)
    let from = 0
    for (let to = added.indexOf(NEWLINE); to !== -1; to = added.indexOf(NEWLINE, from)) {
      const decoded = decodeRecord(added.subarray(from, to))
      from = to + 1
      if (!decoded.ok) continue
      this.#nextN = Math.max(this.#nextN, decoded.record.n + 1)
      if (decoded.record.t === 'attempt' && decoded.record.attempt > this.#o.attempt) this.#fence(decoded.record.attempt)
    }
    this.#torn ||= from < added.length
    this.#checked += from
    this.#expected = size
    if (this.#fenced !== null) throw this.#fenced
  }

  #fence(attempt: number): void {
    this.#fenced ??= new AppError('fenced', `Attempt ${attempt} took this run over elsewhere, so attempt ${this.#o.attempt} ends here.`)
  }
}
