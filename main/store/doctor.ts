/**
 * Examines a project's runs folder, and repairs what can be made again or is in nobody's use: the index, left processes,
 * litter. Never touches a live run, never writes into a journal.
 */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { RunId } from '../../shared/ids.ts'
import { removeQuietly, staleTemps } from './atomic-write.ts'
import type { Finding } from './examine-run.ts'
import { examineRun, namesIn } from './examine-run.ts'
import { IndexStore } from './index-store.ts'
import { findRequest, unfinishedFolders } from './make-run.ts'
import { ownerState, processStart } from './owner.ts'
import type { ProjectPaths } from './paths.ts'
import { checkProject, filesOf, hasRuns, projectPaths } from './paths.ts'
import { reconcile } from './reconcile.ts'
import { rowOf, runFolders } from './run-list.ts'

export interface Repaired {
  /** As found at first. */
  findings: Finding[]
  /** Those that are still there. */
  left: Finding[]
}

/** A run that is being made right now has its request and number before it has a folder. */
const SETTLED_MS = 3_600_000
/** What a rewrite of the index leaves behind when it is cut off. */
const INDEX_TEMP = /^index\.jsonl\.(\d+)\.new$/

const isAlive = (pid: number): boolean => processStart(pid) !== null

/**
 * Looks at everything and changes nothing.
 * @throws AppError `project-missing`, `project-unwritable`
 */
export function examine(project: string, now = Date.now()): Finding[] {
  checkProject(project)
  const paths = projectPaths(project)
  if (!hasRuns(paths)) return []
  const runs = runFolders(paths)
  return [...indexFindings(paths, runs), ...runs.flatMap((runId) => examineRun(paths, runId)), ...litter(paths, runs, now)]
}

/** Examines, repairs what is safe, and examines again. */
export async function repair(project: string, now = Date.now()): Promise<Repaired> {
  const findings = examine(project, now)
  if (findings.every(({ fix }) => fix === null)) return { findings, left: findings }
  const paths = projectPaths(project)
  for (const { kind, path } of findings) if (kind === 'orphan' || kind === 'temporary-file') removeQuietly(path)
  // Ends left processes, sweeps unfinished folders, and makes an index anew that can't be read.
  await reconcile(project)
  const index = new IndexStore(paths)
  for (const { kind, runId } of findings) {
    if ((kind !== 'index' && kind !== 'dead-owner') || runId === null) continue
    const row = rowOf(paths, runId)
    if (row.summary.damaged === null) index.append(row)
  }
  return { findings, left: examine(project, now) }
}

/** Rows that are missing, unreadable, or say something else than the run's own folder. */
function indexFindings(paths: ProjectPaths, runs: readonly RunId[]): Finding[] {
  const index = new IndexStore(paths)
  const rows = index.rows()
  const about = { level: 'problem' as const, path: paths.index }
  if (index.damaged) {
    const what = "The list of runs has lines that can't be read."
    return [{ ...about, kind: 'index', runId: null, what, fix: 'Write it anew from the runs.' }]
  }
  return runs.flatMap((runId): Finding[] => {
    const row = rows.get(runId)
    const { summary, owner } = rowOf(paths, runId)
    if (summary.damaged !== null || owner !== null) return []
    if (row === undefined) {
      return [{ ...about, kind: 'index', runId, what: 'The run is missing in the list of runs.', fix: 'Add it to the list.' }]
    }
    if (row.owner !== null && ownerState(row.owner) === 'dead') {
      const what = `The list says that process ${row.owner.pid} is at work on it, and that process is gone.`
      return [{ ...about, kind: 'dead-owner', runId, what, fix: 'List it as interrupted.' }]
    }
    if (row.summary.status === summary.status && row.summary.attempt === summary.attempt) return []
    const what = `The list says “${row.summary.status}”, the run itself “${summary.status}”.`
    return [{ ...about, kind: 'index', runId, what, fix: 'Correct the list.' }]
  })
}

function litter(paths: ProjectPaths, runs: readonly RunId[], now: number): Finding[] {
  const about = { level: 'problem' as const, runId: null, fix: 'Remove it.' }
  const unfinished = unfinishedFolders(paths, isAlive, now)
  const folders = [paths.runs, paths.requests, paths.numbers, ...runs.flatMap((runId) => foldersOf(paths, runId))]
  return [
    ...unfinished.map((path): Finding => ({ ...about, kind: 'unfinished-run', path, what: 'A run that was never made whole.' })),
    ...[...folders.flatMap(tempsIn), ...indexTemps(paths)].map(
      (path): Finding => ({ ...about, kind: 'temporary-file', path, what: 'A temporary file of a process that is gone.' }),
    ),
    ...orphans(paths, new Set<string>(runs), now).map(
      (path): Finding => ({ ...about, kind: 'orphan', path, what: 'It stands for a run that is not there.' }),
    ),
  ]
}

function foldersOf(paths: ProjectPaths, runId: RunId): string[] {
  const files = filesOf(join(paths.runs, runId))
  return [files.folder, files.sources, files.payload, files.commands]
}

function tempsIn(folder: string): string[] {
  try {
    return staleTemps(folder, isAlive)
  } catch {
    return [] // no such folder
  }
}

function indexTemps(paths: ProjectPaths): string[] {
  return namesIn(paths.runs).flatMap((name) => {
    const pid = INDEX_TEMP.exec(name)?.[1]
    return pid !== undefined && !isAlive(Number(pid)) ? [join(paths.runs, name)] : []
  })
}

/** Numbers and requests of runs that are gone. The highest number stays, so that no number is given twice. */
function orphans(paths: ProjectPaths, runs: ReadonlySet<string>, now: number): string[] {
  const numbers = namesIn(paths.numbers).filter((name) => /^\d+$/.test(name))
  const highest = Math.max(0, ...numbers.map(Number))
  const ofNumbers = numbers.filter((name) => Number(name) !== highest).map((name) => ({ path: join(paths.numbers, name), run: textOf }))
  const requests = namesIn(paths.requests).filter((name) => !name.startsWith('.'))
  const ofRequests = requests.map((name) => ({
    path: join(paths.requests, name),
    run: () => findRequest(paths, name)?.runId ?? '',
  }))
  return [...ofNumbers, ...ofRequests].filter(({ path, run }) => isSettled(path, now) && !runs.has(run(path))).map(({ path }) => path)
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}

function isSettled(path: string, now: number): boolean {
  const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  return changed !== undefined && now - changed > SETTLED_MS
}
