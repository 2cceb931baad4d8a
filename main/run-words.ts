/** Sentences about runs for places without a page: notifications, the tray and the quit question. */
import { assertNever } from '../shared/assert-never.ts'
import type { Counts } from '../shared/run/record.ts'
import type { RunView } from '../shared/run/view.ts'
import { PAUSE_REASON_WORDS, WAIT_REASON_WORDS, wordOf } from '../shared/words.ts'

export function nameOf(view: Pick<RunView, 'title' | 'number'>): string {
  return `${view.title} #${view.number}`
}

/** Results that are safe whatever happens next. */
export function savedResults(counts: Counts): number {
  return counts.ok + counts.skipped
}

function results(count: number): string {
  return `${count} ${count === 1 ? 'result' : 'results'}`
}

/** How an attempt ended, what it cost in lost calls, and that the rest is safe. */
export function endSentence(view: RunView): string {
  const { counts } = view
  const saved = `${results(savedResults(counts))} saved.`
  const all = counts.ok + counts.dead + counts.skipped + counts.abandoned
  switch (view.status) {
    case 'completed':
      if (counts.dead > 0) return `Completed, but ${counts.dead} of ${all} calls died.`
      return `Completed · ${counts.replayed} replayed, ${counts.live} live`
    case 'failed':
      return `Failed: ${view.error?.message ?? view.reason ?? 'no reason given'} ${saved}`
    case 'paused':
      return `Paused${view.reason === null ? '' : `: ${wordOf(PAUSE_REASON_WORDS, view.reason)}`}. ${saved}`
    case 'waiting':
      return `Waiting ${view.reason === null ? 'for you' : wordOf(WAIT_REASON_WORDS, view.reason)}. ${saved}`
    case 'killed':
      return `Stopped. Resume any time. ${saved}`
    case 'interrupted':
      return `Interrupted. Resume any time. ${saved}`
    case 'queued':
    case 'running':
      return `Running${view.currentPhase === null ? '' : ` · ${view.currentPhase}`}`
    default:
      return assertNever(view.status)
  }
}

/** A running run in one line of a menu. */
export function liveSentence(view: RunView): string {
  const done = savedResults(view.counts) + view.counts.dead
  const parts = [nameOf(view), view.currentPhase, `${done} of ${view.calls.length} calls`]
  return parts.filter((part) => part !== null).join(' · ')
}

/** What quitting means for the runs that are live. */
export function quitQuestion(views: readonly RunView[]): string {
  const [only, ...more] = views
  if (only === undefined) return 'A run is starting. Quit?'
  const saved = views.reduce((sum, view) => sum + savedResults(view.counts), 0)
  const keep = saved === 0 ? 'Quit?' : `Quit and keep ${more.length > 0 ? 'their' : 'its'} ${results(saved)}?`
  return more.length > 0 ? `${views.length} runs are running. ${keep}` : `${nameOf(only)} is running. ${keep}`
}

/** What is said when the service of the app ended by itself, with so many runs at work. */
export function lostWords({ message }: { message: string }, runs: number): { message: string; detail: string } {
  const stopped = runs === 1 ? 'One run was stopped by that. Its' : `${runs} runs were stopped by that. Their`
  return {
    message: 'Reprise had to start its engine anew.',
    detail: `${runs === 0 ? 'No run was at work.' : `${stopped} finished results are saved: resume to go on.`} What went wrong: ${message}`,
  }
}
