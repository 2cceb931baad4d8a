/** Rows of the timeline: a lane for each phase, a row for each call, with bars in milliseconds from the attempt's start. */
import type { Shown } from './status.ts'
import { callState, isLive, phaseState } from './status.ts'
import type { CallView, PhaseView, RunView } from './view.ts'

/** Lanes with more calls than this start closed. */
export const OPEN_LIMIT = 50
/** Pinned lanes with more calls than this stay closed. */
const PINNED_OPEN_LIMIT = 8
/** The lane of calls made outside every phase. */
export const RUN_LANE = 'Run'

export interface Span {
  from: number
  to: number
}

/** `open`: still going on, its end is "now". */
export interface Bar extends Span {
  kind: 'queued' | 'work'
  open: boolean
}

export interface CallRow {
  kind: 'call'
  id: string
  level: 1 | 2
  call: CallView
  state: Shown
  /** Empty for a replayed call: it took no time in this attempt. */
  bars: Bar[]
  /** Original time of a replayed call, else null. */
  replayedMs: number | null
  /** Time spent in this attempt, null when none. */
  workedMs: number | null
}

export interface PhaseRow {
  kind: 'phase'
  id: string
  level: 1
  title: string
  detail: string | null
  state: Shown
  /** False when there is nothing to open. */
  expandable: boolean
  open: boolean
  calls: CallRow[]
  /** From its first live sign to its last, null when all of it was replayed or nothing happened. */
  span: Bar | null
  /** The longest original time of its replayed calls, null when none is. */
  replayedMs: number | null
  /** Of its calls together; waiting at a gate and sleeping is no work. */
  workedMs: number | null
}

export type LaneRow = PhaseRow | CallRow

/** Where the attempt ends, in milliseconds from its start: its end, else the last sign of it, else `now`. */
export function attemptMs(view: RunView, now: number): number {
  const end = view.endedAt ?? (isLive(view.status) ? now : view.updatedAt)
  return Math.max(0, end - view.attemptStartedAt)
}

interface KnownRow {
  status: RunView['status']
  zero: number
  row: CallRow
}

/**
 * Rows of ended calls, by the call: a run that works makes its lanes anew many times a second, and most of them are the same.
 * The same object again also spares the screen its row.
 */
const known = new WeakMap<CallView, KnownRow>()

function callRow(call: CallView, view: RunView, end: number, level: 1 | 2): CallRow {
  if (call.endedAt === null || call.endedAt > view.attemptStartedAt + end) return makeCallRow(call, view, end, level)
  const before = known.get(call)
  if (before?.status === view.status && before.zero === view.attemptStartedAt && before.row.level === level) return before.row
  const row = makeCallRow(call, view, end, level)
  known.set(call, { status: view.status, zero: view.attemptStartedAt, row })
  return row
}

function makeCallRow(call: CallView, view: RunView, end: number, level: 1 | 2): CallRow {
  const state = callState(call, view.status)
  const row = { kind: 'call', id: `call:${call.callId}`, level, call, state } as const
  if (call.source === 'replayed') return { ...row, bars: [], replayedMs: call.ms ?? 0, workedMs: null }
  const at = (time: number) => Math.min(Math.max(0, time - view.attemptStartedAt), Math.max(end, 0))
  const live = isLive(view.status)
  const bars: Bar[] = []
  const queuedTo = call.startedAt ?? call.endedAt
  const queued = { from: at(call.queuedAt), to: queuedTo === null ? end : at(queuedTo) }
  if (queued.to > queued.from) bars.push({ kind: 'queued', open: queuedTo === null && live, ...queued })
  if (call.startedAt !== null) {
    const to = call.endedAt === null ? end : at(call.endedAt)
    bars.push({ kind: 'work', open: call.endedAt === null && live, from: at(call.startedAt), to })
  }
  const work = bars.find((bar) => bar.kind === 'work')
  return { ...row, bars, replayedMs: null, workedMs: call.ms ?? (work === undefined ? null : work.to - work.from) }
}

function phaseRow(title: string, phase: PhaseView | null, calls: CallRow[], view: RunView, end: number, open: boolean): PhaseRow {
  const live = calls.filter((row) => row.replayedMs === null)
  const bars = live.flatMap((row) => row.bars)
  const replayed = calls.flatMap((row) => (row.replayedMs === null ? [] : [row.replayedMs]))
  const worked = live.flatMap((row) =>
    row.workedMs === null || row.call.kind === 'gate' || row.call.kind === 'sleep' ? [] : [row.workedMs],
  )
  const running = phase?.status === 'running' && isLive(view.status)
  const span: Bar | null =
    bars.length === 0
      ? null
      : {
          kind: 'work',
          open: running,
          from: Math.min(...bars.map((bar) => bar.from)),
          to: running ? end : Math.max(...bars.map((bar) => bar.to)),
        }
  return {
    kind: 'phase',
    id: `phase:${title}`,
    level: 1,
    title,
    detail: phase?.detail ?? null,
    state: phaseState(
      phase,
      calls.map((row) => row.call),
      view.status,
    ),
    expandable: calls.length > 0,
    open: open && calls.length > 0,
    calls,
    span,
    replayedMs: replayed.length === 0 ? null : Math.max(...replayed),
    workedMs: worked.length === 0 ? null : worked.reduce((sum, ms) => sum + ms, 0),
  }
}

/** Every lane with all its calls, in order of first mention; calls outside every phase come first, in a lane of their own. */
export function lanes(view: RunView, options: { now: number; toggled: ReadonlyMap<string, boolean> }): PhaseRow[] {
  const end = attemptMs(view, options.now)
  const byPhase = new Map<string | null, CallView[]>()
  for (const call of view.calls) {
    const list = byPhase.get(call.phase)
    if (list === undefined) byPhase.set(call.phase, [call])
    else list.push(call)
  }
  const lane = (title: string, phase: PhaseView | null, calls: readonly CallView[]) => {
    const open = options.toggled.get(`phase:${title}`) ?? calls.length <= OPEN_LIMIT
    return phaseRow(
      title,
      phase,
      calls.map((call) => callRow(call, view, end, 2)),
      view,
      end,
      open,
    )
  }
  const loose = byPhase.get(null) ?? []
  const named = view.phases.map((phase) => lane(phase.title, phase, byPhase.get(phase.title) ?? []))
  const titles = new Set<string | null>([null, ...view.phases.map((phase) => phase.title)])
  const more = [...byPhase].flatMap(([title, calls]) => (title === null || titles.has(title) ? [] : [lane(title, null, calls)]))
  return [...(loose.length === 0 ? [] : [lane(RUN_LANE, null, loose)]), ...named, ...more]
}

/** The rows on screen: lanes, and the calls of open ones. A run without any phase is a plain list of its calls. */
export function visibleRows(all: readonly PhaseRow[]): LaneRow[] {
  const only = all[0]
  if (all.length === 1 && only !== undefined && only.title === RUN_LANE) return only.calls.map((row) => ({ ...row, level: 1 }))
  return all.flatMap((lane): LaneRow[] => (lane.open ? [lane, ...lane.calls] : [lane]))
}

/**
 * The rows of pinned lanes, which stay on top, and the rest in its order. A pinned lane of many calls stays closed: what is
 * on top must leave room for what scrolls under it.
 */
export function splitPinned(all: readonly PhaseRow[], pinned: ReadonlySet<string>): { top: LaneRow[]; rest: LaneRow[] } {
  const only = all.length === 1 && all[0]?.title === RUN_LANE
  if (only || pinned.size === 0) return { top: [], rest: visibleRows(all) }
  const top = all
    .filter((lane) => pinned.has(lane.id))
    .map((lane) => (lane.calls.length > PINNED_OPEN_LIMIT ? { ...lane, open: false } : lane))
  return { top: visibleRows(top), rest: visibleRows(all.filter((lane) => !pinned.has(lane.id))) }
}

/** Spreads calls of a closed lane over at most `lines` thin lines so that, while there is room, no two overlap. */
export function densityLines(calls: readonly CallRow[], lines = 4): { line: number; row: CallRow; span: Span }[] {
  const free: number[] = Array.from({ length: lines }, () => Number.NEGATIVE_INFINITY)
  return calls.flatMap((row) => {
    const work = row.bars.find((bar) => bar.kind === 'work')
    const span = row.replayedMs === null ? work : { from: 0, to: row.replayedMs }
    if (span === undefined) return []
    let line = 0
    for (let at = 0; at < free.length; at += 1) {
      const until = free[at] ?? 0
      if (until <= span.from) {
        line = at
        break
      }
      if (until < (free[line] ?? 0)) line = at
    }
    free[line] = span.to
    return [{ line, row, span }]
  })
}
