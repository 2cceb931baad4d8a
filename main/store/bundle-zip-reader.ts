/**
 * Reads a zip file that somebody else made: by its central directory alone, piece by piece, and never more than it says
 * of itself. Nothing is written here.
 */
import { fstatSync, readSync } from 'node:fs'
import { Inflate } from 'fflate'
import { invalidBundle, MAX_BYTES, MAX_FILES, nameFault } from './bundle-format.ts'

export interface ZipEntry {
  name: string
  isDeflated: boolean
  packed: number
  size: number
  /** Where its local header begins. */
  offset: number
}

const END = 0x06054b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
const END_BYTES = 22
const CENTRAL_BYTES = 46
const LOCAL_BYTES = 30
const MAX_COMMENT = 0xffff
const CHUNK = 1 << 14
/** Text of a run packs to a tenth; what grows more than this, past a size that harms nobody, is made to fill a disk. */
const MAX_RATIO = 200
const HARMLESS_BYTES = 64 * 1024 ** 2
/** File type bits of a Unix mode, and a plain file among them. */
const TYPE_BITS = 0o170000
const PLAIN_FILE = 0o100000

/** A zip file that is open for reading. `path` is only for the words of errors. */
export class ZipReader {
  readonly entries: readonly ZipEntry[]
  readonly #fd: number
  readonly #path: string
  /** Where the central directory begins; no entry reaches into it. */
  readonly #directory: number

  /** @throws AppError `bundle-invalid` naming the first thing that is wrong */
  constructor(fd: number, path: string) {
    this.#fd = fd
    this.#path = path
    const { offset, bytes, count } = this.#end()
    this.#directory = offset
    this.entries = this.#readDirectory(this.#read(offset, bytes), count)
  }

  /**
   * Unpacks one entry into `take`, piece by piece. A piece is only good during the call.
   * @throws AppError `bundle-invalid`; what `take` throws comes out unchanged
   */
  unpack(entry: ZipEntry, take: (chunk: Uint8Array) => void): void {
    let size = 0
    const count = (chunk: Uint8Array): void => {
      size += chunk.length
      if (size > entry.size) throw this.#invalid(`${shown(entry.name)} is larger than the file says`)
      if (size > HARMLESS_BYTES && size > entry.packed * MAX_RATIO)
        throw this.#invalid(`${shown(entry.name)} unpacks to far more than a run has`)
    }
    const out = (chunk: Uint8Array): void => {
      count(chunk)
      take(chunk)
    }
    let at = this.#dataOf(entry)
    const end = at + entry.packed
    const inflate = entry.isDeflated ? new Inflate(out) : null
    while (at < end) {
      const chunk = this.#read(at, Math.min(CHUNK, end - at))
      at += chunk.length
      if (inflate === null) out(chunk)
      else this.#push(inflate, chunk, at >= end, entry)
    }
    if (size !== entry.size) throw this.#invalid(`${shown(entry.name)} is cut off`)
  }

  #push(inflate: Inflate, chunk: Uint8Array, isLast: boolean, entry: ZipEntry): void {
    try {
      inflate.push(chunk, isLast)
    } catch (error) {
      // The library's own faults have a number for a code, those of our callback a word.
      const isOurs = !(error instanceof Error && 'code' in error && typeof error.code === 'number')
      throw isOurs ? error : this.#invalid(`${shown(entry.name)} can't be unpacked`, error)
    }
  }

  #end(): { offset: number; bytes: number; count: number } {
    const { size } = fstatSync(this.#fd)
    const from = Math.max(0, size - END_BYTES - MAX_COMMENT)
    const tail = this.#read(from, size - from)
    for (let at = tail.length - END_BYTES; at >= 0; at--) {
      if (tail.readUInt32LE(at) !== END || at + END_BYTES + tail.readUInt16LE(at + 20) !== tail.length) continue
      const count = tail.readUInt16LE(at + 10)
      const bytes = tail.readUInt32LE(at + 12)
      const offset = tail.readUInt32LE(at + 16)
      if (tail.readUInt32LE(at + 4) !== 0 || tail.readUInt16LE(at + 8) !== count) throw this.#invalid('it is one part of several')
      if (count > MAX_FILES || count === 0xffff) throw this.#invalid('it holds more files than a run has')
      if (offset + bytes > from + at) throw this.#invalid('its table of contents is damaged')
      return { offset, bytes, count }
    }
    throw this.#invalid('it is no export of a run, or it is cut off')
  }

  #readDirectory(table: Buffer, count: number): ZipEntry[] {
    const entries: ZipEntry[] = []
    const seen = new Set<string>()
    let total = 0
    let at = 0
    while (entries.length < count) {
      if (at + CENTRAL_BYTES > table.length || table.readUInt32LE(at) !== CENTRAL) throw this.#invalid('its table of contents is damaged')
      const next = at + CENTRAL_BYTES + table.readUInt16LE(at + 28) + table.readUInt16LE(at + 30) + table.readUInt16LE(at + 32)
      if (next > table.length) throw this.#invalid('its table of contents is damaged')
      const entry = this.#entry(table, at)
      total += entry.size
      if (total > MAX_BYTES) throw this.#invalid('it unpacks to more than 2 GB')
      // Where case does not tell names apart, the second would overwrite the first.
      const key = entry.name.normalize('NFC').toLowerCase()
      if (seen.has(key)) throw this.#invalid(`${shown(entry.name)} is in it twice`)
      seen.add(key)
      entries.push(entry)
      at = next
    }
    return entries
  }

  #entry(table: Buffer, at: number): ZipEntry {
    const name = table.toString('utf8', at + CENTRAL_BYTES, at + CENTRAL_BYTES + table.readUInt16LE(at + 28))
    const fault = nameFault(name)
    if (fault !== null) throw this.#invalid(`${shown(name)} ${fault}`)
    const type = (table.readUInt32LE(at + 38) >>> 16) & TYPE_BITS
    if (type !== 0 && type !== PLAIN_FILE) throw this.#invalid(`${shown(name)} is a link or another thing that is no file`)
    if ((table.readUInt16LE(at + 8) & 1) !== 0) throw this.#invalid(`${shown(name)} is encrypted`)
    const method = table.readUInt16LE(at + 10)
    if (method !== 0 && method !== 8) throw this.#invalid(`${shown(name)} is packed in an unknown way`)
    return {
      name,
      isDeflated: method === 8,
      packed: table.readUInt32LE(at + 20),
      size: table.readUInt32LE(at + 24),
      offset: table.readUInt32LE(at + 42),
    }
  }

  /** Where an entry's bytes begin. Its own header must name the same file as the table of contents. */
  #dataOf(entry: ZipEntry): number {
    const damaged = (): Error => this.#invalid(`${shown(entry.name)} is damaged`)
    if (entry.offset + LOCAL_BYTES > this.#directory) throw damaged()
    const head = this.#read(entry.offset, LOCAL_BYTES)
    const nameBytes = head.readUInt16LE(26)
    const data = entry.offset + LOCAL_BYTES + nameBytes + head.readUInt16LE(28)
    if (head.readUInt32LE(0) !== LOCAL || data + entry.packed > this.#directory) throw damaged()
    if (this.#read(entry.offset + LOCAL_BYTES, nameBytes).toString('utf8') !== entry.name) throw damaged()
    return data
  }

  #read(offset: number, bytes: number): Buffer {
    const buffer = Buffer.alloc(bytes)
    let done = 0
    while (done < bytes) {
      const count = readSync(this.#fd, buffer, done, bytes - done, offset + done)
      if (count === 0) throw this.#invalid('it is cut off')
      done += count
    }
    return buffer
  }

  #invalid(why: string, cause?: unknown): Error {
    return invalidBundle(this.#path, why, cause)
  }
}

function shown(name: string): string {
  return JSON.stringify(name.length > 120 ? `${name.slice(0, 120)}…` : name)
}
