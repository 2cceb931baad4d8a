/** The list of runs, asked for again whenever it changed. Newcomers wait behind a pill while somebody reads the list. */
import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { Bridge } from '../../shared/contract/bridge.ts'
import type { ErrorData } from '../../shared/errors.ts'
import { needsYou } from '../../shared/run/status.ts'
import type { RunSummary } from '../../shared/run/view.ts'

/** Also the most that one answer may hold. */
const PAGE = 1000

export const TABS = ['all', 'running', 'needs-you', 'failed'] as const
export type Tab = (typeof TABS)[number]

export interface HistoryState {
  phase: 'loading' | 'ready' | 'failed'
  error: ErrorData | null
  /** Newest first. */
  runs: RunSummary[]
  total: number
  /** Came while the list was being read. */
  waiting: RunSummary[]
  /** True while a person works in the list, so that rows must not move. */
  reading: boolean
  tab: Tab
  text: string
  /** Path of one workflow, null for all. */
  workflow: string | null
  /** Run of the row that has the focus, or had it last. */
  focused: string | null
  /** The focused run is shown beside the list. */
  peek: boolean
  load(): Promise<void>
  loadMore(): Promise<void>
  clear(): void
  setTab(tab: Tab): void
  setText(text: string): void
  setWorkflow(path: string | null): void
  setFocused(runId: string | null): void
  setReading(reading: boolean): void
  setPeek(peek: boolean): void
  takeWaiting(): void
}

export function inTab(run: RunSummary, tab: Tab): boolean {
  if (tab === 'all') return true
  if (tab === 'running') return run.status === 'running' || run.status === 'queued'
  if (tab === 'needs-you') return needsYou(run)
  return run.status === 'failed' || run.counts.dead > 0
}

/** True when every word of `text` occurs in the run's name, number, sentence or phases. */
export function matches(run: RunSummary, text: string): boolean {
  const hay = `${run.title} #${run.number} ${run.sentence} ${run.strip.map((cell) => cell.title).join(' ')}`.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => hay.includes(word))
}

export function visibleRuns(state: Pick<HistoryState, 'runs' | 'tab' | 'text' | 'workflow'>): RunSummary[] {
  return state.runs.filter(
    (run) => inTab(run, state.tab) && (state.workflow === null || run.path === state.workflow) && matches(run, state.text),
  )
}

/** Newest first; of two versions of a run the later given one counts. */
export function merged(runs: readonly RunSummary[], more: readonly RunSummary[]): RunSummary[] {
  const byId = new Map([...runs, ...more].map((run) => [run.runId, run]))
  return [...byId.values()].sort((a, b) => b.startedAt - a.startedAt || b.number - a.number)
}

export function createHistoryStore(bridge: Bridge): StoreApi<HistoryState> {
  let busy = false
  let again = false
  return createStore<HistoryState>()((set, get) => {
    const take = (runs: RunSummary[], total: number) =>
      set((state) => {
        const known = new Set(state.runs.map((run) => run.runId))
        const held = state.reading && state.phase === 'ready' ? runs.filter((run) => !known.has(run.runId)) : []
        const heldIds = new Set(held.map((run) => run.runId))
        const older = total > runs.length ? state.runs.slice(runs.length) : []
        return {
          phase: 'ready',
          error: null,
          total,
          waiting: held,
          runs: merged(
            older,
            runs.filter((run) => !heldIds.has(run.runId)),
          ),
        }
      })
    const load = async () => {
      const answer = await bridge.runs.list({ limit: PAGE })
      if (answer.ok) take(answer.value.runs, answer.value.total)
      else set((state) => ({ phase: state.runs.length > 0 ? 'ready' : 'failed', error: answer.error }))
    }
    bridge.history.onChange(() => void get().load())
    return {
      phase: 'loading',
      error: null,
      runs: [],
      total: 0,
      waiting: [],
      reading: false,
      tab: 'all',
      text: '',
      workflow: null,
      focused: null,
      peek: false,
      async load() {
        // One question at a time: changes that come meanwhile are answered by one more.
        again = true
        if (busy) return
        busy = true
        while (again) {
          again = false
          await load()
        }
        busy = false
      },
      async loadMore() {
        const answer = await bridge.runs.list({ limit: PAGE, offset: get().runs.length })
        if (answer.ok) set((state) => ({ runs: merged(state.runs, answer.value.runs), total: answer.value.total }))
        else set({ error: answer.error })
      },
      clear: () =>
        set({ phase: 'loading', runs: [], total: 0, waiting: [], tab: 'all', text: '', workflow: null, focused: null, peek: false }),
      setTab: (tab) => set({ tab }),
      setText: (text) => set({ text }),
      setWorkflow: (workflow) => set({ workflow }),
      setFocused: (focused) => set({ focused }),
      setReading: (reading) => set({ reading }),
      setPeek: (peek) => set({ peek }),
      takeWaiting: () => set((state) => ({ runs: merged(state.runs, state.waiting), waiting: [] })),
    }
  })
}
