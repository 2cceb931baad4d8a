/** Sums over the counts of an attempt, with the names people use. */
import type { Counts } from '../../../shared/run/record.ts'

export type { Counts }

export const NO_COUNTS_YET: Readonly<Counts> = { ok: 0, dead: 0, skipped: 0, abandoned: 0, replayed: 0, live: 0 }

/** Calls that have ended, however. */
export function settled(counts: Counts): number {
  return counts.ok + counts.dead + counts.skipped + counts.abandoned
}

/** `14 replayed, 6 live`; what is zero is left out, and nothing at all is empty. */
export function sources(counts: Counts): string {
  const parts = [counts.replayed > 0 && `${counts.replayed} replayed`, counts.live > 0 && `${counts.live} live`]
  return parts.filter((part) => part !== false).join(', ')
}
