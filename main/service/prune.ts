/** Clears a project of old runs for whoever asked, and tells which ones may go. */
import { RunId } from '../../shared/ids.ts'
import { outdatedRuns, type Pruned, type PruneOptions, pruneRuns, removableRun } from '../store/retention.ts'

export async function pruneProject(project: string, options: PruneOptions): Promise<Pruned> {
  return pruneRuns(project, options)
}

export async function removable(project: string, runIds: readonly RunId[]): Promise<{ runId: RunId; folder: string }[]> {
  return [...new Set(runIds)].map((runId) => ({ runId, folder: removableRun(project, runId) }))
}

export async function outdated(project: string, keep: number): Promise<RunId[]> {
  return outdatedRuns(project, keep).map(({ runId }) => RunId.parse(runId))
}
