/** How a run stands, in one sentence: at the end of `run` and at the top of `show`. */
import { assertNever } from '../../shared/assert-never.ts'
import { resetTime } from '../../shared/run/reset-time.ts'
import { dueAt } from '../../shared/run/status.ts'
import type { RunView } from '../../shared/run/view.ts'
import { PAUSE_REASON_WORDS, WAIT_REASON_WORDS, wordOf } from '../../shared/words.ts'
import { settled, sources } from './progress/counts.ts'
import { duration, plural } from './text/amounts.ts'
import { oneLine } from './text/printable.ts'

/** Results on disk: an attempt that was stopped during replay saw only a part of those of the attempts before. */
export function savedResults(view: RunView): number {
  return Math.max(...[view, ...view.attempts].map(({ counts }) => counts.ok + counts.skipped))
}

/** The phase in which the attempt ended: the one that began last. */
export function lastPhase(view: RunView): string | null {
  let last: { title: string; startedAt: number } | null = null
  for (const { title, startedAt } of view.phases) {
    if (startedAt !== null && (last === null || startedAt >= last.startedAt)) last = { title, startedAt }
  }
  return last?.title ?? null
}

export function attemptMs(view: RunView, now: number): number {
  return (view.endedAt ?? now) - view.attemptStartedAt
}

function saved(view: RunView): string {
  const n = savedResults(view)
  return n === 0 ? '' : ` ${plural(n, 'result')} ${n === 1 ? 'is' : 'are'} saved.`
}

function waitWords(view: RunView, now: number): string {
  const asks = view.calls.find((call) => call.kind === 'gate' && call.status === 'waiting')
  if (view.reason === 'gate' && asks !== undefined) return ` for you: ${oneLine(asks.label ?? asks.title)}`
  const due = view.reason === 'sleep' || view.reason === 'wait' ? dueAt(view.calls) : null
  if (due !== null) return ` until ${resetTime(new Date(due).toISOString(), now)}`
  return view.reason === null ? '' : ` ${wordOf(WAIT_REASON_WORDS, view.reason)}`
}

/** `Completed in 3m 55s · 14 replayed, 6 live` and its like for each state. */
export function runSentence(view: RunView, now: number): string {
  switch (view.status) {
    case 'queued':
      return 'Waits for a free slot'
    case 'running':
      return `Running${view.currentPhase === null ? '' : ` · ${oneLine(view.currentPhase)}`}`
    case 'completed': {
      const died = view.counts.dead === 0 ? '' : `, ${view.counts.dead} of ${settled(view.counts)} failed`
      return `Completed in ${duration(attemptMs(view, now))}${died} · ${sources(view.counts) || 'no calls'}`
    }
    case 'failed': {
      const phase = lastPhase(view)
      return `Failed${phase === null ? '' : ` in ${oneLine(phase)}`}.${saved(view)}`
    }
    case 'killed':
      return savedResults(view) === 0 ? 'Stopped.' : `Stopped. ${plural(savedResults(view), 'result')} saved.`
    case 'paused': {
      const why = view.reason === null ? '' : `: ${wordOf(PAUSE_REASON_WORDS, view.reason)}`
      const reset = view.resetAt === null ? '' : `, resets ${oneLine(resetTime(view.resetAt, now))}`
      return `Paused${why}${reset}.${saved(view)}`
    }
    case 'waiting':
      return `Waiting${waitWords(view, now)}.${saved(view)}`
    case 'interrupted':
      return `The process that ran it is gone.${saved(view)}`
    default:
      return assertNever(view.status)
  }
}
