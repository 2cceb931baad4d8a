/** One run in words: how it stands, its phases and calls, its error, its last log lines, what to do next. */
import { runState, STATUS } from '../../shared/run/status.ts'
import type { RunView } from '../../shared/run/view.ts'
import { phaseLines } from './call-rows.ts'
import type { nextStep } from './next-step.ts'
import { placed } from './report-error.ts'
import { attemptMs, runSentence } from './run-sentence.ts'
import { shownPath } from './shown-path.ts'
import { amount, duration, moment } from './text/amounts.ts'
import type { Ink } from './text/ink.ts'
import { oneLine, printable, width } from './text/printable.ts'

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
  const { tone } = runState(view)
  const lines = [
    `${ink.bold(`${oneLine(view.title)} #${view.number}`)}  ${ink.tone(tone, `${STATUS[tone].glyph} ${runSentence(view, options.now)}`)}`,
    ...wrapped(facts(view, options), options.columns).map(ink.dim),
    '',
    ...phaseLines(view, options),
  ]
  if (view.error !== null)
    lines.push('', `${ink.tone('failed', 'Error')}  ${printable(placed(shownPath(view.path, options.cwd), view.error))}`)
  if (options.all && view.error?.stack !== undefined) lines.push(printable(view.error.stack))
  const log = logLines(view, options.all)
  if (log.length > 0) lines.push('', 'Log', ...log)
  for (const bad of view.badLines)
    lines.push(`${ink.tone('waiting', 'Journal')}  line ${bad.line} is unreadable (${oneLine(bad.reason)}); all others are safe`)
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
    view.pinned === true ? 'pinned' : '',
    spentMoney(view),
  ].filter((part) => part !== '')
}

/** With a limit: what counts against it, of every attempt. */
function spentMoney({ cost, committed, maxCost }: RunView): string {
  if (maxCost !== null) return `$${committed.cost.toFixed(2)} of $${maxCost.toFixed(2)}`
  return cost === null || cost === 0 ? '' : `$${cost.toFixed(2)}`
}

/** Parts on one line, or on as many as the terminal needs, each broken between parts. */
function wrapped(parts: readonly string[], columns: number | null): string[] {
  const lines: string[] = []
  for (const part of parts) {
    const longer = `${lines.at(-1)} · ${part}`
    if (lines.length > 0 && (columns === null || width(longer) <= columns)) lines[lines.length - 1] = longer
    else lines.push(part)
  }
  return lines
}
