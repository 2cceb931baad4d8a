/** Writes a run into one `.reprise` file that is whole or not there, and never over another file unasked. */
import { existsSync } from 'node:fs'
import { AppError } from '../../shared/errors.ts'
import type { RunId } from '../../shared/ids.ts'
import { VERSION } from '../../shared/version.ts'
import type { RunRead } from '../engine/ports.ts'
import { plainFiles, redactedFiles } from './bundle-contents.ts'
import { BUNDLE_FORMAT, MANIFEST, MAX_BYTES, MAX_FILES, type Manifest } from './bundle-format.ts'
import { createRedactor } from './bundle-redaction.ts'
import { fileExists, ZipWriter } from './bundle-zip-writer.ts'
import { projectPaths, runPaths } from './paths.ts'
import { readRun } from './read-run.ts'

export interface ExportOptions {
  /** Takes the place of a file of that name. */
  replace: boolean
  /** The environment whose secrets are taken out; null leaves everything as it is. */
  redact: Readonly<Record<string, string | undefined>> | null
}

export interface Exported {
  path: string
  runId: RunId
  number: number
  redacted: boolean
  files: number
  /** Unpacked. */
  bytes: number
}

/**
 * @param path absolute
 * @throws AppError `run-unknown`, `run-busy`, `run-damaged`, `journal-missing`, `file-exists`, `bundle-too-large`, `disk-full`, `no-permission`
 */
export function exportRun(project: string, runId: RunId, path: string, options: ExportOptions): Exported {
  const files = runPaths(projectPaths(project), runId)
  if (!options.replace && existsSync(path)) throw fileExists(path)
  const read = readRun(files)
  refuseBusy(read)
  if (!existsSync(files.info)) {
    throw new AppError('run-damaged', `Run ${runId} was made by an older tool. Resume it once, then it can be exported.`)
  }
  const redacted = options.redact !== null || read.info.redacted === true
  const writer = new ZipWriter(path)
  try {
    const contents = options.redact === null ? plainFiles(files) : redactedFiles(files, read, createRedactor(options.redact))
    for (const { name, chunks } of contents) {
      writer.add(name, chunks)
      if (writer.bytes > MAX_BYTES || writer.entries.length >= MAX_FILES / 2) throw tooLarge(runId)
    }
    // Whoever took the run on while it was read has left it half in here.
    const after = readRun(files)
    refuseBusy(after)
    if (after.records.length !== read.records.length) throw busy(after)
    const manifest: Manifest = { kind: 'reprise-run', format: BUNDLE_FORMAT, runId, redacted, engine: VERSION, files: [...writer.entries] }
    writer.add(MANIFEST, [Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)])
    const { bytes } = writer
    if (bytes > MAX_BYTES) throw tooLarge(runId)
    writer.finish(options.replace)
    return { path, runId, number: read.info.number, redacted, files: manifest.files.length, bytes }
  } finally {
    writer.discard()
  }
}

function refuseBusy(read: RunRead): void {
  if (read.ownerAlive) throw busy(read)
}

function busy({ info, owner }: RunRead): AppError {
  return new AppError(
    'run-busy',
    `Run #${info.number} is being worked on, in process ${owner.pid} on ${owner.host}. Export it when it has ended, or stop it: reprise stop ${info.runId}`,
  )
}

function tooLarge(runId: RunId): AppError {
  return new AppError('bundle-too-large', `Run ${runId} is larger than an export can be (2 GB). Copy its folder instead.`)
}
