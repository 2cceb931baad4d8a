/**
 * Reads a journal that may be torn, overwritten or written by two owners, and keeps what counts: good lines on both sides
 * of a bad one, the first record of each attempt, and nothing that an earlier owner declared after it lost the run.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { assertNever } from '../../shared/assert-never.ts'
import { AppError } from '../../shared/errors.ts'
import type { BadLine, JournalRecord } from '../../shared/run/record.ts'
import { isMissing, NO_FOLLOW, writeError } from './disk.ts'
import { decodeRecord } from './journal-format.ts'

export type AttemptRecord = Extract<JournalRecord, { t: 'attempt' }>
export type EndRecord = Extract<JournalRecord, { t: 'end' }>

/** A line that could not be used, with its bytes. `offset` names it for good, since nobody rewrites a journal. */
export interface BadBytes {
  line: number
  offset: number
  reason: string
  bytes: Buffer
}

const NEWLINE = 0x0a
const CHUNK = 1 << 20

/** Folds journal bytes, piece by piece, into the records that count. Never throws. */
export class JournalReader {
  readonly records: JournalRecord[] = []
  readonly bad: BadBytes[] = []
  /** The attempt that the last bytes belong to; 0 before any. */
  attempt = 0
  /** The record that owns that attempt; null when it is damaged. */
  owner: AttemptRecord | null = null
  /** How that attempt ended; null while it goes on. */
  end: EndRecord | null = null
  /** Highest line number used by any good line. */
  lastN = 0
  /** Some line was written by a newer version. */
  newer = false
  /** Bytes read so far. */
  bytes = 0

  #tail: Buffer = Buffer.alloc(0)
  #line = 1
  /** Call number → attempt that declared it and what it asks. */
  #declared = new Map<number, { attempt: number; fp: string }>()
  /** Call number → attempt of its last result. */
  #resulted = new Map<number, number>()

  push(chunk: Buffer): void {
    const data = this.#tail.length === 0 ? chunk : Buffer.concat([this.#tail, chunk])
    const start = this.bytes - this.#tail.length
    let from = 0
    for (let to = data.indexOf(NEWLINE); to !== -1; to = data.indexOf(NEWLINE, from)) {
      this.#readLine(data.subarray(from, to), start + from)
      this.#line += 1
      from = to + 1
    }
    // Copied, so that a short tail does not hold a whole chunk in memory.
    this.#tail = Buffer.from(data.subarray(from))
    this.bytes += chunk.length
  }

  /** Takes a last line that lacks only its newline. A cut one stays open: more of it may come while its owner writes. */
  settle(): void {
    if (this.#tail.length === 0 || !decodeRecord(this.#tail).ok) return
    this.#readLine(this.#tail, this.bytes - this.#tail.length)
    this.#tail = Buffer.alloc(0)
  }

  /** The open end of the file as a bad line; null when the file ends with a newline. */
  get cut(): BadBytes | null {
    if (this.#tail.length === 0) return null
    return { line: this.#line, offset: this.bytes - this.#tail.length, reason: 'is cut off', bytes: this.#tail }
  }

  #readLine(line: Buffer, offset: number): void {
    if (line.length === 0) return
    const decoded = decodeRecord(line)
    if (decoded.ok) {
      this.#accept(decoded.record)
      return
    }
    this.newer ||= decoded.newer
    this.bad.push({ line: this.#line, offset, reason: decoded.reason, bytes: Buffer.from(line) })
    // A record never holds a raw NUL, so blocks of them (a file system after a power cut) part what stands on either side.
    if (line.includes(0)) this.#readBetweenNuls(line)
  }

  #readBetweenNuls(line: Buffer): void {
    let from = 0
    while (from < line.length) {
      const nul = line.indexOf(0, from)
      const to = nul === -1 ? line.length : nul
      const decoded = to > from ? decodeRecord(line.subarray(from, to)) : null
      if (decoded?.ok) this.#accept(decoded.record)
      from = to + 1
    }
  }

  #accept(record: JournalRecord): void {
    this.lastN = Math.max(this.lastN, record.n)
    if (this.#counts(record)) this.records.push(record)
  }

  /** Whether a good line counts; keeps track of attempts on the way. */
  #counts(record: JournalRecord): boolean {
    switch (record.t) {
      case 'attempt':
        if (record.attempt <= this.attempt) return false
        this.#begin(record.attempt)
        this.owner = record
        return true
      case 'call':
        return this.#countsCall(record)
      case 'started':
        return this.#isCurrent(record.attempt)
      case 'result':
        return this.#countsResult(record)
      case 'command':
        return true
      case 'end':
        if (!this.#isCurrent(record.attempt) || this.end !== null) return false
        this.end = record
        return true
      default:
        return assertNever(record)
    }
  }

  #begin(attempt: number): void {
    this.attempt = attempt
    this.owner = null
    this.end = null
  }

  /** A later attempt than the last one read means that its own record was damaged. */
  #isCurrent(attempt: number): boolean {
    if (attempt > this.attempt) this.#begin(attempt)
    return attempt === this.attempt
  }

  #countsCall(record: Extract<JournalRecord, { t: 'call' }>): boolean {
    if (!this.#isCurrent(record.attempt ?? Math.max(1, this.attempt))) return false
    const known = this.#declared.get(record.call)
    // A batch that failed half way is written again as a whole.
    if (known !== undefined && known.attempt === this.attempt && known.fp === record.fp) return false
    this.#declared.set(record.call, { attempt: this.attempt, fp: record.fp })
    return true
  }

  #countsResult(record: Extract<JournalRecord, { t: 'result' }>): boolean {
    if (record.attempt > this.attempt) this.#begin(record.attempt)
    const declared = this.#declared.get(record.call)
    // Paid work of an earlier owner counts, but only for a call that stood before it lost the run.
    if (declared === undefined || declared.attempt > record.attempt) return false
    if (this.#resulted.get(record.call) === record.attempt) return false
    this.#resulted.set(record.call, record.attempt)
    return true
  }
}

/** Reads from `offset` to the end of an open file into the reader. */
export function readInto(reader: JournalReader, fd: number, offset: number): void {
  let at = offset
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.max(1, Math.min(CHUNK * 16, fstatSync(fd).size - at)))
    const count = readSync(fd, chunk, 0, chunk.length, at)
    if (count === 0) break
    reader.push(chunk.subarray(0, count))
    at += count
  }
  reader.settle()
}

/** Opens a journal with the given flags (0 = to read). Never makes one. */
export function openJournal(path: string, flags: number): number {
  try {
    return openSync(path, flags | NO_FOLLOW)
  } catch (error) {
    if (isMissing(error)) {
      throw new AppError(
        'journal-missing',
        `The journal of this run is gone: ${path}. Its results can't be reused; start the workflow anew.`,
      )
    }
    throw writeError(error, path)
  }
}

/**
 * Reads a whole journal.
 * @throws AppError `journal-missing`, `no-permission`
 */
export function readJournal(path: string): JournalReader {
  const fd = openJournal(path, 0)
  try {
    const reader = new JournalReader()
    readInto(reader, fd, 0)
    return reader
  } finally {
    closeSync(fd)
  }
}

/** Bad lines for people. While its owner is alive, an open end is a line being written and no damage. */
export function badLines(reader: JournalReader, path: string, withCut: boolean): BadLine[] {
  const cut = withCut ? reader.cut : null
  const all = cut === null ? reader.bad : [...reader.bad, cut]
  return all.map(({ line, reason }) => ({ line, reason, path }))
}
