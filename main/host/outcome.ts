/** How a task ends, as the engine takes it: without secrets, with what it cost, and by whom it was stopped. */
import { assertNever } from '../../shared/assert-never.ts'
import type { Profile } from '../../shared/contract/agents.ts'
import type { AgentOutcome } from '../agents/agent-runner.ts'
import { costOf } from '../agents/cost.ts'
import type { Outcome } from '../engine/ports.ts'
import type { Job } from './agent-job.ts'

const NO_USAGE = { inputTokens: 0, outputTokens: 0 }

export type StoppedBy = 'cancel' | 'timeout' | 'stalled'
type Dead = Extract<AgentOutcome, { kind: 'dead' }>

export function wentWrong(error: unknown): Dead {
  const detail = error instanceof Error ? error.message : String(error)
  return { kind: 'dead', reason: 'agent-error', detail, retryable: false, usage: NO_USAGE }
}

export function refused(detail: string, reason: Dead['reason']): Outcome {
  return { kind: 'dead', reason, detail, retryable: false, usage: NO_USAGE, cost: null, backend: 'none' }
}

/** The end of a task that was stopped, whatever its agent says of it. What it spent until then is paid all the same. */
export function endedBy(by: StoppedBy, outcome: AgentOutcome, after: { timeoutMs: number | null; stallMs: number | null }): AgentOutcome {
  const { usage, cost } = outcome.kind === 'dead' ? outcome : { usage: NO_USAGE, cost: undefined }
  const spent = { usage, ...(cost !== undefined && { cost }) }
  switch (by) {
    case 'cancel':
      return { kind: 'cancelled' }
    case 'timeout':
      return { kind: 'dead', reason: 'timeout', detail: `No answer within ${after.timeoutMs ?? 0} ms`, retryable: false, ...spent }
    case 'stalled': {
      const detail = `Nothing was heard of it for ${minutes(after.stallMs ?? 0)}`
      return { kind: 'dead', reason: 'stalled', detail, retryable: true, ...spent }
    }
    default:
      return assertNever(by)
  }
}

/** What a call cost: as the backend tells, else by the profile's prices; null when nobody knows. */
export function dollars(outcome: AgentOutcome, profile: Profile | null): number | null {
  if (outcome.kind !== 'ok' && outcome.kind !== 'dead') return null
  return outcome.cost ?? costOf(outcome.usage, profile?.pricing)
}

export function finished(outcome: AgentOutcome, { backend, profile, mask }: Pick<Job, 'backend' | 'profile' | 'mask'>): Outcome {
  switch (outcome.kind) {
    case 'ok': {
      const { kind, output, usage } = outcome
      return { kind, output: { inline: mask.json(output) }, usage, cost: dollars(outcome, profile), backend }
    }
    case 'dead':
      return { ...outcome, detail: mask.text(outcome.detail), cost: dollars(outcome, profile), backend }
    case 'halt':
      return { ...outcome, detail: mask.text(outcome.detail), backend }
    case 'cancelled':
      return outcome
    default:
      return assertNever(outcome)
  }
}

function minutes(ms: number): string {
  const count = Math.round(ms / 60_000)
  return count === 1 ? '1 minute' : `${count} minutes`
}
