/**
 * `index.jsonl`: one appended row per change of a run's state, the last row of a run wins. A cache that spares opening run
 * folders: unreadable rows cost a look into their folder, and a row that claims a living owner is checked by the reader.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import * as z from 'zod'
import type { Owner } from '../../shared/run/record.ts'
import type { RunSummary } from '../../shared/run/view.ts'
import { RUN_STATUSES } from '../../shared/run/view.ts'
import { createFile, removeQuietly } from './atomic-write.ts'
import { allLines } from './byte-lines.ts'
import type { Disk } from './disk.ts'
import { nodeDisk, writeAll } from './disk.ts'
import { currentOwner, ownerState } from './owner.ts'
import type { ProjectPaths } from './paths.ts'

/** A row of the list, and who was at work on the run then; null when its last attempt has ended. */
export interface IndexRow {
  summary: RunSummary
  owner: Owner | null
}

const OwnerSchema = z.object({ pid: z.number(), startTime: z.number(), boot: z.string(), host: z.string() })
const STATUSES: ReadonlySet<unknown> = new Set(RUN_STATUSES)

/** Below this many lines nothing is compacted. */
const SMALL = 200

export function encodeRow({ summary, owner }: IndexRow): string {
  return `${JSON.stringify({ schemaVersion: 1, ...summary, owner })}\n`
}

/** Checked lightly, for a list of 10,000: what sorting and filtering read. Whoever shows a row checks it whole. */
function decodeRow(line: string): IndexRow | null {
  try {
    const value: { [key: string]: unknown } = JSON.parse(line)
    const { schemaVersion, owner, ...summary } = value
    if (schemaVersion !== 1 || !isRow(summary)) return null
    return { summary, owner: owner === null ? null : OwnerSchema.parse(owner) }
  } catch {
    return null
  }
}

const TEXTS = ['runId', 'title', 'path', 'sentence'] as const
const NUMBERS = ['number', 'attempt', 'updatedAt'] as const

function isRow(row: { [key: string]: unknown }): row is RunSummary & { [key: string]: unknown } {
  return (
    TEXTS.every((key) => typeof row[key] === 'string') &&
    NUMBERS.every((key) => typeof row[key] === 'number') &&
    STATUSES.has(row['status'])
  )
}

export class IndexStore {
  readonly #paths: ProjectPaths
  readonly #disk: Disk
  readonly #rows = new Map<string, IndexRow>()
  #inode: bigint | null = null
  #offset = 0
  #lines = 0
  #damaged = false

  constructor(paths: ProjectPaths, disk: Disk = nodeDisk) {
    this.#paths = paths
    this.#disk = disk
  }

  /** The last row of each run, as far as readable. Only what was added since the last call is read. */
  rows(): ReadonlyMap<string, IndexRow> {
    const stat = statSync(this.#paths.index, { throwIfNoEntry: false, bigint: true })
    if (stat === undefined || stat.ino !== this.#inode || stat.size < this.#offset) {
      this.#rows.clear()
      this.#offset = 0
      this.#lines = 0
      this.#damaged = false
      this.#inode = stat?.ino ?? null
    }
    if (stat === undefined) return this.#rows
    for (const { lines, end } of allLines(this.#paths.index, this.#offset)) {
      this.#offset = end
      this.#lines += lines.length
      for (const line of lines) {
        const row = decodeRow(line)
        if (row === null) this.#damaged = true
        else if (!this.#isOutdated(row)) this.#rows.set(row.summary.runId, row)
      }
    }
    return this.#rows
  }

  /** Some row could not be read, so any run may have moved on since its last readable one. As of the last `rows()`. */
  get damaged(): boolean {
    return this.#damaged || (statSync(this.#paths.index, { throwIfNoEntry: false })?.size ?? 0) > this.#offset
  }

  /** Rows of an earlier attempt can come late, from a reader that found its owner dead while another took the run on. */
  #isOutdated({ summary }: IndexRow): boolean {
    const known = this.#rows.get(summary.runId)
    return known !== undefined && known.summary.attempt > summary.attempt
  }

  /** Adds a row; a torn last line of somebody else is closed first. */
  append(row: IndexRow): void {
    const bytes = Buffer.from(`\n${encodeRow(row)}`)
    // While we appended, the file may have been replaced by its compacted form: then the row goes into that one too.
    for (let tries = 0; tries < 5; tries++) {
      const fd = openSync(this.#paths.index, 'a')
      try {
        writeAll(this.#disk, fd, bytes)
        if (fstatSync(fd).ino === statSync(this.#paths.index, { throwIfNoEntry: false })?.ino) return
      } finally {
        closeSync(fd)
      }
    }
  }

  /** Writes the index anew with one row a run when it has grown to more than twice that; always when it is damaged. */
  compact(current: readonly IndexRow[]): void {
    const isLong = this.#lines >= SMALL && this.#lines > 2 * current.length
    if ((!isLong && !this.damaged) || !this.#lock()) return
    try {
      this.#rewrite(current)
    } finally {
      removeQuietly(this.#paths.indexLock)
    }
  }

  #rewrite(current: readonly IndexRow[]): void {
    const temp = `${this.#paths.index}.${process.pid}.new`
    const old = openSync(this.#paths.index, 'r')
    const read = this.#offset
    try {
      const fd = openSync(temp, 'w')
      try {
        writeAll(this.#disk, fd, Buffer.from(current.map(encodeRow).join('')))
        this.#disk.sync(fd)
        this.#disk.rename(temp, this.#paths.index)
        // What others appended to the old file between our reading and the rename.
        const late = Buffer.alloc(Math.max(0, fstatSync(old).size - read))
        const count = readSync(old, late, 0, late.length, read)
        const lines = late
          .toString('utf8', 0, count)
          .split('\n')
          .filter((line) => decodeRow(line) !== null)
        if (lines.length > 0) writeAll(this.#disk, fd, Buffer.from(`${lines.join('\n')}\n`))
      } finally {
        closeSync(fd)
      }
    } catch (error) {
      removeQuietly(temp)
      throw error
    } finally {
      closeSync(old)
    }
  }

  /** The lock only keeps two compactions apart; one whose owner died is taken away. */
  #lock(): boolean {
    const text = JSON.stringify(currentOwner())
    if (createFile(this.#paths.indexLock, text, this.#disk)) return true
    try {
      const parsed = OwnerSchema.safeParse(JSON.parse(readFileSync(this.#paths.indexLock, 'utf8')))
      if (parsed.success && ownerState(parsed.data) !== 'dead') return false
    } catch {
      return false
    }
    removeQuietly(this.#paths.indexLock)
    return createFile(this.#paths.indexLock, text, this.#disk)
  }
}
