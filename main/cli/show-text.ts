/** One run in words: how it stands, its phases and calls, its error, its last log lines, what to do next. */
import type { CallView, PhaseView, RunView } from '../../shared/run/view.ts'
import { CALL_STATUS_WORDS, DEAD_REASON_WORDS, WHY_LIVE_WORDS, wordOf } from '../../shared/words.ts'
import type { nextStep } from './next-step.ts'
import { placed } from './report-error.ts'
import { attemptMs, runSentence } from './run-sentence.ts'
import { shownPath } from './shown-path.ts'
import { amount, duration, moment, plural } from './text/amounts.ts'
import { GLYPHS, type Ink, type Tone } from './text/ink.ts'
import { oneLine, printable, width } from './text/printable.ts'
import { type Cell, type Column, table } from './text/table.ts'

const CALLS_SHOWN = 20
const LOG_SHOWN = 10

export interface ShowOptions {
  cwd: string
  now: number
  /** All calls and all log lines. */
  all: boolean
  ink: Ink
  /** Width of the terminal; null when lines may be as long as they like. */
  columns: number | null
  next: ReturnType<typeof nextStep>
}

export function runLines(view: RunView, options: ShowOptions): string[] {
  const { ink } = options
  const tone: Tone = view.status === 'completed' && view.counts.dead > 0 ? 'warning' : view.status
  const lines = [
    `${ink.bold(`${oneLine(view.title)} #${view.number}`)}  ${ink.tone(tone, `${GLYPHS[view.status]} ${runSentence(view, options.now)}`)}`,
    ...wrapped(facts(view, options), options.columns).map(ink.dim),
    '',
    ...phaseLines(view, options),
  ]
  if (view.error !== null)
    lines.push('', `${ink.tone('error', 'Error')}  ${printable(placed(shownPath(view.path, options.cwd), view.error))}`)
  if (options.all && view.error?.stack !== undefined) lines.push(printable(view.error.stack))
  const log = logLines(view, options.all)
  if (log.length > 0) lines.push('', 'Log', ...log)
  for (const bad of view.badLines)
    lines.push(`${ink.tone('warning', 'Journal')}  line ${bad.line} is unreadable (${oneLine(bad.reason)}); all others are safe`)
  if (options.next !== null) lines.push('', `${options.next.label}: ${options.next.command}`)
  return lines
}

/** What a script logs again while it is replayed was said the first time. */
function logLines(view: RunView, all: boolean): string[] {
  const live = view.log.filter((line) => line.source === 'live')
  const said = live.length > 0 ? live : view.log
  const shown = all ? said : said.slice(-LOG_SHOWN)
  return shown.map((line) => `  ${line.level === 'warning' ? 'Warning: ' : ''}${oneLine(line.text)}`)
}

function facts(view: RunView, options: ShowOptions): string[] {
  const tokens = `${amount(view.outputTokens)}${view.budget === null ? '' : ` of ${amount(view.budget)}`} output tokens`
  return [
    view.runId,
    shownPath(view.path, options.cwd),
    view.attempts.length > 1 ? `attempt ${view.attempt} of ${view.attempts.length}` : '',
    `started ${moment(view.attemptStartedAt)}`,
    duration(attemptMs(view, options.now)),
    view.backend ?? '',
    tokens,
    view.cost === null || view.cost === 0 ? '' : `$${view.cost.toFixed(2)}`,
  ].filter((part) => part !== '')
}

/** Parts on one line, or on as many as the terminal needs, each broken between parts. */
function wrapped(parts: readonly string[], columns: number | null): string[] {
  const lines: string[] = []
  for (const part of parts) {
    const longer = lines.length === 0 ? part : `${lines.at(-1)} · ${part}`
    if (lines.length > 0 && (columns === null || width(longer) <= columns)) lines[lines.length - 1] = longer
    else lines.push(part)
  }
  return lines
}

/** The calls of all phases are one table, so that they stand in line. */
function phaseLines(view: RunView, options: ShowOptions): string[] {
  const groups = [
    { phase: null, calls: view.calls.filter((call) => call.phase === null) },
    ...view.phases.map((phase) => ({ phase, calls: view.calls.filter((call) => call.phase === phase.title) })),
  ]
  const shown = groups.map(({ phase, calls }) => ({ phase, calls, listed: options.all ? calls : calls.slice(0, CALLS_SHOWN) }))
  const rows = shown.flatMap(({ phase, listed }) => listed.map((call) => callCells(call, view, phase === null ? '' : '  ', options.ink)))
  const [, ...lines] = table(CALL_COLUMNS, rows, options.columns)
  const text = shown.flatMap(({ phase, calls, listed }) => {
    const more = `${phase === null ? '' : '  '}and ${calls.length - listed.length} more (--verbose shows all)`
    return [
      ...(phase === null ? [] : [phaseHead(phase, calls, options)]),
      ...lines.splice(0, listed.length),
      ...(calls.length > listed.length ? [more] : []),
    ]
  })
  return text.length === 0 ? ['No calls.'] : text
}

function phaseHead(phase: PhaseView, calls: readonly CallView[], { ink }: ShowOptions): string {
  if (phase.status === 'not-yet') return `${ink.tone('queued', GLYPHS.queued)} ${oneLine(phase.title)}  ${ink.dim('not yet')}`
  const has = (status: CallView['status']): boolean => calls.some((call) => call.status === status)
  const died = calls.filter((call) => call.status === 'dead').length
  const ended = calls.filter((call) => call.endedAt !== null && call.status !== 'cut-off').length
  const tone: Tone = died > 0 ? 'dead' : phase.status === 'running' ? 'running' : has('cut-off') || has('abandoned') ? 'cut-off' : 'ok'
  const time = phase.startedAt === null || phase.endedAt === null ? '' : `  ${duration(phase.endedAt - phase.startedAt)}`
  const deaths = died > 0 ? `, ${died} died` : ''
  return `${ink.tone(tone, GLYPHS[tone])} ${ink.bold(oneLine(phase.title))}  ${ended} of ${plural(calls.length, 'call')}${deaths}${time}`
}

const CALL_COLUMNS: readonly Column[] = [
  { title: '', shrinksTo: 20 },
  { title: '', align: 'right' },
  { title: '', shrinksTo: 16, leaves: 2 },
  { title: '', shrinksTo: 12, leaves: 1 },
]

function callCells(call: CallView, view: RunView, indent: string, ink: Ink): Cell[] {
  const isReplay = call.source === 'replayed' && call.status === 'ok'
  const tone: Tone = isReplay ? 'replayed' : call.status
  const digits = String(view.calls.length).length
  const glyph = GLYPHS[tone]
  const tries = call.tries > 1 ? [`${call.tries} tries`] : []
  return [
    {
      text: `${indent}${glyph} ${String(call.callId).padStart(digits)} ${oneLine(call.label ?? call.title)}`,
      paint: (text) => text.replace(glyph, ink.tone(tone, glyph)),
    },
    { text: call.ms === null ? '' : duration(call.ms) },
    { text: [stateWords(call, view.attempt), ...tries].filter((part) => part !== '').join(', ') },
    { text: oneLine(call.summary), paint: ink.dim },
  ]
}

/** `replayed from attempt 1`, `live: prompt changed`, `died: …`. In the first attempt every call is new: that is not said. */
export function stateWords(call: CallView, attempt: number): string {
  if (call.status === 'dead') {
    const reason = call.reason === null ? 'no result' : wordOf(DEAD_REASON_WORDS, call.reason)
    return `died: ${reason}${call.detail === null || call.detail === '' ? '' : `, ${oneLine(call.detail)}`}`
  }
  if (call.source === 'replayed') return `replayed${call.fromAttempt === null ? '' : ` from attempt ${call.fromAttempt}`}`
  const why = call.whyLive === null || (attempt === 1 && call.whyLive === 'new-call') ? '' : WHY_LIVE_WORDS[call.whyLive]
  if (call.status === 'ok') return why === '' ? '' : `live: ${why}`
  return `${CALL_STATUS_WORDS[call.status].toLowerCase()}${why === '' ? '' : `: ${why}`}`
}
