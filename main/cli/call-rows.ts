/** The calls of a run, phase by phase: one table, so that all of them stand in line. */
import { callState, idleMs, phaseState, STATUS } from '../../shared/run/status.ts'
import type { CallView, PhaseView, RunView } from '../../shared/run/view.ts'
import { DEAD_REASON_WORDS, WHY_LIVE_WORDS, wordOf } from '../../shared/words.ts'
import { duration } from './text/amounts.ts'
import { type Ink, mark } from './text/ink.ts'
import { oneLine } from './text/printable.ts'
import { type Cell, type Column, table } from './text/table.ts'

/** Of each phase; more of them tell nobody anything at first sight. */
const CALLS_SHOWN = 20

const COLUMNS: readonly Column[] = [
  { title: '', shrinksTo: 20 },
  { title: '', align: 'right' },
  { title: '', shrinksTo: 16, leaves: 2 },
  { title: '', shrinksTo: 12, leaves: 1 },
]

export interface CallRowsOptions {
  all: boolean
  ink: Ink
  now: number
  /** Width of the terminal; null when lines may be as long as they like. */
  columns: number | null
}

export function phaseLines(view: RunView, { all, ink, now, columns }: CallRowsOptions): string[] {
  const groups = [null, ...view.phases].map((phase) => {
    const calls = view.calls.filter((call) => call.phase === (phase?.title ?? null))
    return { phase, calls, listed: all ? calls : calls.slice(0, CALLS_SHOWN), indent: phase === null ? '' : '  ' }
  })
  const rows = groups.flatMap(({ listed, indent }) => listed.map((call) => callCells(call, view, { indent, ink, now })))
  const [, ...lines] = table(COLUMNS, rows, columns)
  const text = groups.flatMap(({ phase, calls, listed, indent }) => [
    ...(phase === null ? [] : [phaseHead(phase, calls, view, ink)]),
    ...lines.splice(0, listed.length),
    ...(calls.length > listed.length ? [`${indent}and ${calls.length - listed.length} more (--verbose shows all)`] : []),
  ])
  return text.length === 0 ? ['No calls.'] : text
}

function phaseHead(phase: PhaseView, calls: readonly CallView[], view: RunView, ink: Ink): string {
  const { tone, word } = phaseState(phase, calls, view.status)
  if (calls.length === 0) return `${mark(ink, tone)} ${oneLine(phase.title)}  ${ink.dim(word.toLowerCase())}`
  const died = calls.filter((call) => call.status === 'dead').length
  const time = phase.startedAt === null || phase.endedAt === null ? '' : `  ${duration(phase.endedAt - phase.startedAt)}`
  return `${mark(ink, tone)} ${ink.bold(oneLine(phase.title))}  ${word}${died > 0 ? `, ${died} died` : ''}${time}`
}

function callCells(call: CallView, view: RunView, { indent, ink, now }: { indent: string; ink: Ink; now: number }): Cell[] {
  const idle = idleMs(call, now)
  const { tone } = callState(call, view.status)
  const { glyph } = STATUS[tone]
  const number = String(call.callId).padStart(String(view.calls.length).length)
  const words = [stateWords(call, view), idle === null ? '' : `idle ${duration(idle)}`, call.tries > 1 ? `${call.tries} tries` : '']
  return [
    {
      text: `${indent}${glyph} ${number} ${oneLine(call.label ?? call.title)}`,
      paint: (text) => text.replace(glyph, mark(ink, tone)),
    },
    { text: call.ms === null ? '' : duration(call.ms) },
    { text: words.filter((part) => part !== '').join(', ') },
    { text: oneLine(call.summary), paint: ink.dim },
  ]
}

/** `replayed from attempt 1`, `live: prompt changed`, `died: …`. In the first attempt every call is new: that is not said. */
export function stateWords(call: CallView, view: Pick<RunView, 'status' | 'attempt'>): string {
  if (call.status === 'dead') {
    const reason = call.reason === null ? 'no result' : wordOf(DEAD_REASON_WORDS, call.reason)
    return `died: ${reason}${call.detail === null || call.detail === '' ? '' : `, ${oneLine(call.detail)}`}`
  }
  if (call.source === 'replayed') return `replayed${call.fromAttempt === null ? '' : ` from attempt ${call.fromAttempt}`}`
  const isNews = call.whyLive !== null && (view.attempt > 1 || call.whyLive !== 'new-call')
  const why = isNews && call.whyLive !== null ? WHY_LIVE_WORDS[call.whyLive] : ''
  const [asked] = call.questions ?? []
  if (asked !== undefined) return `asks you: ${oneLine(asked.title)}`
  if (call.status === 'ok') return why === '' ? '' : `live: ${why}`
  return `${callState(call, view.status).word.toLowerCase()}${why === '' ? '' : `: ${why}`}`
}
