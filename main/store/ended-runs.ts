/**
 * The runs that were read last and have ended, as they were read. Who looks at a run asks for it a dozen times, and reading
 * takes as long as its journal is. A run whose files are not what they were is read anew.
 */
import { statSync } from 'node:fs'
import type { RunRead } from '../engine/ports.ts'
import type { RunPaths } from './paths.ts'
import { readRun } from './read-run.ts'

/** A huge run is some ten megabytes in memory. */
const KEPT = 2

const kept = new Map<string, { mark: string; read: RunRead }>()

/** As `readRun`. What it gives is shared and may not be changed. */
export function readRunOnce(run: RunPaths): RunRead {
  // Before reading: what is written meanwhile makes another mark.
  const mark = markOf(run)
  const known = kept.get(run.folder)
  kept.delete(run.folder)
  const read = known?.mark === mark ? known.read : readRun(run)
  if (hasEnded(read)) kept.set(run.folder, { mark, read })
  for (const folder of kept.keys()) if (kept.size > KEPT) kept.delete(folder)
  return read
}

/** What stands in the journal alone says so; a run that was cut off depends on processes. */
function hasEnded({ records }: RunRead): boolean {
  return records.findLast((record) => record.t === 'end' || record.t === 'attempt')?.t === 'end'
}

function markOf(run: RunPaths): string {
  return [run.journal, run.events, run.info, run.pin]
    .map((path) => {
      const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
      return stat === undefined ? '-' : `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`
    })
    .join(' ')
}
