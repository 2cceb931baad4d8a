/**
 * `events.jsonl` of one run: the owner appends without syncing, everybody else follows. Losing events loses no result;
 * what can't be written now goes out with the next ones, so no event is missing in the middle.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { RunEvent } from '../../shared/run/events.ts'
import { allLines } from './byte-lines.ts'
import { changes } from './changes.ts'
import type { Disk } from './disk.ts'
import { NO_FOLLOW } from './disk.ts'
import { decodeEvent, encodeEvents } from './event-format.ts'

const NEWLINE = 0x0a

export class EventLog {
  readonly #fd: number
  readonly #disk: Disk
  #unwritten: Buffer
  #bytes: number

  constructor(path: string, disk: Disk) {
    this.#fd = openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | NO_FOLLOW, 0o666)
    this.#disk = disk
    this.#bytes = fstatSync(this.#fd).size
    this.#unwritten = Buffer.from(this.#endsInLine() ? '\n' : '')
  }

  /** Bytes in the file, all of them whole lines. */
  get bytes(): number {
    return this.#bytes
  }

  append(events: readonly RunEvent[]): void {
    const added = Buffer.from(encodeEvents(events))
    this.#unwritten = this.#unwritten.length === 0 ? added : Buffer.concat([this.#unwritten, added])
    this.flush()
  }

  /** Writes what is left. False when the disk took not all of it. */
  flush(): boolean {
    let offset = 0
    try {
      while (offset < this.#unwritten.length) offset += this.#disk.write(this.#fd, this.#unwritten, offset)
    } catch {
      // The journal tells the person that the disk is full; here the rest waits.
    }
    this.#bytes += offset
    this.#unwritten = this.#unwritten.subarray(offset)
    return this.#unwritten.length === 0
  }

  close(): void {
    this.flush()
    closeSync(this.#fd)
  }

  #endsInLine(): boolean {
    if (this.#bytes === 0) return false
    const last = Buffer.alloc(1)
    readSync(this.#fd, last, 0, 1, this.#bytes - 1)
    return last[0] !== NEWLINE
  }
}

/** Events from a byte offset on, as far as they are written; `end` is the offset behind the last whole line. */
export function* readEvents(path: string, offset: number): Generator<{ events: RunEvent[]; end: number }> {
  for (const { lines, end } of allLines(path, offset)) {
    yield { events: lines.map(decodeEvent).filter((event) => event !== null), end }
  }
}

/** Events after `after`, then new ones as any process writes them, until the signal. */
export async function* followEvents(path: string, after: number, signal: AbortSignal): AsyncGenerator<RunEvent[]> {
  let offset = 0
  for await (const _ of changes(path, signal)) {
    for (const read of readEvents(path, offset)) {
      offset = read.end
      const fresh = read.events.filter((event) => event.seq > after)
      if (fresh.length > 0) yield fresh
      if (signal.aborted) return
    }
  }
}
