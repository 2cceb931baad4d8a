/** A resume plan in words: what is certain first, what is only likely after it. */
import type { PlannedCall, ResumePlan } from '../../shared/run/plan.ts'
import { WHY_LIVE_WORDS } from '../../shared/words.ts'
import { amount, plural } from './text/amounts.ts'
import { type Ink, mark } from './text/ink.ts'
import { cut, oneLine } from './text/printable.ts'

/** More lines than this tell nobody anything; `--verbose` shows all. */
const SHOWN = 20
const EXCERPT = 60

/** Words that mean calls outside of any phase. */
const NO_PHASE = 'Run'

export function callName(call: Pick<PlannedCall, 'label' | 'title' | 'phase'>): string {
  const name = oneLine(call.label ?? call.title)
  return call.phase === null ? name : `${oneLine(call.phase)} › ${name}`
}

/** `Collect 4 · Review 8`, in order of first mention. */
function perPhase(calls: readonly PlannedCall[]): string {
  const phases = new Map<string, number>()
  for (const { phase } of calls) phases.set(phase ?? NO_PHASE, (phases.get(phase ?? NO_PHASE) ?? 0) + 1)
  return [...phases].map(([phase, n]) => `${oneLine(phase)} ${n}`).join(' · ')
}

/** The part of two texts around their first difference. */
export function difference(before: string, after: string): { before: string; after: string } {
  const [a, b] = [oneLine(before), oneLine(after)]
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  const from = Math.max(0, at - EXCERPT / 3)
  const part = (text: string) => `${from > 0 ? '…' : ''}${cut(text.slice(from), EXCERPT)}`
  return { before: part(a), after: part(b) }
}

function certainLines(plan: ResumePlan, all: boolean, ink: Ink): string[] {
  const shown = all ? plan.certainLive : plan.certainLive.slice(0, SHOWN)
  const lines = shown.flatMap((call) => {
    const line = `  ${mark(ink, 'running')} ${callName(call)}: ${WHY_LIVE_WORDS[call.why]}`
    if (call.old === undefined || call.new === undefined) return [line]
    const { before, after } = difference(call.old, call.new)
    return [line, `      was  ${before}`, `      now  ${after}`]
  })
  const rest = plan.certainLive.length - shown.length
  return rest > 0 ? [...lines, `  and ${rest} more (--verbose shows all)`] : lines
}

/** @param next what to do next, as the last line */
export function planLines(plan: ResumePlan, heading: string, next: string, all: boolean, ink: Ink): string[] {
  const lines = [ink.bold(heading)]
  const replayed = plan.replayed.length
  lines.push(replayed === 0 ? 'Nothing is replayed.' : `${plural(replayed, 'result')} replayed, at no cost: ${perPhase(plan.replayed)}`)
  const live = plan.certainLive.length
  if (live > 0) lines.push(`${plural(live, 'call')} ${live === 1 ? 'starts' : 'start'} live for certain:`, ...certainLines(plan, all, ink))
  if (plan.complete) lines.push('The script comes to its end by replay alone; nothing runs live.')
  else if (plan.estimate.calls > 0) {
    const tokens = plan.estimate.outputTokens > 0 ? `, ${amount(plan.estimate.outputTokens)} output tokens` : ''
    lines.push(
      `After that, going by last time, about ${plural(plan.estimate.calls, 'more call', 'more calls')}${tokens}. That is not certain.`,
    )
  }
  if (plan.notReached.length > 0)
    lines.push(`${plural(plan.notReached.length, 'saved result')} not asked for up to there: ${perPhase(plan.notReached)}`)
  if (plan.inFlight.length > 0) {
    lines.push('Running when the run was cut off; resume asks what to do with it (--in-flight repeat|skip|stop|continue):')
    lines.push(...plan.inFlight.map((call) => `  ${mark(ink, 'interrupted')} ${callName(call)}`))
  }
  lines.push(plan.scriptChanged ? 'The script changed since the attempt before.' : 'The script is unchanged.')
  if (plan.childrenChanged.length > 0) lines.push(`Changed workflows that it calls: ${plan.childrenChanged.map(oneLine).join(', ')}`)
  lines.push(...plan.unexpected.map((warning) => `${ink.tone('waiting', 'Not the same')}  ${oneLine(warning)}`))
  lines.push(next)
  return lines
}
