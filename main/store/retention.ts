/**
 * Keeps a project's history short: old runs that have ended go to `.trash`, by rename, and leave it after 30 days. A run
 * that may go on, or that somebody works on, stays whatever its age.
 */
import { lstatSync, readdirSync, realpathSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import type { RunId } from '../../shared/ids.ts'
import type { RunStatus, RunSummary } from '../../shared/run/view.ts'
import { isMissing, nodeDisk, writeError } from './disk.ts'
import { IndexStore } from './index-store.ts'
import {
  checkProject,
  filesOf,
  hasRuns,
  isRunFolder,
  makeFolder,
  type ProjectPaths,
  projectPaths,
  type RunPaths,
  runPaths,
} from './paths.ts'
import { isPinned } from './pins.ts'
import { readRun } from './read-run.ts'
import { currentRows } from './run-list.ts'

export const KEEP = 200
export const TRASH_DAYS = 30
const DAY_MS = 86_400_000

const TERMINAL: ReadonlySet<RunStatus> = new Set<RunStatus>(['completed', 'failed', 'killed'])

export interface PruneOptions {
  /** How many ended runs stay, the newest. */
  keep: number
  /** Only says what would be done. */
  dryRun: boolean
}

export interface Pruned {
  /** Oldest first. */
  moved: RunSummary[]
  /** Ids of runs that left the trash for good. */
  emptied: string[]
  /** Where the runs were moved to. */
  trash: string
}

/**
 * The runs that are due to go, oldest first: ended ones beyond the newest `keep`, other than pinned ones.
 * @throws AppError `project-missing`, `project-unwritable`
 */
export function outdatedRuns(project: string, keep: number): RunSummary[] {
  checkProject(project)
  const paths = projectPaths(project)
  return hasRuns(paths) ? outdated(paths, keep).filter(({ runId }) => mayGo(paths, runId)) : []
}

/**
 * The folder of a run that a person wants to be rid of.
 * @throws AppError `run-unknown`, `run-busy` while somebody works on it or may, `run-pinned`
 */
export function removableRun(project: string, runId: RunId): string {
  const files = runPaths(projectPaths(project), runId)
  if (isPinned(files)) throw new AppError('run-pinned', `Run ${runId} is pinned, so it stays. Unpin it first: reprise unpin ${runId}`)
  if (isOwned(files))
    throw new AppError('run-busy', `Run ${runId} is still at work, so it was not removed. Stop it first: reprise stop ${runId}`)
  return files.folder
}

/** A run that can't be read is nobody's: who wants to be rid of it may. */
function isOwned(files: RunPaths): boolean {
  try {
    return readRun(files).ownerAlive
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/** @throws AppError `project-missing`, `project-unwritable`, `no-permission` */
export function pruneRuns(project: string, { keep, dryRun }: PruneOptions, now = Date.now()): Pruned {
  checkProject(project)
  const paths = projectPaths(project)
  const trash = join(paths.runs, '.trash')
  if (!hasRuns(paths)) return { moved: [], emptied: [], trash }
  refuseForeignTrash(paths, trash)
  try {
    const old = outdated(paths, keep)
    const moved = dryRun ? old : old.filter((row) => moveToTrash(paths, row.runId, trash, now))
    return { moved, emptied: emptyTrash(trash, now, dryRun), trash }
  } catch (error) {
    throw writeError(error, trash)
  }
}

/** The ended runs beyond the newest ones, oldest first. A damaged run is no ended one: somebody may mend it. */
function outdated(paths: ProjectPaths, keep: number): RunSummary[] {
  return currentRows(paths, new IndexStore(paths))
    .filter(({ summary, owner }) => owner === null && summary.damaged === null && TERMINAL.has(summary.status))
    .filter(({ summary }) => isRunFolder(summary.runId) && !isPinned(filesOf(join(paths.runs, summary.runId))))
    .map(({ summary }) => summary)
    .sort((a, b) => b.updatedAt - a.updatedAt || b.number - a.number)
    .slice(keep)
    .reverse()
}

/** The run as its own files tell it now, since the list is a cache. */
function mayGo(paths: ProjectPaths, runId: string): boolean {
  try {
    const { view, ownerAlive } = readRun(runPaths(paths, runId))
    return !ownerAlive && view.pinned === undefined && TERMINAL.has(view.status)
  } catch (error) {
    if (error instanceof AppError) return false // damaged or gone since the list was read
    throw error
  }
}

/** False when the run was left where it is. */
function moveToTrash(paths: ProjectPaths, runId: string, trash: string, now: number): boolean {
  if (!isRunFolder(runId) || !mayGo(paths, runId)) return false
  const { folder } = runPaths(paths, runId)
  makeFolder(trash)
  const place = join(trash, runId)
  // An earlier copy of this run, such as one that came back by import.
  rmSync(place, { recursive: true, force: true })
  renameSync(folder, place)
  if (wasTaken(place, runId)) {
    renameSync(place, folder)
    return false
  }
  utimesSync(place, now / 1000, now / 1000)
  nodeDisk.syncFolder(trash)
  nodeDisk.syncFolder(paths.runs)
  return true
}

/** Whether somebody took the run on in the moment before it was moved. */
function wasTaken(place: string, runId: string): boolean {
  const trashed = dirname(place)
  try {
    const { view, ownerAlive } = readRun(runPaths({ ...projectPaths(dirname(dirname(dirname(trashed)))), runs: trashed }, runId))
    return ownerAlive || !TERMINAL.has(view.status)
  } catch {
    return true
  }
}

/** What lies in the trash for longer than 30 days is deleted. The folder's time is the one of its move. */
function emptyTrash(trash: string, now: number, dryRun: boolean): string[] {
  let names: string[]
  try {
    names = readdirSync(trash).filter(isRunFolder).sort()
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
  return names.filter((name) => {
    const place = join(trash, name)
    const stat = lstatSync(place)
    if (!stat.isDirectory() || now - stat.mtimeMs <= TRASH_DAYS * DAY_MS) return false
    if (!dryRun) rmSync(place, { recursive: true, force: true })
    return true
  })
}

/** @throws AppError `project-unwritable` for a trash that a link leads elsewhere */
function refuseForeignTrash(paths: ProjectPaths, trash: string): void {
  const stat = lstatSync(trash, { throwIfNoEntry: false })
  if (stat === undefined) return
  if (stat.isDirectory() && dirname(realpathSync(trash)) === realpathSync(paths.runs)) return
  throw new AppError('project-unwritable', `${trash} is no folder of its own, so nothing is moved there. Remove it.`)
}
