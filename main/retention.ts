/**
 * Keeps the open project's history as long as the person set: runs beyond it go to the system's trash, without a word, when
 * the project is opened and when a run has ended.
 */
import { trashRuns } from './ipc/handlers/run-files.ts'
import type { LiveRuns } from './live-runs.ts'
import type { Projects } from './projects.ts'
import type { Service } from './service/service.ts'
import type { AppSettings } from './settings.ts'

export interface RetentionOptions {
  service: Pick<Service, 'outdated' | 'removable'>
  live: Pick<LiveRuns, 'ended'>
  projects: Pick<Projects, 'current' | 'changed'>
  settings: Pick<AppSettings, 'value' | 'changed'>
  trash(path: string): Promise<void>
  /** Runs have gone. */
  onRemoved(): void
}

export function keepShort({ service, live, projects, settings, trash, onRemoved }: RetentionOptions): void {
  let work = Promise.resolve()
  const tidy = async (project: string): Promise<void> => {
    const { keepRuns } = settings.value
    if (keepRuns === null) return
    const due = await service.outdated(project, keepRuns)
    // One at a time: a run that is taken on or pinned meanwhile keeps no other.
    for (const runId of due) await trashRuns(service, project, [runId], trash).catch((error: unknown) => console.error(error))
    if (due.length > 0) onRemoved()
  }
  const soon = (project: string): void => {
    work = work.then(() => tidy(project)).catch((error: unknown) => console.error(`The old runs of ${project} stay`, error))
  }
  const current = (): void => {
    if (projects.current?.exists === true) soon(projects.current.path)
  }
  current()
  projects.changed.on(current)
  settings.changed.on(current)
  live.ended.on(({ entry }) => soon(entry.project))
}
