/** What this window shows: page, sheet, inspector, toast, and what is said aloud. */
import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { ErrorData } from '../../shared/errors.ts'
import type { Bridge, Preflight, ProjectState, Target } from './bridge.ts'

export type Page = { name: 'home' } | { name: 'run'; runId: string }

export type Sheet =
  | { name: 'new-run'; target: Target | null }
  | { name: 'trust'; preflight: Preflight; go: () => void }
  | { name: 'resume'; runId: string; title: string; number: number }
  | { name: 'keys' }
  | { name: 'commands' }

export interface Toast {
  text: string
  action: { label: string; run: () => void } | null
}

export interface WindowState {
  project: ProjectState | null
  projectError: ErrorData | null
  page: Page
  /** The topmost one is last; a sheet that asks something on the way lies over the one that led to it. */
  sheets: Sheet[]
  inspector: boolean
  inspectorWidth: number
  toast: Toast | null
  polite: string
  assertive: string
  loadProject(): Promise<void>
  setProject(project: ProjectState): void
  go(page: Page): void
  openSheet(sheet: Sheet): void
  closeSheet(): void
  setInspector(open: boolean): void
  setInspectorWidth(px: number): void
  showToast(toast: Toast | null): void
  say(text: string, how?: 'polite' | 'assertive'): void
}

/** A screen reader says nothing when a region's text does not change, so a repeat says that it is one. */
export function spoken(before: string, text: string): string {
  return before === text ? `${text}, again` : text
}

export function createWindowStore(bridge: Bridge): StoreApi<WindowState> {
  return createStore<WindowState>()((set) => ({
    project: null,
    projectError: null,
    page: { name: 'home' },
    sheets: [],
    inspector: true,
    inspectorWidth: 336,
    toast: null,
    polite: '',
    assertive: '',
    async loadProject() {
      const answer = await bridge.project()
      set(answer.ok ? { project: answer.value, projectError: null } : { projectError: answer.error })
    },
    setProject: (project) => set({ project, projectError: null, page: { name: 'home' } }),
    go: (page) => set({ page }),
    openSheet: (sheet) => set((state) => ({ sheets: [...state.sheets.filter((open) => open.name !== sheet.name), sheet] })),
    closeSheet: () => set((state) => ({ sheets: state.sheets.slice(0, -1) })),
    setInspector: (inspector) => set({ inspector }),
    setInspectorWidth: (px) => set({ inspectorWidth: Math.min(560, Math.max(320, Math.round(px))) }),
    showToast: (toast) => set({ toast }),
    say: (text, how = 'polite') =>
      set((state) => (how === 'polite' ? { polite: spoken(state.polite, text) } : { assertive: spoken(state.assertive, text) })),
  }))
}
