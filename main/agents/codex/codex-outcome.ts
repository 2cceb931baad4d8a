/** What a failed turn of Codex means for the call and the run. */
import type { Usage } from '../../../shared/run/record.ts'
import type { AgentOutcome } from '../agent-runner.ts'
import { modelFailure } from '../model-failure.ts'
import type { CodexErrorInfo, TurnError } from './protocol.ts'

export const SIGN_IN = 'Sign in with “codex login” in a terminal, or give the profile a key'

export function signedOut(said = 'Codex is not signed in'): AgentOutcome {
  return { kind: 'halt', reason: 'auth', detail: `${said.trim().replace(/\.$/, '')}. ${SIGN_IN}` }
}

/** @param resetsAt when the limit of the account starts anew, in seconds since 1970 */
export function turnFailure(error: TurnError, usage: Usage, resetsAt: number | null): AgentOutcome {
  const details = error.additionalDetails ?? ''
  const text = details === '' || error.message.includes(details) ? error.message : `${error.message}: ${details}`
  const { word, status } = readInfo(error.codexErrorInfo)
  if (FINAL.has(word)) {
    const reason = word.includes('olicy') ? 'refused' : 'agent-error'
    return { kind: 'dead', reason, detail: text, retryable: false, usage }
  }
  const outcome = modelFailure({ text, usage, ...(status !== undefined && { status }) })
  if (outcome.kind === 'halt' && outcome.reason === 'auth') return signedOut(text)
  // Codex has waited and tried again before it says so: this limit does not pass in a minute.
  if (outcome.kind === 'halt' || (status === 429 && outcome.kind === 'dead')) return spent(text, resetsAt)
  return status === 529 && outcome.kind === 'dead' ? { ...outcome, reason: 'rate-limited' } : outcome
}

/** Failures that come again however often one tries. */
const FINAL: ReadonlySet<string> = new Set([
  ...['contextWindowExceeded', 'cyberPolicy', 'misalignmentPolicyViolation', 'tooManyDenials', 'sandboxError'],
])
const STATUS_OF: Readonly<Record<string, number>> = {
  unauthorized: 401,
  usageLimitExceeded: 402,
  sessionBudgetExceeded: 402,
  rateLimitExceeded: 429,
  serverOverloaded: 529,
  internalServerError: 500,
  badRequest: 400,
}

function readInfo(info: CodexErrorInfo | null): { word: string; status: number | undefined } {
  if (info === null) return { word: '', status: undefined }
  if (typeof info === 'string') return { word: info, status: STATUS_OF[info] }
  const [word = '', about] = Object.entries(info)[0] ?? []
  return { word, status: about?.httpStatusCode ?? undefined }
}

function spent(text: string, resetsAt: number | null): AgentOutcome {
  if (resetsAt !== null) return { kind: 'halt', reason: 'quota', detail: text, resetAt: new Date(resetsAt * 1000).toISOString() }
  return modelFailure({ status: 402, text })
}
