/**
 * What the page sees of the app: `window.reprise`. Import types only from here. Every question is answered with a Result and
 * never throws; every `on…` returns its unsubscribe.
 */
import type * as z from 'zod'
import type { Result } from '../result.ts'
import type { AppCommand, AppOpen, HistoryChanged, RunsChanged } from './events.ts'
import type { methods } from './index.ts'
import type { Settings } from './settings.ts'

export type Methods = typeof methods
export type MethodName = keyof Methods
/** What goes in, before it is parsed. */
export type InputOf<N extends MethodName> = z.input<Methods[N]['input']>
export type OutputOf<N extends MethodName> = z.output<Methods[N]['output']>
/** A method as the page calls it. */
export type Ask<N extends MethodName> =
  undefined extends InputOf<N> ? () => Promise<Result<OutputOf<N>>> : (input: InputOf<N>) => Promise<Result<OutputOf<N>>>

export type Unsubscribe = () => void

export interface Bridge {
  runs: {
    list: Ask<'runs.list'>
    show: Ask<'runs.show'>
    call: Ask<'runs.call'>
    value: Ask<'runs.value'>
    transcript: Ask<'runs.transcript'>
    preflight: Ask<'runs.preflight'>
    trust: Ask<'runs.trust'>
    launch: Ask<'runs.launch'>
    dryRun: Ask<'runs.dryRun'>
    plan: Ask<'runs.plan'>
    resume: Ask<'runs.resume'>
    stop: Ask<'runs.stop'>
    pause: Ask<'runs.pause'>
    decide: Ask<'runs.decide'>
    skip: Ask<'runs.skip'>
    retry: Ask<'runs.retry'>
    answer: Ask<'runs.answer'>
    export: Ask<'runs.export'>
    import: Ask<'runs.import'>
    remove: Ask<'runs.remove'>
    revealFile: Ask<'runs.revealFile'>
    revealShown: Ask<'runs.revealShown'>
    pin: Ask<'runs.pin'>
    worktrees: Ask<'runs.worktrees'>
    worktreeDiff: Ask<'runs.worktreeDiff'>
    applyWorktree: Ask<'runs.applyWorktree'>
    discardWorktree: Ask<'runs.discardWorktree'>
    openWorktree: Ask<'runs.openWorktree'>
    /** Follows one run until unsubscribed. */
    onChange(runId: string, listener: (change: RunsChanged) => void): Unsubscribe
  }
  history: {
    onChange(listener: (change: HistoryChanged) => void): Unsubscribe
  }
  agents: {
    list: Ask<'agents.list'>
    today: Ask<'agents.today'>
    test: Ask<'agents.test'>
    save: Ask<'agents.save'>
    remove: Ask<'agents.remove'>
    setSecret: Ask<'agents.setSecret'>
  }
  projects: {
    recent: Ask<'projects.recent'>
    current: Ask<'projects.current'>
    open: Ask<'projects.open'>
    forget: Ask<'projects.forget'>
    reveal: Ask<'projects.reveal'>
    check: Ask<'projects.check'>
    repair: Ask<'projects.repair'>
  }
  workflows: {
    list: Ask<'workflows.list'>
    check: Ask<'workflows.check'>
    save: Ask<'workflows.save'>
    openInEditor: Ask<'workflows.openInEditor'>
    create: Ask<'workflows.create'>
  }
  settings: {
    get: Ask<'settings.get'>
    set: Ask<'settings.set'>
    /** Also when the menu changed them. */
    onChange(listener: (settings: Settings) => void): Unsubscribe
  }
  dialogs: {
    openScript: Ask<'dialogs.openScript'>
    openProject: Ask<'dialogs.openProject'>
  }
  app: {
    info: Ask<'app.info'>
    inspectDrop: Ask<'app.inspectDrop'>
    openSample: Ask<'app.openSample'>
    ipcLog: Ask<'app.ipcLog'>
    /** Subscribing also says that the page is ready: what arrived before is delivered then. */
    onOpen(listener: (open: AppOpen) => void): Unsubscribe
    onCommand(listener: (command: AppCommand) => void): Unsubscribe
    /** Path of a dropped file; empty for one that is no file on disk. */
    pathForFile(file: File): string
  }
}

declare global {
  /** The DOM's own, as far as code without a DOM needs to name it. */
  interface File {
    readonly name: string
  }
  interface Window {
    readonly reprise: Bridge
  }
}
