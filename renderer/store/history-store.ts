/** The list of runs: all pages, kept up to date by changes. Newcomers wait behind a pill while somebody reads the list. */
import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { ErrorData } from '../../shared/errors.ts'
import { needsYou } from '../../shared/run/status.ts'
import type { RunSummary } from '../../shared/run/view.ts'
import type { Bridge } from './bridge.ts'

const PAGE = 200
/** Older runs than these are fetched on demand. */
const EAGER = 2000

export const TABS = ['all', 'running', 'needs-you', 'failed'] as const
export type Tab = (typeof TABS)[number]

export interface HistoryState {
  phase: 'loading' | 'ready' | 'failed'
  error: ErrorData | null
  /** Newest first. */
  runs: RunSummary[]
  total: number
  /** Arrived while the list was being read. */
  waiting: RunSummary[]
  /** True while a person works in the list, so that rows must not move. */
  reading: boolean
  tab: Tab
  text: string
  /** Path of one workflow, null for all. */
  workflow: string | null
  load(): Promise<void>
  loadMore(): Promise<void>
  setTab(tab: Tab): void
  setText(text: string): void
  setWorkflow(path: string | null): void
  setReading(reading: boolean): void
  takeWaiting(): void
}

export function inTab(run: RunSummary, tab: Tab): boolean {
  if (tab === 'all') return true
  if (tab === 'running') return run.status === 'running' || run.status === 'queued'
  if (tab === 'needs-you') return needsYou(run.status)
  return run.status === 'failed' || run.counts.dead > 0
}

/** True when every word of `text` occurs in the run's name, number, path or sentence. */
export function matches(run: RunSummary, text: string): boolean {
  const hay = `${run.title} #${run.number} ${run.sentence} ${run.currentPhase ?? ''} ${run.strip.map((cell) => cell.title).join(' ')}`.toLowerCase()
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

function merged(runs: readonly RunSummary[], more: readonly RunSummary[]): RunSummary[] {
  const byId = new Map([...runs, ...more].map((run) => [run.runId, run]))
  return [...byId.values()].sort((a, b) => b.startedAt - a.startedAt || b.number - a.number)
}

export function createHistoryStore(bridge: Bridge): StoreApi<HistoryState> {
  return createStore<HistoryState>()((set, get) => {
    const page = async (offset: number) => {
      const answer = await bridge.list({ limit: PAGE, offset })
      if (!answer.ok) {
        set({ phase: 'failed', error: answer.error })
        return 0
      }
      set((state) => ({
        phase: 'ready',
        error: null,
        runs: offset === 0 ? answer.value.runs : merged(state.runs, answer.value.runs),
        waiting: [],
        total: answer.value.total,
      }))
      return answer.value.runs.length
    }
    bridge.onHistory((change) => {
      if (change.kind === 'reload') void get().load()
      else if (change.kind === 'removed')
        set((state) => ({
          runs: state.runs.filter((run) => run.runId !== change.runId),
          waiting: state.waiting.filter((run) => run.runId !== change.runId),
          total: Math.max(0, state.total - 1),
        }))
      else
        set((state) => {
          const known = state.runs.some((run) => run.runId === change.run.runId)
          if (!known && state.reading) return { waiting: merged(state.waiting, [change.run]) }
          return { runs: merged(state.runs, [change.run]), total: known ? state.total : state.total + 1 }
        })
    })
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
      async load() {
        let offset = 0
        for (;;) {
          const got = await page(offset)
          offset += got
          if (got < PAGE || offset >= EAGER || offset >= get().total) return
        }
      },
      async loadMore() {
        await page(get().runs.length)
      },
      setTab: (tab) => set({ tab }),
      setText: (text) => set({ text }),
      setWorkflow: (workflow) => set({ workflow }),
      setReading: (reading) => set({ reading }),
      takeWaiting: () =>
        set((state) => ({ runs: merged(state.runs, state.waiting), total: state.total + state.waiting.length, waiting: [] })),
    }
  })
}
