/** Harms the files of a run as disks do, and tells whether the reader noticed. */
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JournalRecord } from '../../shared/run/record.ts'
import { decodeRecord, encodeRecord } from '../store/journal-format.ts'
import { JournalReader } from '../store/read-journal.ts'
import type { Chance } from './chance.ts'

const NEWLINE = 0x0a

/** Where the lines of a file begin and end, newlines left out; empty ones too. */
function linesOf(bytes: Buffer): { from: number; to: number }[] {
  const lines: { from: number; to: number }[] = []
  let from = 0
  for (let to = bytes.indexOf(NEWLINE); to !== -1; to = bytes.indexOf(NEWLINE, from)) {
    lines.push({ from, to })
    from = to + 1
  }
  return lines
}

/** Cuts a file that is one text somewhere inside, or flips one bit of it. */
export function harmWhole(path: string, how: 'tear' | 'flip', chance: Chance): void {
  const bytes = readFileSync(path)
  if (how === 'tear') return truncateSync(path, chance.below(bytes.length))
  flip(bytes, chance.below(bytes.length), chance.below(8))
  writeFileSync(path, bytes)
}

/** Cuts the last line of a journal or of the events somewhere inside. False when there is no line to cut. */
export function tearTail(path: string, chance: Chance): boolean {
  const last = linesOf(readFileSync(path)).findLast(({ from, to }) => to - from > 1)
  if (last === undefined) return false
  truncateSync(path, last.from + 1 + chance.below(last.to - last.from - 1))
  return true
}

/** Flips one bit of a journal or of the events. Each line is as likely to be met as any other, however long. */
export function flipBit(path: string, chance: Chance): void {
  const bytes = readFileSync(path)
  const lines = linesOf(bytes)
  const line = lines[chance.below(lines.length)] ?? { from: 0, to: bytes.length - 1 }
  flip(bytes, line.from + chance.below(line.to - line.from + 1), chance.below(8))
  writeFileSync(path, bytes)
}

function flip(bytes: Buffer, offset: number, bit: number): void {
  bytes[offset] = (bytes[offset] ?? 0) ^ (1 << bit)
}

/** Flips one bit of a stored value while `look` is called, then mends it. False when the run has stored none. */
export async function withFlippedPayload(folder: string, chance: Chance, look: (sha256: string) => Promise<void>): Promise<boolean> {
  const names = readNames(folder).filter((name) => /^[0-9a-f]{64}$/.test(name))
  const name = names[chance.below(names.length)]
  if (name === undefined) return false
  const path = join(folder, name)
  const whole = readFileSync(path)
  const harmed = Buffer.from(whole)
  flip(harmed, chance.below(harmed.length), chance.below(8))
  writeFileSync(path, harmed)
  try {
    await look(name)
  } finally {
    writeFileSync(path, whole)
  }
  return true
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readBytes(bytes: Buffer): JournalReader {
  const reader = new JournalReader()
  reader.push(bytes)
  reader.settle()
  return reader
}

const said = (record: JournalRecord): string => encodeRecord(record)

/**
 * What the reader failed to notice, in words; null when it noticed, or nothing was harmed. A record that nobody wrote is
 * a wrong result; a record that is gone without another line being reported is a silent loss.
 */
export function unnoticed(before: Buffer, after: Buffer): string | null {
  const written = new Set<string>()
  for (const { from, to } of linesOf(before)) {
    const decoded = decodeRecord(before.subarray(from, to))
    if (decoded.ok) written.add(said(decoded.record))
  }
  const whole = readBytes(before)
  const harmed = readBytes(after)
  for (const record of harmed.records) if (!written.has(said(record))) return `line ${record.n} says what nobody wrote`
  const left = new Set(harmed.records.map(said))
  const gone = whole.records.filter((record) => !left.has(said(record)))
  if (gone.length === 0) return null
  const known = new Set(reported(whole))
  if (reported(harmed).some((line) => !known.has(line))) return null
  return `line ${gone[0]?.n ?? 0} is gone and no line is reported as bad`
}

function reported(reader: JournalReader): string[] {
  const all = reader.cut === null ? reader.bad : [...reader.bad, reader.cut]
  return all.map(({ offset, bytes }) => `${offset}:${bytes.toString('latin1')}`)
}
