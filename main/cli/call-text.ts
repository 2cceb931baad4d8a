/** One call in words: what was asked, what came back, and what it took. */
import { assertNever } from '../../shared/assert-never.ts'
import type { Json } from '../../shared/json.ts'
import { DEAD_REASON_WORDS, WHY_LIVE_WORDS } from '../../shared/words.ts'
import type { CallDetail } from '../service/service.ts'
import { amount, duration } from './text/amounts.ts'
import type { Ink } from './text/ink.ts'
import { oneLine, printable } from './text/printable.ts'

function text(value: Json): string {
  return printable(typeof value === 'string' ? value : JSON.stringify(value, null, 2))
}

function member(params: Json, name: string): Json | undefined {
  return typeof params === 'object' && params !== null && !Array.isArray(params) && Object.hasOwn(params, name) ? params[name] : undefined
}

function resultLines(call: CallDetail, state: string | null): string[] {
  if (call.result === null) return [state === null ? 'No result is saved.' : `No result yet: ${state.toLowerCase()}.`]
  switch (call.result.kind) {
    case 'ok':
      return call.output === null ? ['null'] : [text(call.output)]
    case 'skipped':
      return ['Skipped: the script got null.']
    case 'abandoned':
      return ['Abandoned: the script ended without waiting for it.']
    case 'dead':
      return [`Died: ${DEAD_REASON_WORDS[call.result.reason]}. ${printable(call.result.detail)}`.trim()]
    default:
      return assertNever(call.result)
  }
}

/** @param state the word for a call that has not ended, else null; @param attempt the last one of the run */
export function callDetailLines(call: CallDetail, state: string | null, attempt: number, ink: Ink): string[] {
  const place = call.phase === null ? '' : `${oneLine(call.phase)} › `
  const facts = [
    call.kind,
    call.attempt === null ? '' : `attempt ${call.attempt}`,
    call.ms === null ? '' : duration(call.ms),
    call.tries === null || call.tries < 2 ? '' : `${call.tries} tries`,
    call.usage === null ? '' : `${amount(call.usage.inputTokens)} tokens in, ${amount(call.usage.outputTokens)} out`,
    call.backend ?? '',
    call.whyLive === null || (attempt === 1 && call.whyLive === 'new-call') ? '' : `live: ${WHY_LIVE_WORDS[call.whyLive]}`,
    `fingerprint ${call.fp.slice(0, 16)}`,
  ]
  const prompt = member(call.params, 'prompt')
  const others = Object.entries(typeof call.params === 'object' && !Array.isArray(call.params) ? (call.params ?? {}) : {}).filter(
    ([name]) => name !== 'prompt',
  )
  const asked = prompt === undefined ? [text(call.params)] : [text(prompt)]
  return [
    ink.bold(`${place}${oneLine(call.label ?? `call ${call.callId}`)}`),
    ink.dim(facts.filter((part) => part !== '').join(' · ')),
    '',
    ink.bold(prompt === undefined ? 'Asked' : 'Prompt'),
    ...asked,
    ...(prompt === undefined || others.length === 0 ? [] : ['', ink.bold('Options'), text(Object.fromEntries(others))]),
    '',
    ink.bold('Output'),
    ...resultLines(call, state),
  ]
}
