/** The same call in another attempt, and the texts of it that are compared. */
import type { CallDetail } from '../../../shared/contract/runs.ts'
import type { CallView, RunView } from '../../../shared/run/view.ts'

/** By its number; a call that asks something else has another number, so then by name and place in its phase. */
export function counterpart(call: CallView, other: RunView): CallView | null {
  const same = other.calls.find((one) => one.callId === call.callId)
  if (same !== undefined) return same
  const alike = other.calls.filter((one) => one.kind === call.kind && one.phase === call.phase)
  if (call.label === null) return alike.find((one) => one.label === null && one.title === call.title) ?? null
  return alike.find((one) => one.label === call.label) ?? null
}

export function promptText({ params }: CallDetail): string | null {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return null
  const { prompt } = params
  return typeof prompt === 'string' ? prompt : JSON.stringify(params, null, 2)
}

export function outputText({ output, result }: CallDetail): string | null {
  if (result === null) return null
  if (result.kind === 'dead') return `${result.reason}: ${result.detail}`
  if (result.kind !== 'ok') return result.kind
  return typeof output === 'string' ? output : JSON.stringify(output, null, 2)
}
