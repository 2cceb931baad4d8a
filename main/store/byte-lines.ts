/** Splits a file that grows into its whole lines, however the bytes come in. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { isMissing, NO_FOLLOW } from './disk.ts'

const NEWLINE = 0x0a
const CHUNK = 1 << 20

/** Reads a file's whole lines from a byte offset on; `end` is the offset behind the last one. */
export interface LinesRead {
  lines: string[]
  end: number
}

/**
 * Reads whole lines from `offset`, about 1 MB at a time; an unfinished last line stays for the next read. A missing file
 * has no lines.
 */
export function readLines(path: string, offset: number): LinesRead {
  let fd: number
  try {
    fd = openSync(path, NO_FOLLOW)
  } catch (error) {
    if (isMissing(error)) return { lines: [], end: offset }
    throw error
  }
  try {
    let size = CHUNK
    for (;;) {
      const left = fstatSync(fd).size - offset
      if (left <= 0) return { lines: [], end: offset }
      const chunk = Buffer.allocUnsafe(Math.min(size, left))
      const bytes = chunk.subarray(0, readSync(fd, chunk, 0, chunk.length, offset))
      const last = bytes.lastIndexOf(NEWLINE)
      if (last !== -1) {
        const lines = bytes
          .toString('utf8', 0, last)
          .split('\n')
          .filter((line) => line !== '')
        return { lines, end: offset + last + 1 }
      }
      if (bytes.length < size) return { lines: [], end: offset }
      size *= 4
    }
  } finally {
    closeSync(fd)
  }
}

/** All whole lines from `offset` on, in pieces. */
export function* allLines(path: string, offset: number): Generator<LinesRead> {
  let from = offset
  for (let read = readLines(path, from); read.end > from; read = readLines(path, from)) {
    from = read.end
    yield read
  }
}
