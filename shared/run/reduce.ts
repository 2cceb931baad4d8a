/** Folds events into the run view. Pure; unknown events and end states are tolerated, a gap is the caller's to heal. */
import type { RunEvent } from './events.ts'
import type { Counts } from './record.ts'
import type { Action, CallView, PhaseView, RunStatus, RunView } from './view.ts'
import { RUN_STATUSES } from './view.ts'

const LOG_LINES = 200
export const NO_COUNTS: Counts = { ok: 0, dead: 0, skipped: 0, abandoned: 0, replayed: 0, live: 0 }

type Started = Extract<RunEvent, { type: 'run.started' }>

/** The view after the first event of a run; `earlier` is the view of the attempts before. */
function begin(event: Started, earlier: RunView | null): RunView {
  const attempts = earlier?.attempts.filter((a) => a.attempt !== event.attempt) ?? []
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
    phases: event.declaredPhases.map((p) => phase(p.title, p.detail ?? null, true)),
    currentPhase: null,
    calls: [],
    counts: NO_COUNTS,
    outputTokens: 0,
    liveOutputTokens: 0,
    cost: null,
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

function phase(title: string, detail: string | null, declared: boolean): PhaseView {
  return { title, detail, declared, status: 'not-yet', startedAt: null, endedAt: null }
}

function withPhase(view: RunView, title: string, change: Partial<PhaseView>): PhaseView[] {
  const known = view.phases.some((p) => p.title === title)
  const phases = known ? view.phases : [...view.phases, phase(title, null, false)]
  return phases.map((p) => (p.title === title ? { ...p, ...change } : p))
}

/** Calls are in call order, so a call's place is found from the end, where the young ones are. */
function withCall(view: RunView, callId: number, change: (call: CallView) => Partial<CallView>): CallView[] {
  const place = view.calls.findLastIndex((c) => c.callId === callId)
  const call = view.calls[place]
  return call === undefined ? view.calls : view.calls.with(place, { ...call, ...change(call) })
}

/**
 * The view after one more event.
 * @param view null before the first event; an event before any `run.started` is ignored.
 */
export function reduce(view: RunView | null, event: RunEvent): RunView | null {
  if (event.type === 'run.started') return begin(event, view)
  if (view === null || event.seq <= view.lastSeq) return view
  return { ...view, ...awake(view, event), ...fold(view, event), updatedAt: event.at, lastSeq: event.seq }
}

/** A run that waited works again as soon as something happens to one of its calls. */
function awake(view: RunView, { type }: RunEvent): Partial<RunView> {
  const isSign = type === 'call.queued' || type === 'call.started' || type === 'call.ended'
  return isSign && view.status === 'waiting' && view.endedAt === null ? { status: 'running', reason: null } : {}
}

/** Sleeps and gates wait, everything else works. */
function begun(call: CallView, { at, wakeAt }: Extract<RunEvent, { type: 'call.started' }>): Partial<CallView> {
  const status = call.kind === 'sleep' || call.kind === 'gate' ? 'waiting' : 'running'
  return { status, startedAt: call.startedAt ?? at, ...(wakeAt !== undefined && { wakeAt }) }
}

function fold(view: RunView, event: Exclude<RunEvent, Started>): Partial<RunView> {
  switch (event.type) {
    case 'phase.started':
      return { currentPhase: event.phase, phases: withPhase(view, event.phase, { status: 'running', startedAt: event.at, endedAt: null }) }
    case 'phase.ended':
      return {
        currentPhase: view.currentPhase === event.phase ? null : view.currentPhase,
        phases: withPhase(view, event.phase, { status: 'ended', endedAt: event.at }),
      }
    case 'call.queued':
      return { calls: [...view.calls, queued(event)] }
    case 'call.started':
      return { calls: withCall(view, event.callId, (c) => begun(c, event)) }
    case 'call.progress':
      return { calls: withCall(view, event.callId, () => ({ lastProgress: event.text })) }
    case 'call.retrying':
      return { calls: withCall(view, event.callId, () => ({ status: 'retrying', tries: event.tries, lastProgress: event.detail })) }
    case 'call.ended':
      return ended(view, event)
    case 'gate.opened': {
      const calls = withCall(view, event.callId, () => ({ status: 'waiting' as const, options: event.options }))
      return { calls, allowedActions: ['stop', ...decidable(calls)] }
    }
    case 'gate.decided':
      return { calls: withCall(view, event.callId, () => ({ lastProgress: event.choice })) }
    case 'permission.asked':
      return { calls: withCall(view, event.callId, () => ({ status: 'waiting', lastProgress: event.title })) }
    case 'permission.answered':
      return { calls: withCall(view, event.callId, () => ({ status: 'running', lastProgress: event.answer })) }
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

function queued(event: Extract<RunEvent, { type: 'call.queued' }>): CallView {
  return {
    callId: event.callId,
    kind: event.kind,
    label: event.label,
    title: event.title,
    phase: event.phase,
    status: 'queued',
    source: event.source,
    whyLive: event.whyLive,
    agent: event.agent,
    model: event.model,
    fp: event.fp,
    queuedAt: event.at,
    startedAt: null,
    endedAt: null,
    ms: null,
    inputTokens: 0,
    outputTokens: 0,
    cost: null,
    tries: 0,
    summary: '',
    reason: null,
    detail: null,
    backend: null,
    fromAttempt: null,
    lastProgress: null,
  }
}

function ended(view: RunView, event: Extract<RunEvent, { type: 'call.ended' }>): Partial<RunView> {
  const call = view.calls.findLast((c) => c.callId === event.callId)
  if (call === undefined || (call.endedAt !== null && call.status !== 'cut-off')) return {} // a person may skip what was cut off
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
    ...(call.kind === 'gate' && { allowedActions: view.allowedActions.filter((action) => action !== 'decide' || opensOther(view, call)) }),
    calls: withCall(view, event.callId, () => ({
      status: event.outcome,
      endedAt: event.at,
      ms: event.ms,
      inputTokens: event.usage.inputTokens,
      outputTokens: out,
      cost: event.cost,
      tries: event.tries,
      summary: event.summary,
      reason: event.reason,
      detail: event.detail,
      backend: event.backend,
      fromAttempt: event.fromAttempt,
    })),
  }
}

function afterEnd(status: RunStatus, calls: readonly CallView[]): Action[] {
  if (status === 'completed') return ['export', 'delete']
  return status === 'waiting' ? [...decidable(calls), 'resume', 'stop', 'export', 'delete'] : ['resume', 'export', 'delete']
}

/** A gate is open: somebody can decide. */
function decidable(calls: readonly CallView[]): Action[] {
  return calls.some((call) => call.kind === 'gate' && call.status === 'waiting') ? ['decide'] : []
}

function opensOther(view: RunView, settled: CallView): boolean {
  return decidable(view.calls.filter((call) => call !== settled)).length > 0
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
  const calls = view.calls.map((call) => (call.endedAt === null ? { ...call, status: leftAs(call, status) } : call))
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
