/** The list of a project's runs: one read of the index and of the folder's names; run folders are opened only where the index can't be right. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { RunId } from '../../shared/ids.ts'
import { RunSummary } from '../../shared/run/view.ts'
import type { RunPage, RunQuery } from '../engine/ports.ts'
import type { IndexRow, IndexStore } from './index-store.ts'
import { ownerState } from './owner.ts'
import type { ProjectPaths } from './paths.ts'
import { filesOf, isRunFolder, runPaths } from './paths.ts'
import { isPinned } from './pins.ts'
import { readRun } from './read-run.ts'
import { SavedCalls } from './run-facts.ts'
import { readRunInfo } from './run-info.ts'
import { damagedRow, summarize } from './run-summary.ts'
import { readState } from './state-cache.ts'

/** One page, newest change first. */
export function listRuns(paths: ProjectPaths, index: IndexStore, query: RunQuery): RunPage {
  const wanted = currentRows(paths, index)
    .map((row) => row.summary)
    .filter((row) => matches(row, query))
    .sort((a, b) => b.updatedAt - a.updatedAt || b.number - a.number)
  const from = query.offset ?? 0
  const page = wanted.slice(from, from + query.limit)
  const rows = page.map((row) => (isSound(paths, row, page.length) ? row : lookAgain(paths, row)))
  return { runs: rows.map((row) => (hasPin(paths, row) ? { ...row, pinned: true } : row)), total: wanted.length }
}

function hasPin(paths: ProjectPaths, { runId }: RunSummary): boolean {
  return isRunFolder(runId) && isPinned(filesOf(join(paths.runs, runId)))
}

/** Pages up to this long are held against the folders: nobody reads more at once. */
const CHECKED_PAGE = 200

/** Whether a row can be shown as the index has it. A run that lost a file it can't do without, or whose own is damaged, must not look whole. */
function isSound(paths: ProjectPaths, row: RunSummary, pageLength: number): boolean {
  if (row.damaged !== null) return true
  if (!isRunFolder(row.runId) || !RunSummary.safeParse(row).success) return false
  if (pageLength > CHECKED_PAGE) return true
  const files = filesOf(join(paths.runs, row.runId))
  try {
    readRunInfo(files)
    return existsSync(files.journal)
  } catch {
    return false
  }
}

/** A damaged run keeps the number that it is known by. */
function lookAgain(paths: ProjectPaths, row: RunSummary): RunSummary {
  if (!isRunFolder(row.runId)) return row
  const { summary } = rowOf(paths, row.runId)
  return summary.damaged === null ? summary : { ...summary, number: row.number }
}

/** Ids of all run folders, whole or damaged. */
export function runFolders(paths: ProjectPaths): RunId[] {
  return readdirSync(paths.runs, { withFileTypes: true }).flatMap((entry) =>
    isRunFolder(entry.name) && (entry.isDirectory() || entry.isSymbolicLink()) ? [entry.name] : [],
  )
}

/** The row of each run as it is now. What the index lacked is added to it; a damaged one is made anew. */
export function currentRows(paths: ProjectPaths, index: IndexStore): IndexRow[] {
  const read = index.rows()
  const known: ReadonlyMap<string, IndexRow> = index.damaged ? new Map() : read
  const found: IndexRow[] = []
  const rows = runFolders(paths).map((id) => {
    const row = known.get(id)
    if (row !== undefined && row.owner === null) return row
    if (row?.owner != null && ownerState(row.owner) !== 'dead') return liveRow(paths, row)
    const looked = rowOf(paths, id)
    found.push(looked)
    return looked
  })
  try {
    // A damaged run is looked at each time, so that it is a run again as soon as it is mended.
    for (const row of found) if (row.summary.damaged === null) index.append(row)
    index.compact(rows.filter((row) => row.summary.damaged === null))
  } catch {
    // A read-only project: the next list looks again.
  }
  return rows
}

/** The row of a run from its own folder. Never throws: a folder that can't be read is a damaged row. */
export function rowOf(paths: ProjectPaths, id: RunId): IndexRow {
  try {
    const read = readRun(runPaths(paths, id))
    return { summary: summarize(read.view, new SavedCalls(read.records).size), owner: read.ownerAlive ? read.owner : null }
  } catch (error) {
    const why = AppError.wrap(error).message
    const changed = statSync(join(paths.runs, id), { throwIfNoEntry: false })?.mtimeMs ?? 0
    return { summary: damagedRow(id, why, Math.round(changed)), owner: null }
  }
}

/** A run at work changes faster than its row; its cached view is a second old at most. */
function liveRow(paths: ProjectPaths, row: IndexRow): IndexRow {
  const view = readState(filesOf(join(paths.runs, row.summary.runId)), row.summary.runId)?.view
  // Its last row did not fit on a full disk.
  if (view !== undefined && view.endedAt !== null && view.attempt >= row.summary.attempt)
    return rowOf(paths, RunId.parse(row.summary.runId))
  const newer =
    view !== undefined && view.endedAt === null && view.attempt >= row.summary.attempt && view.updatedAt >= row.summary.updatedAt
  return newer ? { ...row, summary: summarize(view, view.counts.ok + view.counts.skipped) } : row
}

function matches(row: RunSummary, { status, workflow, text }: RunQuery): boolean {
  if (status !== undefined && !status.includes(row.status)) return false
  if (workflow !== undefined && ![row.title, row.path, basename(row.path), nameOf(row.path)].includes(workflow)) return false
  if (text === undefined || text.trim() === '') return true
  const sought = text.trim().toLowerCase()
  return [row.title, row.path, row.runId, `#${row.number}`, row.sentence].some((field) => field.toLowerCase().includes(sought))
}

/** `review` of `.claude/workflows/review.workflow.ts`. */
function nameOf(path: string): string {
  return basename(path).replace(/(\.workflow)?\.(ts|mjs|js)$/, '')
}
