/** Clears a project of old runs for whoever asked. */
import { type Pruned, type PruneOptions, pruneRuns } from '../store/retention.ts'

export async function pruneProject(project: string, options: PruneOptions): Promise<Pruned> {
  return pruneRuns(project, options)
}
