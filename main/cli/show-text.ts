/** One run in words: how it stands, its phases and calls, its error, its last log lines, what to do next. */
import { callState, phaseState, runState } from '../../shared/run/status.ts'
import type { CallView, PhaseView, RunStatus, RunView } from '../../shared/run/view.ts'
import { DEAD_REASON_WORDS, WHY_LIVE_WORDS, wordOf } from '../../shared/words.ts'
import { placed } from './report-error.ts'
import { attemptMs, runSentence } from './run-sentence.ts'
import { shownPath } from './shown-path.ts'
import { amount, duration, moment } from './text/amounts.ts'
import { type Ink, mark } from './text/ink.ts'
import { oneLine, printable } from './text/printable.ts'

const CALLS_SHOWN = 20
const LOG_SHOWN = 10

export interface ShowOptions {
  cwd: string
  now: number
  /** All calls and all log lines. */
  all: boolean
  ink: Ink
  /** The next step as a command, when there is one. */
  next: string | null
}

export function runLines(view: RunView, options: ShowOptions): string[] {
  const { ink } = options
  const { tone } = runState(view)
  const lines = [
    `${ink.bold(`${oneLine(view.title)} #${view.number}`)}  ${mark(ink, tone)} ${ink.tone(tone, runSentence(view, options.now))}`,
    ink.dim(facts(view, options)),
    '',
    ...phaseLines(view, options),
  ]
  if (view.error !== null)
    lines.push('', `${ink.tone('failed', 'Error')}  ${printable(placed(shownPath(view.path, options.cwd), view.error))}`)
  if (options.all && view.error?.stack !== undefined) lines.push(printable(view.error.stack))
  const log = options.all ? view.log : view.log.slice(-LOG_SHOWN)
  if (log.length > 0) lines.push('', 'Log', ...log.map((line) => `  ${line.level === 'warning' ? 'Warning: ' : ''}${oneLine(line.text)}`))
  for (const bad of view.badLines)
    lines.push(`${ink.tone('waiting', 'Journal')}  line ${bad.line} is unreadable (${oneLine(bad.reason)}); all others are safe`)
  if (options.next !== null) lines.push('', `Next  ${options.next}`)
  return lines
}

function facts(view: RunView, options: ShowOptions): string {
  const tokens = `${amount(view.outputTokens)}${view.budget === null ? '' : ` of ${amount(view.budget)}`} output tokens`
  return [
    view.runId,
    shownPath(view.path, options.cwd),
    view.attempts.length > 1 ? `attempt ${view.attempt} of ${view.attempts.length}` : '',
    `started ${moment(view.attemptStartedAt)}`,
    duration(attemptMs(view, options.now)),
    view.backend ?? '',
    tokens,
    view.cost === null ? '' : `$${view.cost.toFixed(2)}`,
  ]
    .filter((part) => part !== '')
    .join(' · ')
}

function phaseLines(view: RunView, options: ShowOptions): string[] {
  const loose = view.calls.filter((call) => call.phase === null)
  const lines = loose.length === 0 ? [] : [...callLines(loose, view.status, options, '')]
  for (const phase of view.phases) {
    const calls = view.calls.filter((call) => call.phase === phase.title)
    lines.push(phaseHead(phase, calls, view.status, options), ...callLines(calls, view.status, options, '  '))
  }
  return lines.length === 0 ? ['No calls.'] : lines
}

function phaseHead(phase: PhaseView, calls: readonly CallView[], run: RunStatus, { ink }: ShowOptions): string {
  const { tone, word } = phaseState(phase, calls, run)
  if (calls.length === 0) return `${mark(ink, tone)} ${oneLine(phase.title)}  ${ink.dim(word.toLowerCase())}`
  const died = calls.filter((call) => call.status === 'dead').length
  const time = phase.startedAt === null || phase.endedAt === null ? '' : `  ${duration(phase.endedAt - phase.startedAt)}`
  return `${mark(ink, tone)} ${ink.bold(oneLine(phase.title))}  ${word}${died > 0 ? `, ${died} died` : ''}${time}`
}

function callLines(calls: readonly CallView[], run: RunStatus, options: ShowOptions, indent: string): string[] {
  const shown = options.all ? calls : calls.slice(0, CALLS_SHOWN)
  const lines = shown.map((call) => `${indent}${callLine(call, run, options.ink)}`)
  return calls.length > shown.length ? [...lines, `${indent}and ${calls.length - shown.length} more (--verbose shows all)`] : lines
}

export function callLine(call: CallView, run: RunStatus, ink: Ink): string {
  const parts = [
    `${mark(ink, callState(call, run).tone)} ${String(call.callId)} ${oneLine(call.label ?? call.title)}`,
    call.ms === null ? '' : duration(call.ms),
    stateWords(call, run),
    call.tries > 1 ? `${call.tries} tries` : '',
    oneLine(call.summary),
  ]
  return parts.filter((part) => part !== '').join('  ')
}

/** `replayed from attempt 1`, `live: prompt changed`, `died: …`. */
export function stateWords(call: CallView, run: RunStatus): string {
  if (call.status === 'dead') {
    const reason = call.reason === null ? 'no result' : wordOf(DEAD_REASON_WORDS, call.reason)
    return `died: ${reason}${call.detail === null || call.detail === '' ? '' : `, ${oneLine(call.detail)}`}`
  }
  if (call.source === 'replayed') return `replayed${call.fromAttempt === null ? '' : ` from attempt ${call.fromAttempt}`}`
  const why = call.whyLive === null ? '' : `: ${WHY_LIVE_WORDS[call.whyLive]}`
  return call.status === 'ok' ? `live${why}` : `${callState(call, run).word.toLowerCase()}${why}`
}
