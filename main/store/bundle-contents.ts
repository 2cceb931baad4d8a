/** The files of a run as they go into a bundle: as they are, or with the secrets taken out. Reading them writes nothing. */
import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../../shared/json.ts'
import { reduceAll } from '../../shared/run/reduce.ts'
import type { RunView } from '../../shared/run/view.ts'
import type { RunRead } from '../engine/ports.ts'
import { nameFault, PAYLOAD_FILE, SOURCE_FILE } from './bundle-format.ts'
import type { Redactor } from './bundle-redaction.ts'
import { sealed } from './checksum.ts'
import { isMissing, NO_FOLLOW } from './disk.ts'
import { encodeEvent } from './event-format.ts'
import { readEvents } from './event-log.ts'
import { decodeRecord, encodeRecord } from './journal-format.ts'
import { NOBODY } from './owner.ts'
import type { RunPaths } from './paths.ts'
import { sourceName } from './paths.ts'
import { sha256Of } from './payload.ts'
import { encodeRunInfo } from './run-info.ts'
import { encodeState } from './state-cache.ts'

export interface BundleFile {
  name: string
  chunks: Iterable<Uint8Array>
}

const CHUNK = 1 << 20
const NEWLINE = 0x0a

/** Everything as it is, but for the machines' and processes' names in the journal: a bundle has no owner. */
export function* plainFiles(files: RunPaths): Generator<BundleFile> {
  yield { name: 'run.json', chunks: [readFileSync(files.info)] }
  for (const name of namesIn(files.sources, SOURCE_FILE)) yield { name: `source/${name}`, chunks: pieces(join(files.sources, name)) }
  yield { name: 'journal.jsonl', chunks: withoutOwners(readFileSync(files.journal)) }
  yield { name: 'events.jsonl', chunks: pieces(files.events) }
  yield* stateFile(files, (text) => text)
  for (const name of namesIn(files.payload, PAYLOAD_FILE)) yield { name: `payload/${name}`, chunks: pieces(join(files.payload, name)) }
  for (const name of filesBelow(files.folder)) yield { name, chunks: pieces(join(files.folder, name)) }
}

/**
 * The same without secrets. Texts and values are named by the sum of what is left of them; journal lines that could not be
 * read are left out, and so are files that are no text.
 */
export function* redactedFiles(files: RunPaths, read: RunRead, redactor: Redactor): Generator<BundleFile> {
  for (const name of namesIn(files.sources, SOURCE_FILE)) {
    const text = readFileSync(join(files.sources, name), 'utf8')
    const clean = redactor.text(text)
    const sha256 = sha256Of(clean)
    redactor.rename(sha256Of(text), { sha256, bytes: Buffer.byteLength(clean) })
    yield { name: `source/${sourceName(sha256, name.slice(name.indexOf('.') + 1))}`, chunks: [Buffer.from(clean)] }
  }
  const written = new Set<string>()
  for (const name of namesIn(files.payload, PAYLOAD_FILE)) {
    const bytes = Buffer.from(JSON.stringify(redactor.value(JSON.parse(readFileSync(join(files.payload, name), 'utf8')) as Json)))
    const sha256 = sha256Of(bytes)
    redactor.rename(name, { sha256, bytes: bytes.length })
    // Values that differed in their secrets alone are one now.
    if (!written.has(sha256)) yield { name: `payload/${sha256}`, chunks: [bytes] }
    written.add(sha256)
  }
  const clean = (value: object): Json => redactor.value(value as Json)
  const { imported: _, ...info } = read.info
  const cleanInfo = clean({ ...info, redacted: true }) as unknown as typeof read.info
  yield { name: 'run.json', chunks: [Buffer.from(encodeRunInfo(cleanInfo))] }
  yield { name: 'journal.jsonl', chunks: cleanRecords(read, clean) }
  yield { name: 'events.jsonl', chunks: cleanEvents(files, clean) }
  yield* stateFile(files, (text) => {
    const { crc: _, ...state } = JSON.parse(text) as { crc: string }
    return sealed(`${JSON.stringify(clean(state))}\n`)
  })
  for (const name of filesBelow(files.folder)) {
    const text = asText(readFileSync(join(files.folder, name)))
    if (text !== null) yield { name, chunks: [Buffer.from(name.endsWith('.jsonl') ? cleanLines(text, redactor) : redactor.text(text))] }
  }
}

/** The cached view as the events alone give it; nothing when there are none. */
function* stateFile(files: RunPaths, change: (text: string) => string): Generator<BundleFile> {
  const folded = foldEvents(files)
  if (folded === null) return
  const text = encodeState(files, { ...folded, journalBytes: lstatSync(files.journal).size })
  yield { name: 'state.json', chunks: [Buffer.from(change(text))] }
}

/** The view that a run's events give, and how many bytes of them. */
export function foldEvents(files: RunPaths): { view: RunView; eventsBytes: number } | null {
  let view: RunView | null = null
  let eventsBytes = 0
  for (const { events, end } of readEvents(files.events, 0)) {
    view = reduceAll(view, events)
    eventsBytes = end
  }
  return view === null ? null : { view, eventsBytes }
}

/** Line by line, with bad lines as they are. */
function* withoutOwners(journal: Buffer): Generator<Uint8Array> {
  let from = 0
  while (from < journal.length) {
    const newline = journal.indexOf(NEWLINE, from)
    const to = newline === -1 ? journal.length : newline
    const decoded = decodeRecord(journal.subarray(from, to))
    if (decoded.ok && decoded.record.t === 'attempt') yield Buffer.from(encodeRecord({ ...decoded.record, owner: NOBODY }))
    else yield journal.subarray(from, to)
    if (newline !== -1) yield journal.subarray(newline, newline + 1)
    from = to + 1
  }
}

function* cleanRecords({ records }: RunRead, clean: (value: object) => Json): Generator<Uint8Array> {
  for (const record of records) {
    const ownerless = record.t === 'attempt' ? { ...record, owner: NOBODY } : record
    yield Buffer.from(`${encodeRecord(clean(ownerless) as unknown as typeof record)}\n`)
  }
}

function* cleanEvents(files: RunPaths, clean: (value: object) => Json): Generator<Uint8Array> {
  for (const { events } of readEvents(files.events, 0)) {
    for (const event of events) yield Buffer.from(`${encodeEvent(clean(event) as object)}\n`)
  }
}

function cleanLines(text: string, redactor: Redactor): string {
  const clean = (line: string): string => {
    try {
      return JSON.stringify(redactor.value(JSON.parse(line) as Json))
    } catch {
      return redactor.text(line)
    }
  }
  return text.split('\n').map(clean).join('\n')
}

function asText(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function* pieces(path: string): Generator<Uint8Array> {
  let fd: number
  try {
    fd = openSync(path, NO_FOLLOW)
  } catch (error) {
    if (isMissing(error)) return
    throw error
  }
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK)
      const count = readSync(fd, chunk, 0, CHUNK, null)
      if (count === 0) return
      yield chunk.subarray(0, count)
    }
  } finally {
    closeSync(fd)
  }
}

function namesIn(folder: string, pattern: RegExp): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && pattern.test(entry.name))
      .map((entry) => entry.name)
      .sort()
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** Names of what agents left; links and names that not every system can hold stay where they are. */
function filesBelow(folder: string): string[] {
  return ['artifacts', 'transcripts'].flatMap((kind) => walk(folder, kind)).filter((name) => nameFault(name) === null)
}

function walk(folder: string, name: string): string[] {
  const stat = lstatSync(join(folder, name), { throwIfNoEntry: false })
  if (stat?.isFile()) return [name]
  return stat?.isDirectory()
    ? readdirSync(join(folder, name))
        .sort()
        .flatMap((child) => walk(folder, `${name}/${child}`))
    : []
}
