/**
 * The run view as the journal allows it: events tell the story, the journal has the last word. Results and ends that the
 * unsynced events lost are added, an end without a record is taken back.
 */
import type { RunEvent } from '../../shared/run/events.ts'
import { atRest } from '../../shared/run/fold-call.ts'
import type { BadLine, JournalRecord } from '../../shared/run/record.ts'
import { reduce } from '../../shared/run/reduce.ts'
import type { CallView, RunStatus, RunView } from '../../shared/run/view.ts'
import type { RunInfo } from '../engine/ports.ts'
import { callStartedEvent, endedEvent, placed, queuedEvent, resultEvent, startedEvent } from './lost-events.ts'
import type { OwnerState } from './owner.ts'
import type { AttemptRecord, EndRecord } from './read-journal.ts'

export interface RunFacts {
  info: RunInfo
  records: readonly JournalRecord[]
  badLines: readonly BadLine[]
  /** Of the last attempt. */
  attempt: number
  end: EndRecord | null
  owner: OwnerState
}

const LIVE: ReadonlySet<RunStatus> = new Set<RunStatus>(['queued', 'running', 'waiting'])

/** The calls whose last result can be used again. Openings of children are none: they are nobody's work. */
export class SavedCalls {
  readonly #openings = new Set<number>()
  readonly #saved = new Set<number>()

  constructor(records: readonly JournalRecord[]) {
    for (const record of records) this.add(record)
  }

  get size(): number {
    return this.#saved.size
  }

  [Symbol.iterator](): Iterator<number> {
    return this.#saved.values()
  }

  add(record: JournalRecord): void {
    if (record.t === 'call' && record.kind === 'open-child') this.#openings.add(record.call)
    if (record.t !== 'result' || this.#openings.has(record.call)) return
    if (record.result.kind === 'ok' || record.result.kind === 'skipped') this.#saved.add(record.call)
    else this.#saved.delete(record.call)
  }
}

/** Folds what the journal knows into the view that the events gave; `story` is null when there are no events. */
export function viewOf(story: RunView | null, facts: RunFacts): RunView {
  let view = withAttempts(story, facts)
  view = withCalls(view, facts)
  view = facts.end === null ? withoutEnd(view, facts) : withEnd(view, facts.end)
  const newest = facts.records.at(-1)?.at ?? 0
  return { ...view, updatedAt: Math.max(view.updatedAt, newest), badLines: [...facts.badLines] }
}

/** Adds an event that the stream lost; the stream's own numbering stays what it was. */
function add(view: RunView, event: RunEvent): RunView {
  const next = reduce(view, placed(event, view.lastSeq + 1))
  return next === null ? view : { ...next, lastSeq: view.lastSeq }
}

/**
 * Attempts whose events are all lost, the earlier ones with their ends. One that only holds a person's word on the run adds
 * to the attempt before it.
 */
function withAttempts(story: RunView | null, facts: RunFacts): RunView {
  const ends = new Map<number, EndRecord>()
  for (const record of facts.records) if (record.t === 'end') ends.set(record.attempt, record)
  const short = shortAttempts(facts.records)
  let view = story
  let before: AttemptRecord | null = null
  for (const record of facts.records) {
    if (record.t !== 'attempt') continue
    if (view === null || (record.attempt > view.attempt && !short.has(record.attempt))) {
      const earlier = view === null ? undefined : ends.get(view.attempt)
      if (view !== null && earlier !== undefined && view.endedAt === null) view = add(view, endedEvent(facts.info.runId, earlier))
      view = begin(view, facts.info, record, before)
    }
    before = record
  }
  return view ?? begin(null, facts.info, null, null)
}

/** Attempts that came to their end without asking for or starting anything. */
function shortAttempts(records: readonly JournalRecord[]): ReadonlySet<number> {
  const short = new Set<number>()
  const working = new Set<number>()
  let attempt = 0
  for (const record of records) {
    if (record.t === 'attempt') attempt = record.attempt
    if (record.t === 'call' || record.t === 'started') working.add(attempt)
    if (record.t === 'end' && record.attempt === attempt && record.end.status !== 'completed' && !working.has(attempt)) short.add(attempt)
  }
  return short
}

/** `queued`: the attempt is there, its script has not started as far as anybody can tell. */
function begin(view: RunView | null, info: RunInfo, record: AttemptRecord | null, before: AttemptRecord | null): RunView {
  const event = placed(startedEvent(info, record, before), view?.lastSeq ?? 0)
  const next = reduce(view, event)
  if (next === null) throw new Error('A run.started event always gives a view')
  return { ...next, status: 'queued' }
}

/** Calls, starts and results of the last attempt that the events lost. */
function withCalls(view: RunView, facts: RunFacts): RunView {
  const stage = new Map(
    view.calls.map((call) => [call.callId, call.endedAt !== null ? 'ended' : call.status === 'queued' ? 'queued' : 'started']),
  )
  const declared = new Map<number, Extract<JournalRecord, { t: 'call' }>>()
  let attempt = 0
  let next = view
  const queue = (call: number): void => {
    const record = declared.get(call)
    if (record === undefined || stage.has(call)) return
    next = add(next, queuedEvent(facts.info.runId, facts.attempt, record))
    stage.set(call, 'queued')
  }
  for (const record of facts.records) {
    if (record.t === 'attempt') attempt = record.attempt
    if (record.t === 'call') {
      declared.set(record.call, record)
      if (attempt === facts.attempt) queue(record.call)
    }
    if (record.t === 'started' && record.attempt === facts.attempt) {
      queue(record.call)
      if (stage.get(record.call) === 'queued') {
        next = add(next, callStartedEvent(facts.info.runId, record))
        stage.set(record.call, 'started')
      }
    }
    if (record.t === 'result' && record.attempt === facts.attempt) {
      queue(record.call)
      if (stage.get(record.call) !== 'ended') next = add(next, resultEvent(facts.info.runId, record))
      stage.set(record.call, 'ended')
    }
  }
  return next !== view && next.status === 'queued' ? { ...next, status: 'running' } : next
}

/** The journal has no end: running while its owner lives, else interrupted, whatever the events say. */
function withoutEnd(view: RunView, facts: RunFacts): RunView {
  if (facts.owner !== 'dead') {
    if (LIVE.has(view.status)) return view
    return { ...view, status: 'running', reason: null, endedAt: null, allowedActions: ['stop'] }
  }
  const endedAt = Math.max(view.updatedAt, facts.records.at(-1)?.at ?? 0)
  return {
    ...cutOff(view, endedAt),
    status: 'interrupted',
    reason: null,
    error: null,
    value: null,
    endedAt,
    currentPhase: null,
    attempts: view.attempts.map((a) => (a.attempt === view.attempt ? { ...a, status: 'interrupted', endedAt, counts: view.counts } : a)),
    allowedActions: ['resume', 'export', 'delete'],
  }
}

function withEnd(view: RunView, end: EndRecord): RunView {
  const told = view.endedAt !== null && view.status === end.end.status
  return told ? view : cutOff(add(view, endedEvent(view.runId, end)), end.at)
}

/** Calls at work when everything stopped were cut off; those that had not started were left. */
function cutOff(view: RunView, endedAt: number): RunView {
  const calls = view.calls.map((call): CallView => {
    if (call.endedAt !== null) return call
    return atRest(call, { status: call.status === 'queued' ? 'abandoned' : 'cut-off', endedAt })
  })
  const phases = view.phases.map((phase) => (phase.status === 'running' ? { ...phase, status: 'ended' as const, endedAt } : phase))
  return { ...view, calls, phases }
}
