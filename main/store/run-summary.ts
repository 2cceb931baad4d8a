/** One row of the history, made from a run's view. */
import { assertNever } from '../../shared/assert-never.ts'
import { NO_COUNTS } from '../../shared/run/reduce.ts'
import { resetTime } from '../../shared/run/reset-time.ts'
import { dueAt } from '../../shared/run/status.ts'
import type { CallView, PhaseView, RunSummary, RunView } from '../../shared/run/view.ts'

/**
 * The row of a run.
 * @param saved how many calls have a result that a resume can use
 */
export function summarize(view: RunView, saved: number): RunSummary {
  return {
    runId: view.runId,
    number: view.number,
    title: view.title,
    path: view.path,
    status: view.status,
    reason: view.reason,
    sentence: sentenceOf(view, saved),
    attempt: view.attempt,
    counts: view.counts,
    queued: view.calls.filter((call) => call.status === 'queued').length,
    outputTokens: view.outputTokens,
    cost: view.cost,
    startedAt: view.startedAt,
    updatedAt: view.updatedAt,
    endedAt: view.endedAt,
    backend: view.backend,
    currentPhase: view.currentPhase,
    strip: view.phases.map((phase) => ({ title: phase.title, state: phaseState(phase, view.calls) })),
    damaged: null,
  }
}

/** The row of a run folder that can't be read. */
export function damagedRow(runId: string, why: string, updatedAt: number): RunSummary {
  return {
    runId,
    number: 0,
    title: runId,
    path: '',
    status: 'failed',
    reason: null,
    sentence: why,
    attempt: 0,
    counts: NO_COUNTS,
    queued: 0,
    outputTokens: 0,
    cost: null,
    startedAt: updatedAt,
    updatedAt,
    endedAt: updatedAt,
    backend: null,
    currentPhase: null,
    strip: [],
    damaged: why,
  }
}

/** What stands behind the state word. */
function sentenceOf(view: RunView, saved: number): string {
  const kept = saved === 0 ? 'nothing saved' : `${saved} saved`
  const { ok, dead, skipped, abandoned, replayed, live } = view.counts
  switch (view.status) {
    case 'queued':
      return 'not started yet'
    case 'running':
      return view.currentPhase ?? `${ok + dead + skipped + abandoned} of ${view.calls.length} calls done`
    case 'waiting':
      return waitingFor(view)
    case 'paused':
      return `${pausedFor(view)} · ${kept}`
    case 'completed':
      return dead > 0 ? `${dead} of ${ok + dead + skipped + abandoned} failed` : sources(replayed, live)
    case 'failed':
      return view.error?.message.split('\n')[0] ?? kept
    case 'killed':
      return kept
    case 'interrupted':
      return `closed while it ran · ${kept}`
    default:
      return assertNever(view.status)
  }
}

/** Where the results came from; what is zero is left out. */
function sources(replayed: number, live: number): string {
  const parts = [replayed > 0 && `${replayed} replayed`, live > 0 && `${live} live`]
  return parts.filter((part) => part !== false).join(', ') || 'no calls'
}

function waitingFor(view: RunView): string {
  switch (view.reason) {
    case 'sleep':
    case 'wait': {
      const due = dueAt(view.calls)
      const asleep = view.reason === 'sleep' ? 'asleep' : (view.calls.find((call) => call.status === 'waiting')?.label ?? 'looks again')
      return due === null ? asleep : `${asleep} until ${resetTime(new Date(due).toISOString(), view.updatedAt)}`
    }
    case 'in-flight':
      return 'you decide what to do with calls that were running'
    default: {
      const call = view.calls.find((c) => c.endedAt === null && c.status === 'waiting')
      return call === undefined ? 'decided, goes on when you resume' : (call.label ?? call.title)
    }
  }
}

function pausedFor(view: RunView): string {
  switch (view.reason) {
    case 'quota':
      return view.resetAt === null ? 'usage limit' : `usage limit, resets ${resetTime(view.resetAt, view.updatedAt)}`
    case 'auth':
      return 'sign-in needed'
    case 'same-failure':
      return 'five calls failed alike'
    case 'budget':
      return 'token budget used up'
    case 'money':
      return 'cost limit reached'
    case 'user':
      return 'by you'
    default:
      return view.reason ?? 'by you'
  }
}

function phaseState(phase: PhaseView, calls: readonly CallView[]): RunSummary['strip'][number]['state'] {
  const own = calls.filter((call) => call.phase === phase.title)
  if (phase.status === 'not-yet' && own.length === 0) return 'not-yet'
  const has = (status: CallView['status']): boolean => own.some((call) => call.status === status)
  if (has('cut-off')) return 'stopped'
  if (has('running') || has('retrying') || has('queued')) return 'running'
  if (has('waiting')) return 'waiting'
  if (phase.status === 'running') return 'running'
  if (has('dead')) return 'failed'
  if (has('abandoned')) return 'stopped'
  return own.length > 0 && own.every((call) => call.source === 'replayed') ? 'replayed' : 'done'
}
