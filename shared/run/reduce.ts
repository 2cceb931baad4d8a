/** Folds events into the run view. Pure; unknown events and end states are tolerated, a gap is the caller's to heal. */
import type { RunEvent } from './events.ts'
import { atRest, type CallEvent, canChange, foldCall, queuedCall } from './fold-call.ts'
import type { Counts } from './record.ts'
import type { Action, AttemptView, CallView, PhaseView, RunStatus, RunView } from './view.ts'
import { RUN_STATUSES } from './view.ts'

const LOG_LINES = 200
export const NO_COUNTS: Counts = { ok: 0, dead: 0, skipped: 0, abandoned: 0, replayed: 0, live: 0 }

type Started = Extract<RunEvent, { type: 'run.started' }>

/** The view after the first event of a run; `earlier` is the view of the attempts before. */
function begin(event: Started, earlier: RunView | null): RunView {
  const attempts = earlier?.attempts.filter((a) => a.attempt !== event.attempt).map((a) => cutOffAttempt(a, earlier)) ?? []
  return {
    runId: event.runId,
    number: event.number,
    title: event.title,
    path: event.path,
    script: event.script,
    scriptChanged: event.scriptChanged,
    status: 'running',
    reason: null,
    resetAt: null,
    error: null,
    attempt: event.attempt,
    attempts: [...attempts, { attempt: event.attempt, startedAt: event.at, endedAt: null, status: 'running', counts: NO_COUNTS }],
    backend: event.backend,
    concurrency: event.concurrency,
    budget: event.budget,
    maxCost: event.maxCost ?? null,
    phases: event.declaredPhases.map((p) => phase(p.title, p.detail ?? null, true)),
    currentPhase: null,
    calls: [],
    counts: NO_COUNTS,
    outputTokens: 0,
    liveOutputTokens: 0,
    cost: null,
    committed: event.committed ?? earlier?.committed ?? { outputTokens: 0, cost: 0 },
    startedAt: event.startedAt,
    attemptStartedAt: event.at,
    updatedAt: event.at,
    endedAt: null,
    log: earlier?.log ?? [],
    value: null,
    badLines: earlier?.badLines ?? [],
    allowedActions: ['stop', 'pause'],
    ...(earlier?.pinned === true && { pinned: true as const }),
    lastSeq: event.seq,
  }
}

/** An attempt without an end, and yet another one follows: its owner died. */
function cutOffAttempt(attempt: AttemptView, { updatedAt, counts }: RunView): AttemptView {
  return attempt.endedAt === null ? { ...attempt, status: 'interrupted', endedAt: updatedAt, counts } : attempt
}

function phase(title: string, detail: string | null, declared: boolean): PhaseView {
  return { title, detail, declared, status: 'not-yet', startedAt: null, endedAt: null }
}

function withPhase(view: RunView, title: string, change: Partial<PhaseView>): PhaseView[] {
  const known = view.phases.some((p) => p.title === title)
  const phases = known ? view.phases : [...view.phases, phase(title, null, false)]
  return phases.map((p) => (p.title === title ? { ...p, ...change } : p))
}

/** The list of calls that one fold made for itself: while nobody has seen it, further events change it in place. */
class OwnCalls {
  #list: CallView[] | null = null

  of({ calls }: RunView): CallView[] {
    if (this.#list !== calls) this.#list = [...calls]
    return this.#list ?? calls
  }
}

/** A new run numbers its calls from 1; elsewhere a call is looked for from the end, where the young ones are. */
function placeOf(calls: readonly CallView[], callId: number): number {
  return calls[callId - 1]?.callId === callId ? callId - 1 : calls.findLastIndex((call) => call.callId === callId)
}

function withCall(view: RunView, event: CallEvent, own: OwnCalls): Pick<RunView, 'calls' | 'allowedActions'> {
  const { calls, allowedActions } = view
  const place = placeOf(calls, event.callId)
  const before = calls[place]
  if (before === undefined) return { calls, allowedActions }
  const after = foldCall(before, event)
  const next = own.of(view)
  next[place] = after
  return { calls: next, allowedActions: isOpen(before) || isOpen(after) ? withAnswers(allowedActions, next) : allowedActions }
}

function withNew(view: RunView, call: CallView, own: OwnCalls): CallView[] {
  const calls = own.of(view)
  calls.push(call)
  return calls
}

/** What a person can answer, beside what the run allows anyway. */
function withAnswers(actions: readonly Action[], calls: readonly CallView[]): Action[] {
  const others = actions.filter((action) => action !== 'decide' && action !== 'answer')
  const open: Action[] = []
  if (calls.some(isOpenGate)) open.push('decide')
  if (calls.some((call) => call.questions !== undefined)) open.push('answer')
  return [...open, ...others]
}

function isOpenGate(call: CallView): boolean {
  return call.kind === 'gate' && call.status === 'waiting'
}

/** It waits for a person. */
function isOpen(call: CallView): boolean {
  return isOpenGate(call) || call.questions !== undefined
}

/**
 * The view after one more event.
 * @param view null before the first event; an event before any `run.started` is ignored.
 */
export function reduce(view: RunView | null, event: RunEvent): RunView | null {
  return reduceAll(view, [event])
}

/** The view after more events. Costs one copy of the list of calls, however many they are. */
export function reduceAll(view: RunView | null, events: readonly RunEvent[]): RunView | null {
  const own = new OwnCalls()
  let after = view
  for (const event of events) {
    if (event.type === 'run.started') after = begin(event, after)
    else if (after !== null && event.seq > after.lastSeq)
      after = { ...after, ...awake(after, event), ...fold(after, event, own), updatedAt: event.at, lastSeq: event.seq }
  }
  return after
}

/** A run that waited works again as soon as something happens to one of its calls. */
function awake(view: RunView, { type }: RunEvent): Partial<RunView> {
  const isSign = type === 'call.queued' || type === 'call.started' || type === 'call.ended'
  return isSign && view.status === 'waiting' && view.endedAt === null ? { status: 'running', reason: null } : {}
}

function fold(view: RunView, event: Exclude<RunEvent, Started>, own: OwnCalls): Partial<RunView> {
  switch (event.type) {
    case 'phase.started':
      return { currentPhase: event.phase, phases: withPhase(view, event.phase, { status: 'running', startedAt: event.at, endedAt: null }) }
    case 'phase.ended':
      return {
        currentPhase: view.currentPhase === event.phase ? null : view.currentPhase,
        phases: withPhase(view, event.phase, { status: 'ended', endedAt: event.at }),
      }
    case 'call.queued':
      return { calls: withNew(view, queuedCall(event), own) }
    case 'call.ended':
      return ended(view, event, own)
    case 'call.started':
    case 'call.session':
    case 'call.progress':
    case 'call.retrying':
    case 'gate.opened':
    case 'gate.decided':
    case 'permission.asked':
    case 'permission.answered':
      return withCall(view, event, own)
    case 'log': {
      const line = { seq: event.seq, at: event.at, text: event.text, level: event.level, source: event.source }
      return { log: [...view.log, line].slice(-LOG_LINES) }
    }
    case 'run.waiting':
      return { status: 'waiting', reason: event.for }
    case 'run.ended':
      return finished(view, event)
    default:
      return {} // an event of a newer version: kept in the file, nothing to show
  }
}

function ended(view: RunView, event: Extract<RunEvent, { type: 'call.ended' }>, own: OwnCalls): Partial<RunView> {
  const call = view.calls[placeOf(view.calls, event.callId)]
  if (call === undefined || !canChange(call, event)) return {}
  const counted = call.kind === 'agent' || call.kind === 'check'
  const counts = { ...view.counts }
  if (counted) {
    counts[event.outcome] += 1
    counts[event.source] += 1
  }
  const out = event.usage.outputTokens
  return {
    counts,
    outputTokens: view.outputTokens + out,
    liveOutputTokens: view.liveOutputTokens + (event.source === 'live' ? out : 0),
    cost: event.cost === null ? view.cost : (view.cost ?? 0) + event.cost,
    ...(event.source === 'live' && {
      committed: { outputTokens: view.committed.outputTokens + out, cost: view.committed.cost + (event.cost ?? 0) },
    }),
    ...withCall(view, event, own),
  }
}

function afterEnd(status: RunStatus, calls: readonly CallView[]): Action[] {
  if (status === 'completed') return ['export', 'delete']
  return status === 'waiting' ? withAnswers(['resume', 'stop', 'export', 'delete'], calls) : ['resume', 'export', 'delete']
}

/** What a call that has not ended is when its attempt ends: one that waits goes on to wait when the run does. */
function leftAs(call: CallView, status: RunStatus): CallView['status'] {
  if (status === 'waiting' && call.status === 'waiting') return 'waiting'
  return call.startedAt === null ? 'abandoned' : 'cut-off'
}

function isRunStatus(status: string): status is RunStatus {
  return (RUN_STATUSES as readonly string[]).includes(status)
}

function finished(view: RunView, event: Extract<RunEvent, { type: 'run.ended' }>): Partial<RunView> {
  const status = isRunStatus(event.status) ? event.status : 'failed'
  const calls = view.calls.map((call) => (call.endedAt === null ? atRest(call, { status: leftAs(call, status) }) : call))
  return {
    status,
    reason: event.reason,
    resetAt: event.resetAt,
    error: event.error,
    counts: event.counts,
    value: event.value,
    endedAt: event.at,
    currentPhase: null,
    calls,
    attempts: view.attempts.map((a) => (a.attempt === event.attempt ? { ...a, status, endedAt: event.at, counts: event.counts } : a)),
    allowedActions: afterEnd(status, calls),
  }
}
