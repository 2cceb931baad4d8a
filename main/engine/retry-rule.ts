/** When a dead try is tried again, and after how long. */
import { assertNever } from '../../shared/assert-never.ts'
import type { Outcome } from './ports.ts'

const FIRST_DELAY_MS = 2000
const MAX_RETRIES = 3

/**
 * Milliseconds to wait before the next try; null when this death is final.
 * @param retriesDone tries after the first one that this call has had
 * @param asked the call's own `retries` option, at most 3
 * @param chance in [0, 1): spreads the tries of a fan-out
 */
export function retryDelay(
  outcome: Extract<Outcome, { kind: 'dead' }>,
  retriesDone: number,
  asked: number | null,
  chance: number,
): number | null {
  const allowed = Math.min(asked ?? MAX_RETRIES, retriesFor(outcome.reason))
  if (!outcome.retryable || retriesDone >= allowed) return null
  const backoff = FIRST_DELAY_MS * 2 ** retriesDone * (0.75 + chance / 2)
  return Math.max(outcome.retryAfterMs ?? 0, Math.round(backoff))
}

function retriesFor(reason: Extract<Outcome, { kind: 'dead' }>['reason']): number {
  switch (reason) {
    case 'agent-error':
    case 'rate-limited':
      return MAX_RETRIES
    case 'stalled':
    case 'worktree-failed':
      return 1
    case 'schema-mismatch':
    case 'timeout':
    case 'refused':
    case 'unknown-agent':
    case 'unknown-model':
    case 'unserialisable':
      return 0
    default:
      return assertNever(reason)
  }
}
