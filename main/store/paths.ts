/**
 * The layout of a project's runs folder. Every id is checked before it becomes part of a path, and a path that leads out
 * of its folder by a link is refused.
 */
import { accessSync, constants, existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import type { RunId } from '../../shared/ids.ts'
import { isRunId, RequestId } from '../../shared/ids.ts'
import { fsCode, isMissing } from './disk.ts'

const SHA256 = /^[0-9a-f]{64}$/

export interface ProjectPaths {
  project: string
  runs: string
  index: string
  indexLock: string
  requests: string
  numbers: string
}

export interface RunPaths {
  folder: string
  info: string
  sources: string
  journal: string
  badLines: string
  events: string
  state: string
  payload: string
  children: string
  transcripts: string
  commands: string
  pin: string
}

export function projectPaths(project: string): ProjectPaths {
  const runs = join(project, '.claude', 'workflow-runs')
  return {
    project,
    runs,
    index: join(runs, 'index.jsonl'),
    indexLock: join(runs, 'index.lock'),
    requests: join(runs, 'requests'),
    numbers: join(runs, 'numbers'),
  }
}

/** Folders beside the runs, which no run may be named after (also where case does not tell names apart). */
const RESERVED = new Set(['requests', 'numbers'])

export function isRunFolder(name: string): name is RunId {
  return isRunId(name) && !RESERVED.has(name.toLowerCase())
}

/** @throws AppError `run-unknown` for anything that is no run id */
export function checkRunId(id: string): RunId {
  if (!isRunFolder(id)) throw new AppError('run-unknown', `${JSON.stringify(id.slice(0, 200))} is no run id. Use an id from the list.`)
  return id
}

export const OLDER_JOURNAL = 'journal.jsonl'
export const BESIDE_OLDER = 'journal.v2.jsonl'

/** The files of a run folder at a given place. The journal of an older tool keeps its name, so ours may lie beside it. */
export function filesOf(folder: string): RunPaths {
  const besideOlder = join(folder, BESIDE_OLDER)
  return {
    folder,
    info: join(folder, 'run.json'),
    sources: join(folder, 'source'),
    journal: existsSync(besideOlder) ? besideOlder : join(folder, OLDER_JOURNAL),
    badLines: join(folder, 'journal.bad.jsonl'),
    events: join(folder, 'events.jsonl'),
    state: join(folder, 'state.json'),
    payload: join(folder, 'payload'),
    children: join(folder, 'children.jsonl'),
    transcripts: join(folder, 'transcripts'),
    commands: join(folder, 'commands'),
    pin: join(folder, 'pinned'),
  }
}

/**
 * The files of an existing run.
 * @throws AppError `run-unknown` (no such run, or not an id), `run-damaged` (its folder is a link)
 */
export function runPaths(paths: ProjectPaths, id: string): RunPaths {
  const folder = join(paths.runs, checkRunId(id))
  let link: boolean
  try {
    const stat = lstatSync(folder)
    link = stat.isSymbolicLink()
    if (!link && !stat.isDirectory()) throw new AppError('run-unknown', `There is no run ${id} in ${paths.project}.`)
  } catch (error) {
    if (isMissing(error)) throw new AppError('run-unknown', `There is no run ${id} in ${paths.project}.`)
    throw error
  }
  if (link || dirname(realpathSync(folder)) !== realpathSync(paths.runs)) {
    throw new AppError('run-damaged', `${folder} is a link to somewhere else, so it is not opened. Remove it.`)
  }
  refuseOutside(paths, paths.runs)
  return filesOf(folder)
}

/** An owner writes into these; a link among them would lead its writes out of the run's folder. */
export function refuseLinks(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isSymbolicLink()) {
      throw new AppError(
        'run-damaged',
        `${join(folder, entry.name)} is a link, so nothing is written into this run. Remove it, then try again.`,
      )
    }
  }
}

/** @throws AppError `bad-args` for anything that is no request id */
export function requestPath(paths: ProjectPaths, id: string): string {
  if (!RequestId.safeParse(id).success) throw new AppError('bad-args', 'A request id has 1 to 128 letters, digits, _ or -.')
  return join(paths.requests, id)
}

/** Name of a text in `source/`. */
export function sourceName(sha256: string, ext: string): string {
  if (!SHA256.test(sha256) || !/^[a-z0-9]{1,8}$/.test(ext)) throw new AppError('run-damaged', 'A saved text has an impossible name.')
  return `${sha256.slice(0, 16)}.${ext}`
}

export function payloadPath(run: RunPaths, sha256: string): string {
  if (!SHA256.test(sha256)) throw new AppError('run-damaged', `${basename(run.folder)}: a saved value has an impossible name.`)
  return join(run.payload, sha256)
}

/** @throws AppError `project-missing` */
export function checkProject(project: string): void {
  let isFolder = false
  try {
    isFolder = statSync(project).isDirectory()
  } catch (error) {
    if (fsCode(error) === 'EACCES') throw new AppError('project-unwritable', `${project} can't be opened: no permission.`, { cause: error })
  }
  if (!isFolder) throw new AppError('project-missing', `There is no folder ${project}. Locate it, or choose another project.`)
}

/**
 * True when the project has a runs folder. Nothing is created.
 * @throws AppError `project-unwritable` when there is something that can't be used as one
 */
export function hasRuns(paths: ProjectPaths): boolean {
  try {
    if (!statSync(paths.runs).isDirectory()) throw new AppError('project-unwritable', `${paths.runs} is no folder. Move it away.`)
    accessSync(paths.runs, constants.R_OK | constants.X_OK)
  } catch (error) {
    if (isMissing(error)) return false
    if (error instanceof AppError) throw error
    throw new AppError('project-unwritable', `${paths.runs} can't be opened: ${whyNot(error)}.`, { cause: error })
  }
  refuseOutside(paths, paths.runs)
  return true
}

/** @throws AppError `project-unwritable` for a folder that a link leads out of the project */
function refuseOutside(paths: ProjectPaths, folder: string): void {
  if (relative(realpathSync(paths.project), realpathSync(folder)).split(sep)[0] !== '..') return
  throw new AppError('project-unwritable', `${folder} leads out of the project, so it is not used. Make it a real folder.`)
}

function whyNot(error: unknown): string {
  switch (fsCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full. Free some space, then try again'
    case 'EACCES':
    case 'EPERM':
      return 'no permission. Allow it, then try again'
    case 'EROFS':
      return 'the disk is read-only'
    default:
      return error instanceof Error ? error.message : String(error)
  }
}

export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder)
  } catch (error) {
    if (fsCode(error) !== 'EEXIST') throw error
  }
}

/**
 * Makes the runs folder, which git does not see.
 * @throws AppError `project-missing`, `project-unwritable`
 */
export function makeRunsFolder(paths: ProjectPaths): void {
  checkProject(paths.project)
  try {
    // Folder by folder, so that nothing is made behind a link that leads out of the project.
    for (const folder of [dirname(paths.runs), paths.runs, paths.requests, paths.numbers]) {
      makeFolder(folder)
      refuseOutside(paths, folder)
    }
    writeFileSync(join(paths.runs, '.gitignore'), '*\n', { flag: 'wx' })
  } catch (error) {
    if (error instanceof AppError) throw error
    if (fsCode(error) === 'EEXIST' && hasRuns(paths)) return
    if (fsCode(error) === 'ENOTDIR') hasRuns(paths)
    throw new AppError('project-unwritable', `Runs can't be saved in ${paths.runs}: ${whyNot(error)}.`, { cause: error })
  }
}
