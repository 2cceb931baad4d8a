/** One event of a run as a line to read, with its time. Every kind of event has one; of an unknown kind at least its name. */
import type { RunEvent } from '../../shared/run/events.ts'
import { RUN_STATUS_WORDS, wordOf } from '../../shared/words.ts'
import { eventLine } from './progress/event-line.ts'
import type { Tally } from './progress/tally.ts'
import { duration, moment } from './text/amounts.ts'
import type { Ink } from './text/ink.ts'
import { oneLine, printable } from './text/printable.ts'

const ALL = { everyCall: true, replayed: true }

/** Call it before the tally has folded the event: a call's label is known until it has ended. */
export function logLine(event: RunEvent, tally: Tally, ink: Ink): string {
  const text = eventLine(event, tally, ALL, ink) ?? otherLine(event, tally)
  return `${ink.dim(moment(event.at))}  ${text}`
}

function otherLine(event: RunEvent, tally: Tally): string {
  const label = (callId: number): string => oneLine(tally.open.get(callId)?.label ?? `call ${callId}`)
  switch (event.type) {
    case 'phase.started':
      return `Phase: ${oneLine(event.phase)}`
    case 'phase.ended':
      return `Phase ended: ${oneLine(event.phase)}`
    case 'call.queued':
      return `${oneLine(event.label ?? event.title)} queued`
    case 'call.started':
      return `${label(event.callId)} started`
    case 'call.progress':
      return `${label(event.callId)}: ${oneLine(event.text)}`
    case 'call.retrying':
      return `${label(event.callId)} tries again in ${duration(event.delayMs)}`
    case 'log':
      return printable(event.text)
    case 'permission.answered':
      return `${label(event.callId)} was answered: ${oneLine(event.answer)}`
    case 'run.waiting':
      return `Waiting: ${oneLine(event.for)}`
    case 'run.ended':
      return [wordOf(RUN_STATUS_WORDS, event.status), event.reason ?? '', event.error?.message ?? '']
        .filter((part) => part !== '')
        .map(oneLine)
        .join(': ')
    default:
      return oneLine(event.type)
  }
}
