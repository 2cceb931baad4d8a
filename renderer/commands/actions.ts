/** Things done to runs from buttons, menus and keys alike: opening, stopping, resuming, opening what was dropped. */
import type { Project } from '../../shared/contract/projects.ts'
import type { ErrorData } from '../../shared/errors.ts'
import { isLive } from '../../shared/run/status.ts'
import type { RunSummary, RunView } from '../../shared/run/view.ts'
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
  const answer = await stores.bridge.runs.stop({ runId: run.runId, how: 'keep' })
  if (!answer.ok) return showError(stores, answer.error)
  const text = `Stopped ${run.title} #${run.number}. ${counted(saved(run.counts), 'result')} saved.`
  stores.window.getState().showToast({ text, action: { label: 'Resume', run: () => openResume(stores, run) } })
  stores.window.getState().say(text)
}

/** What is running is paid for, so it finishes first. */
export async function pauseRun(stores: Stores, run: Named): Promise<void> {
  const answer = await stores.bridge.runs.pause({ runId: run.runId })
  if (!answer.ok) return showError(stores, answer.error)
  const text = `Pausing ${run.title} #${run.number}. Running calls finish first.`
  stores.window.getState().showToast({ text, action: null })
  stores.window.getState().say(text)
}

/** Gives a gate its choice, and says what became of it. False when nothing was decided. */
export async function decideGate(
  stores: Stores,
  run: Named,
  call: { callId: number; label: string | null; title: string },
  { choice, note }: { choice: string; note: string },
): Promise<boolean> {
  const said = note.trim()
  const answer = await stores.bridge.runs.decide({ runId: run.runId, callId: call.callId, choice, ...(said !== '' && { note: said }) })
  if (!answer.ok) {
    showError(stores, answer.error)
    return false
  }
  const gate = `“${call.label ?? call.title}”`
  const text = answer.value === 'already-decided' ? `${gate} was decided before; that decision stands.` : `Decided ${gate}: ${choice}.`
  const action = answer.value === 'saved' ? { label: 'Resume', run: () => openResume(stores, run) } : null
  stores.window.getState().showToast({ text, action })
  stores.window.getState().say(text)
  return true
}

export async function chooseProject(stores: Stores): Promise<void> {
  const answer = await stores.bridge.dialogs.openProject()
  if (!answer.ok) return showError(stores, answer.error)
  if (answer.value !== null) await openProject(stores, answer.value.path)
}

export async function openProject(stores: Stores, path: string): Promise<void> {
  const answer = await stores.bridge.projects.open({ path })
  if (answer.ok) showProject(stores, answer.value)
  else showError(stores, answer.error)
}

/** The project is open already, the window goes along. */
export function showProject(stores: Stores, project: Project): void {
  stores.history.getState().clear()
  stores.run.getState().close()
  stores.window.getState().setProject(project)
  void stores.history.getState().load()
}

/** Shows the project's folder in the system's file manager. */
export async function reveal(stores: Stores): Promise<void> {
  const answer = await stores.bridge.projects.reveal({ what: 'project' })
  if (!answer.ok) showError(stores, answer.error)
}

export async function chooseScript(stores: Stores): Promise<void> {
  const answer = await stores.bridge.dialogs.openScript()
  if (!answer.ok) return showError(stores, answer.error)
  if (answer.value !== null) stores.window.getState().openSheet({ name: 'new-run', target: { path: answer.value.path } })
}

/** What it opens arrives as anything that is opened from outside. */
export async function openSample(stores: Stores): Promise<void> {
  const answer = await stores.bridge.app.openSample()
  if (!answer.ok) showError(stores, answer.error)
}

/** A dropped folder is opened, a dropped script opens the new-run sheet; nothing runs by being dropped. */
export async function takeDrop(stores: Stores, files: readonly File[]): Promise<void> {
  const paths = files.map((file) => stores.bridge.app.pathForFile(file)).filter((path) => path !== '')
  if (paths.length === 0) return refuse(stores, 'What was dropped is no file on this machine. Nothing was opened.')
  const answer = await stores.bridge.app.inspectDrop({ paths })
  if (!answer.ok) return showError(stores, answer.error)
  switch (answer.value.kind) {
    case 'project':
      return openProject(stores, answer.value.path)
    case 'script':
      return stores.window.getState().openSheet({ name: 'new-run', target: { path: answer.value.path } })
    case 'refused':
      return refuse(stores, answer.value.message)
  }
}

export function refuse(stores: Stores, message: string): void {
  stores.window.getState().showToast({ text: message, action: null })
  stores.window.getState().say(message, 'assertive')
}
