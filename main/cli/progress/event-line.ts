/** The line that one event leaves behind in the terminal; null when it leaves none. */
import type { RunEvent } from '../../../shared/run/events.ts'
import { DEAD_REASON_WORDS, wordOf } from '../../../shared/words.ts'
import { duration } from '../text/amounts.ts'
import { type Ink, mark } from '../text/ink.ts'
import { oneLine, printable } from '../text/printable.ts'
import type { Tally } from './tally.ts'

type Ended = Extract<RunEvent, { type: 'call.ended' }>

function label(tally: Tally, callId: number): string {
  return oneLine(tally.open.get(callId)?.label ?? `call ${callId}`)
}

function endedLine(event: Ended, tally: Tally, ink: Ink): string {
  const name = label(tally, event.callId)
  const summary = event.summary === '' ? '' : `  ${ink.dim(oneLine(event.summary))}`
  const time = duration(event.ms)
  if (event.source === 'replayed') return `${mark(ink, 'replayed')} ${name}  ${time}${summary}`
  switch (event.outcome) {
    case 'ok':
      return `${mark(ink, 'completed')} ${name}  ${time}${event.tries > 1 ? `, ${event.tries} tries` : ''}${summary}`
    case 'dead':
      return `${mark(ink, 'failed')} ${name} ${diedWords(event)}`
    case 'skipped':
      return `${mark(ink, 'skipped')} ${name} skipped`
    case 'abandoned':
      return `${mark(ink, 'stopped')} ${name} abandoned: the script ended without waiting for it`
    default:
      return `${name} ${String(event.outcome)}`
  }
}

function diedWords(event: Ended): string {
  const reason = event.reason === null ? 'no result' : wordOf(DEAD_REASON_WORDS, event.reason)
  const detail = event.detail === null || event.detail === '' ? '' : `: ${oneLine(event.detail)}`
  return `died after ${duration(event.ms)}: ${reason}${detail}`
}

/** Lines of log keep their own line breaks. */
function logLine(event: Extract<RunEvent, { type: 'log' }>, ink: Ink): string {
  const text = printable(event.text)
  if (event.level === 'info') return text
  return `${ink.tone('waiting', 'Warning:')} ${text}${event.line === null ? '' : ` (line ${event.line})`}`
}

export interface LineRules {
  /** Say each live call as it ends; otherwise only those that died. */
  everyCall: boolean
  /** Say replayed calls one by one as well. */
  replayed: boolean
}

/** Call it before the tally has folded the event: a call's label is known until it has ended. */
export function eventLine(event: RunEvent, tally: Tally, rules: LineRules, ink: Ink): string | null {
  switch (event.type) {
    case 'run.started': {
      const attempt = event.attempt > 1 ? ` · attempt ${event.attempt}` : ''
      const changed = event.scriptChanged ? ' · the script changed since the attempt before' : ''
      const name = event.number === 0 ? `Dry run of ${oneLine(event.title)}` : `${oneLine(event.title)} #${event.number}`
      return `${ink.bold(name)}${attempt}${changed}`
    }
    case 'call.ended':
      if (event.source === 'replayed') return rules.replayed ? endedLine(event, tally, ink) : null
      return rules.everyCall || event.outcome === 'dead' ? endedLine(event, tally, ink) : null
    case 'call.retrying':
      return rules.everyCall
        ? `${ink.tone('running', '…')} ${label(tally, event.callId)} tries again in ${duration(event.delayMs)}: ${oneLine(event.detail)}`
        : null
    case 'log':
      return event.source === 'live' ? logLine(event, ink) : null
    case 'gate.opened':
      return `${mark(ink, 'waiting')} Waiting for you: ${oneLine(event.question)} (${event.options.map(oneLine).join(' / ')})`
    case 'gate.decided':
      return `${mark(ink, 'completed')} Decided: ${oneLine(event.choice)}`
    case 'permission.asked':
      return `${mark(ink, 'waiting')} ${label(tally, event.callId)} asks: ${oneLine(event.title)}`
    default:
      return null
  }
}
