/**
 * Takes in a run from a `.reprise` file that anybody may have made: checked file by file in a hidden folder, which gets the
 * run's name when it is whole. Nothing is left behind of one that is refused.
 */
import { createHash, randomBytes } from 'node:crypto'
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join, posix, win32 } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import type { RunId } from '../../shared/ids.ts'
import type { RunEvent } from '../../shared/run/events.ts'
import type { RunInfo } from '../engine/ports.ts'
import { removeQuietly, replaceFile, writeSynced } from './atomic-write.ts'
import { foldEvents } from './bundle-contents.ts'
import { BUNDLE_FORMAT, invalidBundle, MANIFEST, Manifest, NEEDED } from './bundle-format.ts'
import { type ZipEntry, ZipReader } from './bundle-zip-reader.ts'
import { allLines } from './byte-lines.ts'
import { fsCode, isMissing, nodeDisk, writeError } from './disk.ts'
import { decodeEvent, encodeEvent } from './event-format.ts'
import { IndexStore } from './index-store.ts'
import { claimNumber } from './make-run.ts'
import { checkRunId, filesOf, makeFolder, makeRunsFolder, type ProjectPaths, projectPaths, type RunPaths } from './paths.ts'
import { readJournal } from './read-journal.ts'
import { readRun } from './read-run.ts'
import { encodeRunInfo, readRunInfo } from './run-info.ts'
import { rowOf } from './run-list.ts'
import { encodeState } from './state-cache.ts'

export interface Imported {
  runId: RunId
  number: number
  title: string
  redacted: boolean
}

/** A manifest has a line of some 130 bytes a file. */
const MAX_MANIFEST = 64 * 1024 ** 2

/**
 * @param path of the file, absolute
 * @throws AppError `file-missing`, `file-unreadable`, `bundle-invalid`, `newer-format`, `run-exists`, `project-missing`,
 * `project-unwritable`, `disk-full`, `no-permission`
 */
export function importRun(project: string, path: string): Imported {
  const fd = openBundle(path)
  try {
    const zip = new ZipReader(fd, path)
    const manifest = readManifest(zip, path)
    const paths = projectPaths(project)
    refuseKnown(paths, manifest.runId)
    makeRunsFolder(paths)
    return takeIn(paths, zip, manifest, path)
  } finally {
    closeSync(fd)
  }
}

function openBundle(path: string): number {
  let fd: number
  try {
    // Looked at first, since opening a pipe would wait for its writer.
    if (!statSync(path).isFile()) throw new AppError('file-unreadable', `${path} is no file. Name a file that “reprise export” wrote.`)
    fd = openSync(path, 'r')
  } catch (error) {
    if (error instanceof AppError) throw error
    if (isMissing(error)) throw new AppError('file-missing', `There is no file ${path}.`, { cause: error })
    throw new AppError('file-unreadable', `${path} can't be read. Look at its permissions.`, { cause: error })
  }
  return fd
}

function readManifest(zip: ZipReader, path: string): Manifest {
  const entry = zip.entries.find(({ name }) => name === MANIFEST)
  if (entry === undefined) throw invalidBundle(path, 'it is no export of a run: it has no manifest')
  if (entry.size > MAX_MANIFEST) throw invalidBundle(path, 'its manifest is too large')
  const chunks: Uint8Array[] = []
  zip.unpack(entry, (chunk) => void chunks.push(Uint8Array.from(chunk)))
  let value: unknown
  try {
    value = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch (error) {
    throw invalidBundle(path, 'its manifest is no JSON', error)
  }
  const isNewer =
    typeof value === 'object' && value !== null && 'format' in value && typeof value.format === 'number' && value.format > BUNDLE_FORMAT
  if (isNewer) throw new AppError('newer-format', `${path} was written by a newer version of Reprise. Update to import it.`)
  const parsed = Manifest.safeParse(value)
  if (!parsed.success) throw invalidBundle(path, 'its manifest is damaged', parsed.error)
  const listed = new Set(parsed.data.files.map(({ name }) => name))
  const held = new Set(zip.entries.map(({ name }) => name).filter((name) => name !== MANIFEST))
  for (const name of held) if (!listed.has(name)) throw invalidBundle(path, `${JSON.stringify(name)} is not in its manifest`)
  for (const name of [...listed, ...NEEDED]) if (!held.has(name)) throw invalidBundle(path, `${JSON.stringify(name)} is missing from it`)
  return parsed.data
}

function refuseKnown(paths: ProjectPaths, runId: RunId): void {
  const folder = join(paths.runs, checkRunId(runId))
  if (!existsSync(folder)) return
  let name = runId as string
  try {
    const { number, title } = readRunInfo(filesOf(folder))
    name = `#${number} “${title}” (${runId})`
  } catch {
    // Damaged here: its id has to do.
  }
  throw new AppError('run-exists', `This run is in the project already: ${name}. Look: reprise show ${runId}`)
}

function takeIn(paths: ProjectPaths, zip: ZipReader, manifest: Manifest, path: string): Imported {
  const folder = join(paths.runs, `.new-${manifest.runId}-${process.pid}-${randomBytes(4).toString('hex')}`)
  const files = filesOf(folder)
  try {
    mkdirSync(folder)
    unpackAll(zip, manifest, folder, path)
    const info = checkRun(files, manifest, path)
    return settle(paths, files, info)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw writeError(error, paths.runs)
  }
}

function unpackAll(zip: ZipReader, manifest: Manifest, folder: string, path: string): void {
  const sums = new Map(manifest.files.map((file) => [file.name, file]))
  for (const entry of zip.entries) {
    const sum = sums.get(entry.name)
    if (sum === undefined) continue // the manifest itself
    const { bytes, sha256 } = unpackTo(zip, entry, join(folder, entry.name), path)
    if (bytes !== sum.bytes || sha256 !== sum.sha256)
      throw invalidBundle(path, `${JSON.stringify(entry.name)} was changed since the export`)
  }
}

function unpackTo(zip: ZipReader, entry: ZipEntry, to: string, path: string): { bytes: number; sha256: string } {
  let fd: number
  try {
    mkdirSync(dirname(to), { recursive: true })
    fd = openSync(to, 'wx')
  } catch (error) {
    if (!['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'EINVAL', 'EILSEQ'].includes(fsCode(error) ?? '')) throw error
    throw invalidBundle(path, `${JSON.stringify(entry.name)} can't be a file here`, error)
  }
  try {
    const hash = createHash('sha256')
    zip.unpack(entry, (chunk) => {
      hash.update(chunk)
      for (let done = 0; done < chunk.length; ) done += writeSync(fd, chunk, done)
    })
    return { bytes: fstatSync(fd).size, sha256: hash.digest('hex') }
  } finally {
    closeSync(fd)
  }
}

/** What was unpacked is a run that can be read, the one that the manifest names, and in nobody's hands. */
function checkRun(files: RunPaths, manifest: Manifest, path: string): RunInfo {
  let info: RunInfo
  try {
    info = readRunInfo(files)
  } catch (error) {
    const isNewer = error instanceof AppError && error.code === 'newer-format'
    throw isNewer ? newer(path) : invalidBundle(path, 'its run.json is damaged', error)
  }
  if (info.runId !== manifest.runId) throw invalidBundle(path, 'its manifest names another run')
  if ((info.redacted === true) !== manifest.redacted) throw invalidBundle(path, 'its manifest and its run.json disagree about redaction')
  if (readJournal(files.journal).newer) throw newer(path)
  if (readRun(files).ownerAlive) throw invalidBundle(path, 'it says that a process is at work on it')
  return info
}

function newer(path: string): AppError {
  return new AppError('newer-format', `${path} holds a run of a newer version of Reprise. Update to import it.`)
}

/** Makes it a run of this project: its number, its place, and from which attempt on it is ours. */
function settle(paths: ProjectPaths, files: RunPaths, given: RunInfo): Imported {
  const number = claimNumber(paths, given.runId)
  try {
    const { attempt } = readJournal(files.journal)
    const place = (path: string): string => relocated(path, given.project, paths.project)
    const source = { ...given.source, path: place(given.source.path) }
    const info: RunInfo = { ...given, number, project: paths.project, source, imported: { attempts: attempt } }
    replaceFile(files.info, encodeRunInfo(info))
    rewriteEvents(files, (event) => ({ ...event, number, ...('path' in event && { path: place(event.path) }) }))
    writeState(files)
    makeFolder(files.commands)
    makeFolder(files.sources)
    nodeDisk.syncFolder(files.folder)
    nameFolder(paths, files, given.runId)
  } catch (error) {
    removeQuietly(join(paths.numbers, String(number)))
    throw error
  }
  try {
    new IndexStore(paths).append(rowOf(paths, given.runId))
  } catch {
    // The list finds a folder without a row by itself.
  }
  return { runId: given.runId, number, title: given.title, redacted: given.redacted === true }
}

function nameFolder(paths: ProjectPaths, files: RunPaths, runId: RunId): void {
  refuseKnown(paths, runId)
  try {
    renameSync(files.folder, join(paths.runs, runId))
  } catch (error) {
    refuseKnown(paths, runId)
    throw error
  }
  nodeDisk.syncFolder(paths.runs)
}

/** A file of the old project is the same file of this one; any other path stays what it was. */
function relocated(path: string, from: string, to: string): string {
  const there = /^(?:[A-Za-z]:|\\\\)/.test(from) ? win32 : posix
  const inside = there.relative(from, path)
  if (!there.isAbsolute(path) || inside === '' || inside.split(there.sep)[0] === '..' || there.isAbsolute(inside)) return path
  return join(to, ...inside.split(there.sep))
}

/** The start of each attempt tells the run's number and its file; everything else stays byte for byte. */
function rewriteEvents(files: RunPaths, change: (event: RunEvent) => object): void {
  const temp = join(files.folder, '.events.new')
  writeFileSync(temp, '', { flag: 'wx' })
  const fd = openSync(temp, 'a')
  try {
    for (const { lines } of allLines(files.events, 0)) {
      writeFileSync(fd, lines.map((line) => `${line.includes('"run.started"') ? changedLine(line, change) : line}\n`).join(''))
    }
  } finally {
    closeSync(fd)
  }
  renameSync(temp, files.events)
}

/** A line that no reader uses stays what it is. */
function changedLine(line: string, change: (event: RunEvent) => object): string {
  const event = decodeEvent(line)
  return event?.type === 'run.started' ? encodeEvent(change(event)) : line
}

/** The cached view is made of the events as they are here, never taken from the file. */
function writeState(files: RunPaths): void {
  removeQuietly(files.state)
  const folded = foldEvents(files)
  if (folded !== null) writeSynced(files.state, encodeState(files, { ...folded, journalBytes: statSync(files.journal).size }))
}
