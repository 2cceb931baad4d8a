/** How a call of Claude Code ended: its answer, or what its failure means for the call and the run. */
import type { Json } from '../../../shared/json.ts'
import type { Usage } from '../../../shared/run/record.ts'
import type { AgentOutcome } from '../agent-runner.ts'
import { modelFailure } from '../model-failure.ts'
import type { ClaudeEvents } from './claude-events.ts'
import type { ClaudeModelUsage, ClaudeResult } from './claude-message.ts'

type Told = Pick<ClaudeEvents, 'failure' | 'limit'>

export const SIGN_IN = 'Sign in with “claude /login” in a terminal, or give the profile a key'
const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 }

/** @param hasSchema the answer is a value, not a text */
export function outcomeOf(result: ClaudeResult, told: Told, hasSchema: boolean): AgentOutcome {
  const usage = usageOf(result)
  const cost = result.total_cost_usd
  const said = [result.result, ...(result.errors ?? [])].filter((text) => text !== undefined && text !== '').join('\n')
  const dead = (reason: 'agent-error' | 'schema-mismatch' | 'unknown-model', detail: string, retryable: boolean): AgentOutcome => ({
    ...{ kind: 'dead', reason, detail, retryable, usage, cost },
  })
  switch (result.subtype) {
    case 'error_max_turns':
      return dead('agent-error', `It was not done after ${result.num_turns} turns, the most that its profile allows`, false)
    case 'error_max_structured_output_retries':
      return dead('schema-mismatch', said || 'Its answers did not keep to the schema', false)
    case 'error_during_execution':
      return /no conversation found/i.test(said)
        ? dead('agent-error', `${said}. Its session is gone: ask again`, false)
        : failure(result, told, said, usage, cost)
    default:
      if (result.is_error || result.subtype !== 'success') return failure(result, told, said, usage, cost)
      return { kind: 'ok', output: hasSchema ? valueOf(result) : (result.result ?? ''), usage, cost }
  }
}

/** No result came: the process ended, or what it wrote made no sense. */
export function brokenOff(how: string): AgentOutcome {
  const outcome = modelFailure({ text: how })
  return outcome.kind === 'halt' && outcome.reason === 'auth' ? signedOut(outcome.detail) : outcome
}

function failure(result: ClaudeResult, told: Told, said: string, usage: Usage, cost: number): AgentOutcome {
  if (told.failure !== null && AUTH_FAILURES.has(told.failure)) return signedOut(said)
  const status = result.api_error_status ?? STATUS_OF[told.failure ?? ''] ?? undefined
  // Claude Code has waited and tried again before it says so: this limit does not pass in a minute.
  if (status === 429 || told.limit?.status === 'rejected') return spent(said, told)
  const outcome = modelFailure({ text: said, usage, ...(status !== undefined && { status }) })
  if (outcome.kind === 'halt') return outcome.reason === 'auth' ? signedOut(said) : spent(said, told)
  if (outcome.kind !== 'dead') return outcome
  return { ...outcome, cost, ...(status === 529 && { reason: 'rate-limited' as const }) }
}

/** Words of Claude Code that mean: the person has to do something about the account. */
const AUTH_FAILURES: ReadonlySet<string> = new Set([
  ...['authentication_failed', 'oauth_org_not_allowed', 'account_on_hold', 'verification_required', 'cloud_credential_error'],
])
const STATUS_OF: Readonly<Record<string, number>> = {
  billing_error: 402,
  rate_limit: 429,
  overloaded: 529,
  invalid_request: 400,
  model_not_found: 404,
  server_error: 500,
}

function signedOut(said: string): AgentOutcome {
  return { kind: 'halt', reason: 'auth', detail: `${said.trim().replace(/\.$/, '') || 'Claude Code is not signed in'}. ${SIGN_IN}` }
}

function spent(said: string, told: Told): AgentOutcome {
  const detail = said.trim() || 'The usage limit is reached'
  const seconds = told.limit?.resetsAt
  if (seconds !== undefined) return { kind: 'halt', reason: 'quota', detail, resetAt: new Date(seconds * 1000).toISOString() }
  const outcome = modelFailure({ status: 402, text: said })
  return outcome.kind === 'halt' ? { ...outcome, reason: 'quota', detail } : { kind: 'halt', reason: 'quota', detail }
}

/** An answer that came without the tool for it may still be JSON; what is none is for the engine to refuse. */
function valueOf(result: ClaudeResult): Json {
  if (result.structured_output !== undefined) return result.structured_output
  const text = result.result ?? ''
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/** Tokens of all models that worked for this call, agents below it included. What was read from the cache counts as input. */
function usageOf(result: ClaudeResult): Usage {
  const models: ClaudeModelUsage[] = Object.values(result.modelUsage ?? {})
  const { usage } = result
  const all = models.length > 0 ? models.reduce(added, NOTHING) : fromTurns(usage)
  if (all.inputTokens + all.outputTokens + all.cacheReadInputTokens + all.cacheCreationInputTokens === 0) return NO_USAGE
  const thinking = usage.output_tokens_details?.thinking_tokens ?? 0
  return {
    inputTokens: all.inputTokens + all.cacheReadInputTokens + all.cacheCreationInputTokens,
    outputTokens: all.outputTokens,
    ...(all.cacheReadInputTokens > 0 && { cachedInputTokens: all.cacheReadInputTokens }),
    ...(thinking > 0 && { reasoningTokens: thinking }),
  }
}

const NOTHING: ClaudeModelUsage = { inputTokens: 0, outputTokens: 0, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 }

function added(a: ClaudeModelUsage, b: ClaudeModelUsage): ClaudeModelUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadInputTokens: a.cacheReadInputTokens + b.cacheReadInputTokens,
    cacheCreationInputTokens: a.cacheCreationInputTokens + b.cacheCreationInputTokens,
  }
}

function fromTurns(usage: ClaudeResult['usage']): ClaudeModelUsage {
  return {
    inputTokens: usage.input_tokens ?? 0,
    outputTokens: usage.output_tokens ?? 0,
    cacheReadInputTokens: usage.cache_read_input_tokens ?? 0,
    cacheCreationInputTokens: usage.cache_creation_input_tokens ?? 0,
  }
}
