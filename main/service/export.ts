/** Exports a run for whoever asked. */
import type { RunId } from '../../shared/ids.ts'
import { type Exported, type ExportOptions, exportRun } from '../store/bundle-export.ts'

export async function exportOf(project: string, runId: RunId, path: string, options: ExportOptions): Promise<Exported> {
  return exportRun(project, runId, path, options)
}
