/** What the end of a program means: by its exit code, by the profile's patterns, by words that are the same everywhere. */
import { assertNever } from '../../../shared/assert-never.ts'
import type { CommandOptions } from '../../../shared/contract/agents.ts'
import type { AgentOutcome } from '../agent-runner.ts'
import type { CommandEnd } from '../command.ts'
import { modelFailure, resetTimeIn } from '../model-failure.ts'

const DETAIL_CHARS = 2000
const NO_USAGE = { inputTokens: 0, outputTokens: 0 }

type Exit = Extract<CommandEnd, { kind: 'exited' }>
type Reason = NonNullable<CommandOptions['failures']>[number]['reason']

/** Null: it did what it was asked. A pattern counts whatever the exit code: some programs fail politely. */
export function failureOf(
  end: Exit,
  options: CommandOptions,
  now: number = Date.now(),
): Exclude<AgentOutcome, { kind: 'ok' | 'cancelled' }> | null {
  const written = `${end.stdout.text}\n${end.stderr.text}`
  const byPattern = options.failures?.find(({ pattern }) => new RegExp(pattern, 'm').test(written))?.reason
  const reason = byPattern ?? options.exitCodes?.[String(end.code)]
  if (reason !== undefined) return outcomeOf(reason, end, written, now)
  if (end.code === 0) return null
  const outcome = modelFailure({ text: said(end) }, now)
  // What is no quota and no sign-in is told with how the program ended; trying again is up to who wrote it.
  if (outcome.kind === 'halt' || (outcome.kind === 'dead' && outcome.reason === 'rate-limited')) return outcome
  return { kind: 'dead', reason: 'agent-error', detail: whole(end), retryable: true, usage: NO_USAGE }
}

function outcomeOf(reason: Reason, end: Exit, written: string, now: number): Exclude<AgentOutcome, { kind: 'ok' | 'cancelled' }> {
  const detail = said(end) || whole(end)
  switch (reason) {
    case 'quota': {
      const resetAt = resetTimeIn(written, now)
      return { kind: 'halt', reason, detail, ...(resetAt !== null && { resetAt }) }
    }
    case 'auth':
      return { kind: 'halt', reason, detail }
    case 'rate-limited':
      return { kind: 'dead', reason, detail, retryable: true, usage: NO_USAGE }
    case 'refused':
      return { kind: 'dead', reason, detail, retryable: false, usage: NO_USAGE }
    default:
      return assertNever(reason)
  }
}

function said({ stdout, stderr }: Exit): string {
  return (stderr.tail === '' ? stdout.tail : stderr.tail).slice(-DETAIL_CHARS)
}

function whole(end: Exit): string {
  const how = end.signal === null ? `The program exited with ${end.code}` : `The program was ended by ${end.signal}`
  const words = said(end)
  return words === '' ? `${how} and wrote nothing` : `${how}: ${words}`
}
