/** What the page does with the files of runs: hand one on, take one in, point at them, keep them, be rid of them. */
import { resolve } from 'node:path'
import { assertNever } from '../../../shared/assert-never.ts'
import { AppError } from '../../../shared/errors.ts'
import type { RunId } from '../../../shared/ids.ts'
import type { Projects } from '../../projects.ts'
import { bundleName } from '../../service/bundle-name.ts'
import type { Service } from '../../service/service.ts'
import { projectPaths, runPaths, sourceName } from '../../store/paths.ts'
import type { Handlers } from '../validated-ipc.ts'

export const RUN_FILE_METHODS = [
  'runs.export',
  'runs.import',
  'runs.remove',
  'runs.revealFile',
  'runs.revealShown',
  'runs.pin',
  'runs.openWorktree',
] as const
export type RunFileHandlers = Pick<Handlers, (typeof RUN_FILE_METHODS)[number]>

/** The desktop, as far as these need it. */
export interface Desktop {
  /** Where to save, chosen by the person; null when they chose nothing. */
  savePath(name: string): Promise<string | null>
  /** Moves a folder to the system's trash. */
  trash(path: string): Promise<void>
  reveal(path: string): void
  /** Secrets are told by the names in here. */
  env: Readonly<Record<string, string | undefined>>
}

/** @param listChanged told when runs came or went in a way that no file tells */
export function runFileHandlers(service: Service, projects: Projects, desktop: Desktop, listChanged: () => void): RunFileHandlers {
  return {
    'runs.export': async ({ runId, redact }) => {
      const project = projects.requireCurrent()
      const { title, number } = await service.show(project, runId)
      const path = await desktop.savePath(bundleName(title, number))
      if (path === null) return null
      // The dialog has asked already whether a file of that name may go.
      return service.export(project, runId, path, { replace: true, redact: redact === true ? desktop.env : null })
    },
    'runs.import': async ({ path }) => {
      const done = await service.import(projects.requireCurrent(), path)
      listChanged()
      return done
    },
    'runs.remove': async ({ runIds }) => {
      const removed = await trashRuns(service, projects.requireCurrent(), runIds, desktop.trash).finally(listChanged)
      return { removed }
    },
    'runs.revealFile': async ({ runId, file }) => {
      desktop.reveal(await fileOf(service, projects.requireCurrent(), runId, file))
      return null
    },
    'runs.revealShown': async ({ runId, callId }) => {
      const project = projects.requireCurrent()
      const { shown } = await service.call(project, runId, callId)
      if (shown === undefined) throw new AppError('call-unknown', 'That gate shows no file.')
      desktop.reveal(resolve(project, shown.path))
      return null
    },
    'runs.openWorktree': async ({ runId, callId }) => {
      const found = (await service.worktrees(projects.requireCurrent(), runId)).find((one) => one.callId === callId)
      if (found === undefined) throw new AppError('worktree-unknown', 'There is no such worktree any more.')
      desktop.reveal(found.path)
      return null
    },
    'runs.pin': async ({ runId, pinned }) => {
      await service.pin(projects.requireCurrent(), runId, pinned)
      listChanged()
      return null
    },
  }
}

/**
 * Moves runs to the system's trash; all of them are looked at before the first one goes.
 * @throws AppError `run-busy`, `run-pinned`, `run-unknown`: nothing was moved then; `no-permission` when the trash refused one
 */
export async function trashRuns(
  service: Pick<Service, 'removable'>,
  project: string,
  runIds: readonly RunId[],
  trash: (path: string) => Promise<void>,
): Promise<RunId[]> {
  const removed: RunId[] = []
  for (const { runId, folder } of await service.removable(project, runIds)) {
    await trash(folder).catch((cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new AppError('no-permission', `${folder} could not be moved to the trash: ${why}. It is where it was.`, { cause })
    })
    removed.push(runId)
  }
  return removed
}

async function fileOf(
  service: Service,
  project: string,
  runId: RunId,
  file: 'journal' | 'bad-lines' | 'source' | 'folder',
): Promise<string> {
  const files = runPaths(projectPaths(project), runId)
  switch (file) {
    case 'journal':
      return files.journal
    case 'bad-lines':
      return files.badLines
    case 'folder':
      return files.folder
    case 'source': {
      const { script, path } = await service.show(project, runId)
      return script === '' ? path : `${files.sources}/${sourceName(script, path.slice(path.lastIndexOf('.') + 1))}`
    }
    default:
      return assertNever(file)
  }
}
