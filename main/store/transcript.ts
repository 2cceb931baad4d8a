/**
 * Transcripts of calls, `transcripts/<call>.jsonl`: the owner appends without syncing, everybody reads by range from the end, so
 * that a long one costs no more than a short one. A transcript is no result: what can't be written is lost without a word.
 */
import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { TranscriptEvent, type TranscriptPage, type TranscriptQuery } from '../../shared/run/transcript.ts'
import { NO_FOLLOW } from './disk.ts'
import { makeFolder } from './paths.ts'

/** Lines that come together are written together. */
const FLUSH_MS = 100
const LONGEST_CHARS = 100_000
const CHUNK_BYTES = 64 * 1024
const NEWLINE = 0x0a

export type TranscriptLine = Pick<TranscriptEvent, 'attempt' | 'generation' | 'kind' | 'text'>

export function transcriptFile(folder: string, call: number): string {
  return join(folder, `${call}.jsonl`)
}

export class TranscriptWriter {
  readonly #folder: string
  readonly #waiting = new Map<number, string[]>()
  /** The last number given to a line, by call. */
  readonly #last = new Map<number, number>()
  #timer: NodeJS.Timeout | null = null

  constructor(folder: string) {
    this.#folder = folder
  }

  add(call: number, line: TranscriptLine, at: number = Date.now()): void {
    const n = (this.#last.get(call) ?? readTranscript(this.#folder, call, { limit: 1 }).total) + 1
    this.#last.set(call, n)
    const { attempt, generation, kind, text } = line
    const kept = text.length > LONGEST_CHARS ? `${text.slice(0, LONGEST_CHARS)} [cut]` : text
    const lines = this.#waiting.get(call) ?? []
    // A line that a crash tore is ended by the next one's beginning.
    lines.push(`${lines.length === 0 && n === 1 ? '' : '\n'}${JSON.stringify({ n, at, attempt, generation, kind, text: kept })}`)
    this.#waiting.set(call, lines)
    this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS)
  }

  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    for (const [call, lines] of this.#waiting) {
      try {
        makeFolder(this.#folder)
        appendFileSync(transcriptFile(this.#folder, call), lines.join(''), { flag: 'a' })
      } catch {
        // The journal tells the person what is wrong with the disk.
      }
    }
    this.#waiting.clear()
  }
}

/** The newest lines, or those before a number; none when there is no transcript. */
export function readTranscript(folder: string, call: number, { before, limit }: TranscriptQuery): TranscriptPage {
  let fd: number
  try {
    fd = openSync(transcriptFile(folder, call), NO_FOLLOW)
  } catch {
    return { events: [], total: 0 }
  }
  try {
    const size = fstatSync(fd).size
    const total = linesBefore(fd, size, 1)[0]?.n ?? 0
    const end = before === undefined || before > total ? size : placeOf(fd, size, before)
    return { events: linesBefore(fd, end, limit), total }
  } finally {
    closeSync(fd)
  }
}

/** Up to `limit` usable lines that end at or before a byte offset, oldest first. */
function linesBefore(fd: number, end: number, limit: number): TranscriptEvent[] {
  const found: TranscriptEvent[] = []
  let from = end
  let rest = Buffer.alloc(0)
  while (from > 0 && found.length < limit) {
    const start = Math.max(0, from - CHUNK_BYTES)
    const bytes = Buffer.concat([readBytes(fd, start, from - start), rest])
    // What stands before the first newline may be the end of a longer line.
    const first = start === 0 ? 0 : bytes.indexOf(NEWLINE) + 1
    from = start
    if (start > 0 && first === 0) {
      rest = bytes
      continue
    }
    rest = bytes.subarray(0, Math.max(0, first - 1))
    const lines = bytes.toString('utf8', first).split('\n')
    for (let index = lines.length - 1; index >= 0 && found.length < limit; index -= 1) {
      const event = parsed(lines[index] ?? '')
      if (event !== null) found.push(event)
    }
  }
  return found.reverse()
}

/** The byte offset behind the last line whose number is smaller. Numbers rise, so half of what is left is left out each time. */
function placeOf(fd: number, size: number, n: number): number {
  let [low, high] = [0, size]
  while (high - low > CHUNK_BYTES) {
    const middle = Math.floor((low + high) / 2)
    const line = firstLineFrom(fd, middle, high)
    if (line === null) high = middle
    else if (line.n < n) low = line.end
    else high = middle
  }
  // The rest is read line by line.
  let at = low
  for (let line = lineAt(fd, at, size); line !== null && (line.n === null || line.n < n); line = lineAt(fd, at, size)) at = line.end
  return at
}

function firstLineFrom(fd: number, from: number, to: number): { n: number; end: number } | null {
  let start = newlineAfter(fd, from, to)
  while (start !== null) {
    const line = lineAt(fd, start, to)
    if (line === null) return null
    if (line.n !== null) return { n: line.n, end: line.end }
    start = line.end
  }
  return null
}

/** The line that begins at an offset: its number, null when it can't be used, and the offset of the next one. */
function lineAt(fd: number, start: number, to: number): { n: number | null; end: number } | null {
  if (start >= to) return null
  const next = newlineAfter(fd, start, to) ?? to
  return {
    n:
      parsed(
        readBytes(fd, start, next - start)
          .toString('utf8')
          .trim(),
      )?.n ?? null,
    end: next,
  }
}

function newlineAfter(fd: number, from: number, to: number): number | null {
  for (let at = from; at < to; at += CHUNK_BYTES) {
    const place = readBytes(fd, at, Math.min(CHUNK_BYTES, to - at)).indexOf(NEWLINE)
    if (place !== -1) return at + place + 1
  }
  return null
}

function readBytes(fd: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(fd, bytes, 0, length, from))
}

function parsed(line: string): TranscriptEvent | null {
  try {
    return line === '' ? null : TranscriptEvent.parse(JSON.parse(line))
  } catch {
    return null
  }
}
