/**
 * Makes a run whole: the request is claimed first, then a number, then a hidden folder is filled and synced and gets its
 * name. After a crash anywhere the run is there whole or not at all, and the same request goes on where it was.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { AppError } from '../../shared/errors.ts'
import type { RequestId } from '../../shared/ids.ts'
import { RunId } from '../../shared/ids.ts'
import { canonicalJson } from '../../shared/json.ts'
import type { NewRecord, Owner } from '../../shared/run/record.ts'
import type { NewRun, RunInfo } from '../engine/ports.ts'
import { createFile, replaceFile, writeAllSynced } from './atomic-write.ts'
import type { Disk } from './disk.ts'
import { fsCode, nodeDisk, writeError } from './disk.ts'
import { encodeRecord } from './journal-format.ts'
import type { ProjectPaths } from './paths.ts'
import { checkRunId, filesOf, makeRunsFolder, requestPath, sourceName } from './paths.ts'
import { sha256Of } from './payload.ts'
import { encodeRunInfo } from './run-info.ts'

const RequestFile = z.object({ digest: z.string(), runId: RunId })
export type StoredRequest = z.infer<typeof RequestFile>

/** A folder that is being filled: `.new-<id>-<pid>-<random>`. */
export const UNFINISHED = /^\.new-.+-(\d+)-[0-9a-f]{8}$/

export interface MadeRun {
  info: RunInfo
  token: string
  existed: boolean
}

/** What a request stands for: two requests with one id must ask for the same. */
export function digestOf(run: NewRun): string {
  const { source, args, title, backend, limits, workspace, choices } = run
  return sha256Of(
    canonicalJson({
      path: source.path,
      sha256: source.sha256,
      args,
      hasArgs: args !== undefined,
      title,
      backend,
      limits,
      workspace,
      ...(choices !== undefined && { choices }),
    }),
  )
}

/** The run that a request made or was about to make; null when it was never asked. */
export function findRequest(paths: ProjectPaths, requestId: string): StoredRequest | null {
  let text: string
  try {
    text = readFileSync(requestPath(paths, requestId), 'utf8')
  } catch (error) {
    if (error instanceof AppError) throw error
    return null
  }
  try {
    return RequestFile.parse(JSON.parse(text))
  } catch {
    return null // emptied by a crash on a file system without links: as if never asked
  }
}

/**
 * Makes the run of a request, or tells which run it made before.
 * @throws AppError `request-conflict`, `project-missing`, `project-unwritable`, `disk-full`, `no-permission`
 */
export function makeRun(
  paths: ProjectPaths,
  run: NewRun,
  requestId: RequestId,
  owner: Owner,
  now: number,
  disk: Disk = nodeDisk,
): { runId: RunId; made: MadeRun | null } {
  checkRunId(run.runId)
  makeRunsFolder(paths)
  try {
    const runId = claimRequest(paths, run, requestId, disk)
    if (existsSync(join(paths.runs, runId))) return { runId, made: null }
    const { text, ...rest } = run
    const info: RunInfo = { ...rest, runId, requestId, number: claimNumber(paths, runId, disk), createdAt: now }
    const token = randomBytes(16).toString('hex')
    return { runId, made: fillFolder(paths, info, text, owner, token, disk) ? { info, token, existed: false } : null }
  } catch (error) {
    throw writeError(error, paths.runs)
  }
}

function claimRequest(paths: ProjectPaths, run: NewRun, requestId: RequestId, disk: Disk): RunId {
  const asked: StoredRequest = { digest: digestOf(run), runId: run.runId }
  const path = requestPath(paths, requestId)
  if (createFile(path, JSON.stringify(asked), disk)) return run.runId
  const stored = findRequest(paths, requestId)
  if (stored === null) {
    replaceFile(path, JSON.stringify(asked), disk)
    return run.runId
  }
  if (stored.digest !== asked.digest) {
    throw new AppError(
      'request-conflict',
      `Request ${requestId} already started another run (${stored.runId}). Start this one with a new request.`,
    )
  }
  // The one before us may have failed just before the name of the request was on the disk.
  disk.syncFolder(paths.requests)
  return stored.runId
}

/** The next free number of the project, taken. */
export function claimNumber(paths: ProjectPaths, runId: RunId, disk: Disk = nodeDisk): number {
  let number = 1
  for (const name of readdirSync(paths.numbers)) number = Math.max(number, (Number(name) || 0) + 1)
  while (!createFile(join(paths.numbers, String(number)), runId, disk)) number += 1
  return number
}

/** False when another process finished the same request first. */
function fillFolder(paths: ProjectPaths, info: RunInfo, text: string, owner: Owner, token: string, disk: Disk): boolean {
  const folder = join(paths.runs, `.new-${info.runId}-${process.pid}-${randomBytes(4).toString('hex')}`)
  const place = join(paths.runs, info.runId)
  try {
    disk.makeFolder(folder)
    const files = filesOf(folder)
    disk.makeFolder(files.sources)
    disk.makeFolder(files.commands)
    const journal = `${encodeRecord({ ...firstAttempt(info, owner, token), n: 1, at: info.createdAt })}\n`
    const source = join(files.sources, sourceName(info.source.sha256, info.source.ext))
    writeAllSynced(
      [
        [source, text],
        [files.info, encodeRunInfo(info)],
        [files.events, ''],
        [files.journal, journal],
      ],
      disk,
    )
    disk.syncFolder(files.sources)
    disk.syncFolder(folder)
    disk.rename(folder, place)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    if (['EEXIST', 'ENOTEMPTY', 'EPERM'].includes(fsCode(error) ?? '') && existsSync(place)) return false
    throw error
  }
  try {
    disk.syncFolder(paths.runs)
  } catch (error) {
    // Nobody will work on it, so it must not look as if somebody did. The same request makes it again.
    renameSync(place, folder)
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  return true
}

function firstAttempt(info: RunInfo, owner: Owner, token: string): Extract<NewRecord, { t: 'attempt' }> {
  const { source, engine, policy, backend, choices } = info
  const args = info.args === undefined ? {} : { args: info.args }
  return {
    t: 'attempt',
    attempt: 1,
    token,
    owner,
    script: source.sha256,
    ...args,
    engine,
    policy,
    backend,
    ...(choices !== undefined && { choices }),
  }
}

/** Folders whose maker died before they were whole. A live maker, or one of another machine within the hour, keeps its own. */
export function unfinishedFolders(paths: ProjectPaths, isAlive: (pid: number) => boolean, now: number): string[] {
  return readdirSync(paths.runs).flatMap((name) => {
    const pid = UNFINISHED.exec(name)?.[1]
    if (pid === undefined || isAlive(Number(pid))) return []
    const folder = join(paths.runs, name)
    const changed = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? now
    return now - changed > 3_600_000 ? [folder] : []
  })
}

export function sweepUnfinished(paths: ProjectPaths, isAlive: (pid: number) => boolean, now: number): void {
  for (const folder of unfinishedFolders(paths, isAlive, now)) rmSync(folder, { recursive: true, force: true })
}
