/** What this window shows: page, sheet, inspector, toast, and what is said aloud. */
import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { AppInfo } from '../../shared/contract/app.ts'
import type { Bridge } from '../../shared/contract/bridge.ts'
import type { Project } from '../../shared/contract/projects.ts'
import type { Preflight } from '../../shared/contract/runs.ts'
import type { Settings, SettingsChange } from '../../shared/contract/settings.ts'
import { DEFAULT_SETTINGS } from '../../shared/contract/settings.ts'
import type { Workflow } from '../../shared/contract/workflows.ts'
import type { ErrorData } from '../../shared/errors.ts'

export type Target = { path: string } | { name: string }

export type Page =
  | { name: 'home' }
  | { name: 'run'; runId: string }
  | { name: 'settings' }
  /** The script of a workflow, with the cursor at a line (from 1) when one was asked for. */
  | { name: 'workflow'; path: string; line: number | null }

export type Sheet =
  | { name: 'new-run'; target: Target | null; agent?: string | undefined }
  | { name: 'trust'; preflight: Preflight; go: () => void }
  /** `from`: begins with that call as the first one to run again. */
  | { name: 'resume'; runId: string; title: string; number: number; from?: number | undefined }
  | { name: 'gate'; runId: string; callId: number }
  | { name: 'confirm'; question: Question }
  | { name: 'keys' }
  | { name: 'commands' }

/** Asked before what can't be undone. */
export interface Question {
  title: string
  text: string
  /** The words of the two buttons: doing it, and leaving everything as it is. */
  yes: string
  no: string
  go: () => void
}

export interface Toast {
  text: string
  action: { label: string; run: () => void } | null
}

export interface WindowState {
  /** False until the first answers are there; nothing is shown before, so nothing flashes. */
  ready: boolean
  info: AppInfo | null
  settings: Settings
  project: Project | null
  recent: Project[]
  workflows: Workflow[]
  /** Why the project can't be used. */
  projectError: ErrorData | null
  page: Page
  /** Pages to go back to, the last one first. */
  before: readonly Page[]
  /** The topmost one is last; a sheet that asks something on the way lies over the one that led to it. */
  sheets: Sheet[]
  inspector: boolean
  /** Null until somebody changed it. */
  inspectorWidth: number | null
  toast: Toast | null
  polite: string
  assertive: string
  load(): Promise<void>
  loadWorkflows(): Promise<void>
  /** The project that is open from now on. */
  setProject(project: Project): void
  changeSettings(change: SettingsChange): Promise<void>
  go(page: Page): void
  /** To the page that was shown before, else home. */
  back(): void
  openSheet(sheet: Sheet): void
  closeSheet(): void
  setInspector(open: boolean): void
  setInspectorWidth(px: number): void
  showToast(toast: Toast | null): void
  say(text: string, how?: 'polite' | 'assertive'): void
}

const MOST_BACK = 20

function samePage(a: Page, b: Page): boolean {
  if (a.name === 'run' && b.name === 'run') return a.runId === b.runId
  if (a.name === 'workflow' && b.name === 'workflow') return a.path === b.path
  return a.name === b.name
}

/** A screen reader says nothing when a region's text does not change, so a repeat says that it is one. */
export function spoken(before: string, text: string): string {
  return before === text ? `${text}, again` : text
}

export function createWindowStore(bridge: Bridge): StoreApi<WindowState> {
  return createStore<WindowState>()((set, get) => ({
    ready: false,
    info: null,
    settings: DEFAULT_SETTINGS,
    project: null,
    recent: [],
    workflows: [],
    projectError: null,
    page: { name: 'home' },
    before: [],
    sheets: [],
    inspector: true,
    inspectorWidth: null,
    toast: null,
    polite: '',
    assertive: '',
    async load() {
      const [info, settings, current, recent] = await Promise.all([
        bridge.app.info(),
        bridge.settings.get(),
        bridge.projects.current(),
        bridge.projects.recent(),
      ])
      set({
        ready: true,
        info: info.ok ? info.value : null,
        settings: settings.ok ? settings.value : DEFAULT_SETTINGS,
        project: current.ok ? current.value : null,
        recent: recent.ok ? recent.value : [],
        projectError: current.ok ? null : current.error,
      })
      if (get().project !== null) await get().loadWorkflows()
    },
    async loadWorkflows() {
      const answer = await bridge.workflows.list()
      if (answer.ok) set({ workflows: answer.value })
    },
    setProject(project) {
      set((state) => ({
        project,
        projectError: null,
        page: { name: 'home' },
        before: [],
        workflows: [],
        recent: [project, ...state.recent.filter((known) => known.path !== project.path)],
      }))
      void get().loadWorkflows()
    },
    async changeSettings(change) {
      const answer = await bridge.settings.set(change)
      if (answer.ok) set({ settings: answer.value })
    },
    go: (page) =>
      set((state) =>
        samePage(state.page, page)
          ? { page, toast: null }
          : { page, before: [state.page, ...state.before].slice(0, MOST_BACK), toast: null },
      ),
    back: () => set((state) => ({ page: state.before[0] ?? { name: 'home' }, before: state.before.slice(1), toast: null })),
    openSheet: (sheet) => set((state) => ({ sheets: [...state.sheets.filter((open) => open.name !== sheet.name), sheet], toast: null })),
    closeSheet: () => set((state) => ({ sheets: state.sheets.slice(0, -1) })),
    setInspector: (inspector) => set({ inspector }),
    setInspectorWidth: (px) => set({ inspectorWidth: Math.min(560, Math.max(320, Math.round(px))) }),
    showToast: (toast) => set({ toast }),
    say: (text, how = 'polite') =>
      set((state) => (how === 'polite' ? { polite: spoken(state.polite, text) } : { assertive: spoken(state.assertive, text) })),
  }))
}
