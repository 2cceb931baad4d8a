/** Why a conversation broke off: an error of the protocol, the end of the process, or an answer that is none. */
import type { RequestError } from '@agentclientprotocol/sdk'
import type { Usage } from '../../../shared/run/record.ts'
import type { AgentOutcome } from '../agent-runner.ts'
import { modelFailure } from '../model-failure.ts'

/** The protocol's own code for “sign in first”. */
const AUTH_REQUIRED = -32000

/** @param signIn what the person does when the agent is not signed in */
export function requestFailure(error: RequestError, signIn: string, usage: Usage): AgentOutcome {
  const { status, kind, words } = readData(error)
  const message = messageIn(error.message)
  const text = words === '' || message.includes(words) ? message : `${message}: ${words}`
  if (error.code === AUTH_REQUIRED || /^(?:authentication|permission)/.test(kind)) return signedOut(text, signIn)
  const outcome = modelFailure({ text, usage, ...(status !== undefined && { status }) })
  return outcome.kind === 'halt' && outcome.reason === 'auth' ? signedOut(text, signIn) : outcome
}

/** A failure that the agent tells in words only, as its answer or beside the protocol. */
export function saidFailure(text: string, signIn: string, usage: Usage): AgentOutcome {
  const outcome = modelFailure({ text, usage })
  return outcome.kind === 'halt' && outcome.reason === 'auth' ? signedOut(text, signIn) : outcome
}

function signedOut(text: string, signIn: string): AgentOutcome {
  return { kind: 'halt', reason: 'auth', detail: `${text.slice(0, 1000)}. ${signIn}` }
}

/** Agents put an HTTP status into the code or the data, and the model's own words somewhere below it. */
function readData(error: RequestError): { status: number | undefined; kind: string; words: string } {
  const data = fields(error.data)
  const kind = String(data['errorKind'] ?? data['type'] ?? '')
  const told = [error.code, data['status'], data['statusCode'], data['code'], data['httpStatusCode'], STATUS_OF_KIND[kind]]
  const status = told.map(Number).find((code) => Number.isInteger(code) && code >= 400 && code < 600)
  const words = [data['details'], data['detail'], data['message']].find((value) => typeof value === 'string')
  return { status, kind, words: typeof error.data === 'string' ? error.data : ((words as string | undefined) ?? '') }
}

const STATUS_OF_KIND: Readonly<Record<string, number>> = {
  rate_limit: 429,
  rate_limit_error: 429,
  server_error: 500,
  overloaded: 529,
  billing_error: 402,
}

/** Some hand on the whole answer of the model's API. */
function messageIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } }
    return typeof error?.message === 'string' ? error.message : text
  } catch {
    return text
  }
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
