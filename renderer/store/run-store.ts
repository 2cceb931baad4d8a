/**
 * The one open run: fetched whole, then kept up to date by folding events. A gap in `seq` means fetch again, so a lost
 * event heals; while that fails the view is marked as standing still and its actions are off.
 */
import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { Bridge } from '../../shared/contract/bridge.ts'
import type { CallDetail } from '../../shared/contract/runs.ts'
import type { ErrorData } from '../../shared/errors.ts'
import type { Json } from '../../shared/json.ts'
import type { RunEvent } from '../../shared/run/events.ts'
import { reduceAll } from '../../shared/run/reduce.ts'
import type { RunView } from '../../shared/run/view.ts'

/** The run as a drawing, as a table of its calls, or as what its script logged. */
export type Face = 'lanes' | 'table' | 'log'

export interface RunState {
  runId: string | null
  view: RunView | null
  /** An earlier attempt that is looked at instead of the newest; read-only. Null: the newest is shown. */
  past: RunView | null
  /** Lanes that stay on top while the rest scrolls. */
  pinned: ReadonlySet<string>
  /** Why the run can't be shown at all. */
  error: ErrorData | null
  /** Since when nothing new can be read; null while updates come. */
  staleSince: number | null
  /** Id of the selected lane row. */
  selected: string | null
  details: Record<number, CallDetail | ErrorData>
  /** The return value in full, once asked for. */
  value: { value?: Json } | null
  toggled: ReadonlyMap<string, boolean>
  unfolded: boolean
  /** Counts the worktrees that were applied or discarded here. */
  worktreeRound: number
  face: Face
  open(runId: string): Promise<void>
  close(): void
  refetch(): Promise<void>
  /** Shows one attempt of the open run; the newest one is the live view. */
  showAttempt(attempt: number): Promise<ErrorData | null>
  pin(id: string, pinned: boolean): void
  select(id: string | null): void
  toggle(id: string, open: boolean): void
  setUnfolded(unfolded: boolean): void
  setFace(face: Face): void
  worktreeGone(): void
  loadDetail(callId: number): Promise<void>
  loadValue(): Promise<void>
}

const CLOSED = {
  runId: null,
  view: null,
  past: null,
  pinned: new Set<string>(),
  error: null,
  staleSince: null,
  selected: null,
  details: {},
  value: null,
  toggled: new Map<string, boolean>(),
  unfolded: false,
  worktreeRound: 0,
} as const

/** What is on screen: the attempt that is looked at, else the newest. */
export function shownView({ past, view }: Pick<RunState, 'past' | 'view'>): RunView | null {
  return past ?? view
}

/** Folds what follows on without a gap; `gap` tells that something is missing before the rest. */
export function foldEvents(view: RunView, events: readonly RunEvent[]): { view: RunView; gap: boolean } {
  const fresh = events.filter((event) => event.seq > view.lastSeq)
  const missing = fresh.findIndex((event, place) => event.seq !== view.lastSeq + 1 + place)
  const next = missing === -1 ? fresh : fresh.slice(0, missing)
  return { view: reduceAll(view, next) ?? view, gap: missing !== -1 }
}

/** Details that can still change are fetched again: those of calls that ended since. Of few calls the details are known. */
function staleDetails(before: RunView, after: RunView, details: RunState['details']): RunState['details'] {
  if (before.attempt !== after.attempt) return {}
  const kept = { ...details }
  for (const callId of Object.keys(kept).map(Number)) {
    const end = ({ calls }: RunView) => calls.find((call) => call.callId === callId)?.endedAt
    if (end(before) !== end(after)) delete kept[callId]
  }
  return kept
}

export function createRunStore(bridge: Bridge, clock: () => number): StoreApi<RunState> {
  let unsubscribe = () => {}
  /** News that does not follow on yet: it came while the run was being fetched, or something before it is missing. */
  let news: { seq: number; events: readonly RunEvent[] }[] = []
  let fetching = false
  return createStore<RunState>()((set, get) => {
    /** Folds the news into the view. What still does not follow on is kept, and the run is fetched if `mayFetch`. */
    const settle = (mayFetch: boolean) => {
      const { view, details } = get()
      if (view === null || fetching || news.length === 0) return
      const events = news.flatMap((one) => one.events).sort((a, b) => a.seq - b.seq)
      const newest = Math.max(...news.map((one) => one.seq))
      const folded = foldEvents(view, events)
      if (folded.view !== view) set({ view: folded.view, staleSince: null, details: staleDetails(view, folded.view, details) })
      if (newest <= folded.view.lastSeq) news = []
      else if (mayFetch) void get().refetch()
    }
    return {
      ...CLOSED,
      face: 'lanes',
      async open(runId) {
        if (get().runId === runId) return
        unsubscribe()
        news = []
        fetching = false
        set({ ...CLOSED, runId })
        unsubscribe = bridge.runs.onChange(runId, (change) => {
          if (get().runId !== runId) return
          news.push({ seq: change.seq, events: change.events })
          settle(true)
        })
        await get().refetch()
      },
      close() {
        unsubscribe()
        unsubscribe = () => {}
        set(CLOSED)
      },
      async refetch() {
        const { runId } = get()
        if (runId === null) return
        fetching = true
        const known = news.length
        const answer = await bridge.runs.show({ runId })
        if (get().runId !== runId) return
        fetching = false
        const { view, details } = get()
        if (answer.ok) {
          set({
            view: answer.value,
            error: null,
            staleSince: null,
            details: view === null ? {} : staleDetails(view, answer.value, details),
          })
          // An answer older than what came meanwhile is asked for once more; older than what was known, it is not.
          settle(news.length > known)
        } else if (view === null) set({ error: answer.error })
        else set({ staleSince: get().staleSince ?? clock() })
      },
      async showAttempt(attempt) {
        const { runId, view } = get()
        if (runId === null || view === null) return null
        if (attempt === view.attempt) {
          set({ past: null, details: {}, selected: null })
          return null
        }
        const answer = await bridge.runs.show({ runId, attempt })
        if (!answer.ok) return answer.error
        if (get().runId === runId) set({ past: answer.value, details: {}, selected: null })
        return null
      },
      pin: (id, pinned) =>
        set((state) => ({ pinned: new Set(pinned ? [...state.pinned, id] : [...state.pinned].filter((other) => other !== id)) })),
      select: (selected) => set({ selected }),
      toggle: (id, open) => set((state) => ({ toggled: new Map(state.toggled).set(id, open) })),
      setUnfolded: (unfolded) => set({ unfolded }),
      setFace: (face) => set({ face }),
      worktreeGone: () => set((state) => ({ worktreeRound: state.worktreeRound + 1 })),
      async loadDetail(callId) {
        const { runId, past } = get()
        if (runId === null) return
        const answer = await bridge.runs.call({ runId, callId, ...(past !== null && { attempt: past.attempt }) })
        if (get().runId !== runId || get().past?.attempt !== past?.attempt) return
        set((state) => ({ details: { ...state.details, [callId]: answer.ok ? answer.value : answer.error } }))
      },
      async loadValue() {
        const { runId } = get()
        if (runId === null) return
        const answer = await bridge.runs.value({ runId })
        if (get().runId === runId && answer.ok) set({ value: answer.value })
      },
    }
  })
}
