/** What a start finds after a crash: runs whose owner died are interrupted, the processes it left are ended, litter is swept. */
import type { RunSummary } from '../../shared/run/view.ts'
import { sweepTemps } from './atomic-write.ts'
import { endChildren } from './child-processes.ts'
import { IndexStore } from './index-store.ts'
import { sweepUnfinished } from './make-run.ts'
import { processStart } from './owner.ts'
import { hasRuns, projectPaths, runPaths } from './paths.ts'
import { currentRows } from './run-list.ts'

export interface Reconciled {
  /** Runs without an end whose owner is gone, from this crash or an earlier one. */
  interrupted: RunSummary[]
  endedProcesses: number
}

/** Brings one project's runs in order. Does nothing in a project without runs. */
export async function reconcile(project: string): Promise<Reconciled> {
  const paths = projectPaths(project)
  if (!hasRuns(paths)) return { interrupted: [], endedProcesses: 0 }
  const isAlive = (pid: number): boolean => processStart(pid) !== null
  const interrupted = currentRows(paths, new IndexStore(paths)).flatMap(({ summary }) =>
    summary.status === 'interrupted' ? [summary] : [],
  )
  const ended = await Promise.all(interrupted.map((row) => endChildren(runPaths(paths, row.runId), row.runId)))
  try {
    sweepUnfinished(paths, isAlive, Date.now())
    sweepTemps(paths.runs, isAlive)
  } catch {
    // Litter that can't be removed harms nobody.
  }
  return { interrupted, endedProcesses: ended.reduce((sum, count) => sum + count, 0) }
}
