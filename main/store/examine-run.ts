/** What is wrong with one run, as far as its own folder tells. Looks only. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import type { RunId } from '../../shared/ids.ts'
import { leftProcesses } from './child-processes.ts'
import { ownerState } from './owner.ts'
import type { ProjectPaths, RunPaths } from './paths.ts'
import { runPaths } from './paths.ts'
import { sha256Of } from './payload.ts'
import { badLines, readJournal } from './read-journal.ts'
import { readRun } from './read-run.ts'

export const FINDING_KINDS = [
  'dead-owner',
  'foreign-owner',
  'left-process',
  'damaged-run',
  'damaged-line',
  'damaged-value',
  'unfinished-run',
  'orphan',
  'temporary-file',
  'index',
  'worktree',
] as const
export type FindingKind = (typeof FINDING_KINDS)[number]

export interface Finding {
  kind: FindingKind
  /** A note asks nothing of anybody. */
  level: 'problem' | 'note'
  runId: RunId | null
  path: string
  /** One sentence. */
  what: string
  /** What a repair does, as a command (`Remove it.`); null when a repair leaves it alone. */
  fix: string | null
}

export function examineRun(paths: ProjectPaths, runId: RunId): Finding[] {
  try {
    const files = runPaths(paths, runId)
    const read = readRun(files)
    const reader = readJournalOf(files)
    if (reader === null) return []
    const owner = reader.owner?.owner
    const state = reader.end !== null || owner === undefined ? 'dead' : ownerState(owner)
    const isCutOff = reader.end === null && state === 'dead'
    const isDone = read.view.status === 'completed'
    return [
      ...(state === 'foreign' && owner !== undefined ? [foreignOwner(runId, files, owner)] : []),
      ...(isCutOff ? processes(runId, files) : []),
      ...badLines(reader, files.journal, state === 'dead').map(
        ({ line, reason }): Finding => damagedLine(runId, files, line, reason, isDone),
      ),
      ...damagedValues(runId, files),
    ]
  } catch (error) {
    return [{ kind: 'damaged-run', level: 'problem', runId, path: join(paths.runs, runId), what: AppError.wrap(error).message, fix: null }]
  }
}

/** Null for a run of an older tool that was not taken over yet: its journal is of another kind. */
function readJournalOf(files: RunPaths): ReturnType<typeof readJournal> | null {
  return readdirSync(files.folder).includes('run.json') ? readJournal(files.journal) : null
}

function foreignOwner(runId: RunId, files: RunPaths, { pid, host }: { pid: number; host: string }): Finding {
  const what = `It belongs to process ${pid} on ${host}, of which nothing can be known from here.`
  return { kind: 'foreign-owner', level: 'note', runId, path: files.journal, what, fix: null }
}

function processes(runId: RunId, files: RunPaths): Finding[] {
  return leftProcesses(files, runId).map(({ pid }) => {
    const what = `Process ${pid} of an agent still runs, though the run was closed.`
    return { kind: 'left-process', level: 'problem', runId, path: files.children, what, fix: `End process ${pid}.` }
  })
}

/** A journal is never rewritten: what is on a bad line is asked for again when the run goes on, and that is all. */
function damagedLine(runId: RunId, files: RunPaths, line: number, reason: string, isDone: boolean): Finding {
  const next = isDone ? 'The run has completed without it.' : 'Resume the run: what stood there is asked for again.'
  const what = `Line ${line} of the journal ${reason}. ${next}`
  return { kind: 'damaged-line', level: isDone ? 'note' : 'problem', runId, path: files.journal, what, fix: null }
}

function damagedValues(runId: RunId, files: RunPaths): Finding[] {
  return namesIn(files.payload)
    .filter((name) => /^[0-9a-f]{64}$/.test(name))
    .flatMap((name): Finding[] => {
      const path = join(files.payload, name)
      if (isWhole(path, name)) return []
      const what = 'This saved value was changed since it was saved. Run the call that made it again.'
      return [{ kind: 'damaged-value', level: 'problem', runId, path, what, fix: null }]
    })
}

function isWhole(path: string, sha256: string): boolean {
  try {
    return sha256Of(readFileSync(path)) === sha256
  } catch {
    return false
  }
}

/** Names in a folder; none when it can't be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
