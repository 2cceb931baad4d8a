/** How long a call at work has been silent. Only of backends that stream: of others silence means nothing. */
import type { CallView } from '../../shared/run/view.ts'
import { duration } from './quantity.ts'

/** Shorter silence is how agents work. */
const WORTH_SAYING_MS = 60_000

/** `idle 8m 02s`; null when there is nothing to say. */
export function idleWords(call: CallView, now: number): string | null {
  if (call.endedAt !== null || call.status === 'waiting' || call.lastEventAt === undefined) return null
  const silent = now - call.lastEventAt
  return silent < WORTH_SAYING_MS ? null : `idle ${duration(silent)}`
}
