/**
 * What a model's or an agent's failure means for the call: is the person not signed in, is the quota used up (both pause the
 * run), is it worth another try. Backends tell it by HTTP status where they can, else only in words.
 */
import { AppError } from '../../shared/errors.ts'
import type { Usage } from '../../shared/run/record.ts'
import type { AgentOutcome } from './agent-runner.ts'
import { timeOfDayIn } from './reset-words.ts'

export interface ModelFailure {
  /** HTTP status of the model's answer, when it is known. */
  status?: number
  /** What the backend said. */
  text: string
  /** Milliseconds that the backend asked to wait. */
  retryAfterMs?: number
  /** What the failed try has used. */
  usage?: Usage
}

const DETAIL_CHARS = 2000
/** Who asks for a longer wait than this has no quota left; it is no pause between two requests. */
const LONGEST_WAIT_MS = 10 * 60_000
const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 }

const AUTH =
  /\b(?:401|unauthori[sz]ed|unauthenticated|authentication[ _](?:failed|error|required)|invalid[ _](?:x-)?api[ _-]?key|api key not valid|incorrect api key|(?:not|no longer) (?:logged|signed) in|please (?:log|sign) in|run \/login|set an auth method)\b/i
const QUOTA =
  /insufficient[_ ]quota|(?:exceeded|exhausted) your (?:current |daily )?(?:quota|capacity)|quota (?:is )?(?:exceeded|exhausted)|(?:usage|spending|session|weekly|daily) limit|credit balance|out of credits|billing|per ?day/i
const RATE = /\b429\b|rate[ _-]?limit|too many requests|resource[ _]exhausted/i
const MODEL = /model[_ ]not[_ ]found|(?:unknown|unsupported|invalid) model|model .{0,80}(?:does not exist|not found)/i
const BROKEN_REQUEST = [400, 404, 405, 413, 422]

/** @param now milliseconds since 1970 */
export function modelFailure({ status, text, retryAfterMs, usage = NO_USAGE }: ModelFailure, now: number = Date.now()): AgentOutcome {
  const detail = text.trim().slice(0, DETAIL_CHARS) || 'The agent failed and did not say why'
  if (status === 401 || status === 403 || (status === undefined && AUTH.test(text))) return { kind: 'halt', reason: 'auth', detail }
  const isLimited = status === 429 || (status === undefined && RATE.test(text))
  const isSpent = status === 402 || ((isLimited || status === undefined) && QUOTA.test(text))
  if (isSpent || (isLimited && (retryAfterMs ?? 0) > LONGEST_WAIT_MS)) {
    const resetAt = resetTimeIn(text, now) ?? (retryAfterMs === undefined ? null : new Date(now + retryAfterMs).toISOString())
    return { kind: 'halt', reason: 'quota', detail, ...(resetAt !== null && { resetAt }) }
  }
  if (isLimited) {
    return { kind: 'dead', reason: 'rate-limited', detail, retryable: true, usage, ...(retryAfterMs !== undefined && { retryAfterMs }) }
  }
  if ((status === undefined || status === 400 || status === 404) && MODEL.test(text)) {
    return { kind: 'dead', reason: 'unknown-model', detail, retryable: false, usage }
  }
  const retryable = status === undefined || !BROKEN_REQUEST.includes(status)
  return { kind: 'dead', reason: 'agent-error', detail, retryable, usage, ...(retryAfterMs !== undefined && { retryAfterMs }) }
}

/** What kept an agent from starting. A program that is not there is not there a moment later either. */
export function notStarted(error: unknown): AgentOutcome {
  const text = error instanceof Error ? error.message : String(error)
  if (error instanceof AppError) return { kind: 'dead', reason: 'agent-error', detail: text, retryable: false, usage: NO_USAGE }
  return modelFailure({ text })
}

const UNIT_MS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** When a limit starts anew, ISO 8601: from a date, seconds since 1970 behind a bar, a time span such as “in 5h 20m”, or a time of day. */
export function resetTimeIn(text: string, now: number): string | null {
  const date = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)/.exec(text)?.[0]
  if (date !== undefined && !Number.isNaN(Date.parse(date))) return new Date(date).toISOString()
  const seconds = /\|(\d{10})\b/.exec(text)?.[1]
  if (seconds !== undefined) return new Date(Number(seconds) * 1000).toISOString()
  const span = /\b(?:in|after)\s+((?:\d+(?:\.\d+)?\s*(?:d|h|m|s)[a-z]*\s*(?:,|and)?\s*)+)/i.exec(text)?.[1]
  if (span === undefined) return timeOfDayIn(text, now)
  let ms = 0
  for (const [, amount, unit] of span.matchAll(/(\d+(?:\.\d+)?)\s*(d|h|m|s)/gi))
    ms += Number(amount) * (UNIT_MS[unit?.toLowerCase() ?? ''] ?? 0)
  return new Date(now + Math.round(ms)).toISOString()
}
