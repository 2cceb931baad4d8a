/** Imports a run for whoever asked. */
import { type Imported, importRun } from '../store/bundle-import.ts'

export async function importOf(project: string, path: string): Promise<Imported> {
  return importRun(project, path)
}
