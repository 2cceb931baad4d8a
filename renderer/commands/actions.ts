/** Things done to runs from buttons, menus and keys alike: opening, stopping, resuming, opening what was dropped. */
import type { ErrorData } from '../../shared/errors.ts'
import { isLive } from '../../shared/run/status.ts'
import type { RunSummary, RunView } from '../../shared/run/view.ts'
import type { Opened } from '../store/bridge.ts'
import type { Stores } from '../store/stores.ts'
import { counted } from '../words/quantity.ts'
import { saved } from '../words/run-words.ts'

type Named = Pick<RunView, 'runId' | 'title' | 'number'>

export function openRun(stores: Stores, runId: string): void {
  stores.window.getState().go({ name: 'run', runId })
}

export function openResume(stores: Stores, run: Named): void {
  stores.window.getState().openSheet({ name: 'resume', runId: run.runId, title: run.title, number: run.number })
}

/** Why the open run can't be resumed, null when it can. */
export function whyNoResume(view: RunView | null, stale: boolean): string | null {
  if (view === null) return 'The run is not loaded'
  if (stale) return 'Off until updates return'
  if (view.allowedActions.includes('resume')) return null
  return isLive(view.status) ? 'It is still running' : 'It has completed'
}

export function whyNoStop(view: RunView | null, stale: boolean): string | null {
  if (view === null) return 'The run is not loaded'
  if (stale) return 'Off until updates return'
  return view.allowedActions.includes('stop') ? null : 'It is not running'
}

export function canResume(run: RunSummary): boolean {
  return run.damaged === null && !isLive(run.status) && run.status !== 'completed'
}

export function showError(stores: Stores, error: ErrorData): void {
  stores.window.getState().showToast({ text: error.message, action: null })
  stores.window.getState().say(error.message, 'assertive')
}

/** Asks nothing: what is finished is saved, and the toast has the way back. */
export async function stopRun(stores: Stores, run: Named & Pick<RunView, 'counts'>): Promise<void> {
  const answer = await stores.bridge.stop(run.runId)
  if (!answer.ok) return showError(stores, answer.error)
  const text = `Stopped ${run.title} #${run.number}. ${counted(saved(run.counts), 'result')} saved.`
  stores.window.getState().showToast({ text, action: { label: 'Resume', run: () => openResume(stores, run) } })
  stores.window.getState().say(text)
}

export async function chooseProject(stores: Stores): Promise<void> {
  const answer = await stores.bridge.chooseProject()
  if (answer.ok) takeOpened(stores, { kind: 'project', state: answer.value })
  else showError(stores, answer.error)
}

/** Goes on with whatever a drop or a dialog gave. A script opens the new-run sheet; nothing runs by being dropped. */
export function takeOpened(stores: Stores, opened: Opened): void {
  const store = stores.window.getState()
  switch (opened.kind) {
    case 'project':
      store.setProject(opened.state)
      void stores.history.getState().load()
      return
    case 'script':
      store.openSheet({ name: 'new-run', target: { path: opened.path } })
      return
    case 'run':
      openRun(stores, opened.runId)
      return
    case 'refused': {
      const text = `“${opened.name}” is neither a project folder, nor a workflow script, nor an exported run. Nothing was opened.`
      store.showToast({ text, action: null })
      store.say(text, 'assertive')
    }
  }
}
