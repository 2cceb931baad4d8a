/** Why a call died, in two words: there is no more room on a bar. */
import type { DeadReason } from '../../shared/run/record.ts'

const BRIEFLY: Readonly<Record<DeadReason, string>> = {
  'agent-error': 'Agent failed',
  'schema-mismatch': 'Wrong shape',
  timeout: 'Timed out',
  stalled: 'No sign of life',
  'worktree-failed': 'No worktree',
  refused: 'Refused',
  'rate-limited': 'Rate limited',
  'unknown-agent': 'Unknown agent',
  'unknown-model': 'Unknown model',
  unserialisable: 'Not JSON',
}

export function diedBriefly(reason: string | null): string {
  if (reason === null) return ''
  return Object.hasOwn(BRIEFLY, reason) ? BRIEFLY[reason as DeadReason] : reason
}
