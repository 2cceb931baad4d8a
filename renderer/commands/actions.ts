/** Things done to runs from buttons, menus and keys alike: opening, stopping, resuming, opening what was dropped. */
import type { InputOf } from '../../shared/contract/bridge.ts'
import type { Project } from '../../shared/contract/projects.ts'
import type { ErrorData } from '../../shared/errors.ts'
import type { RunId } from '../../shared/ids.ts'
import type { Result } from '../../shared/result.ts'
import { isLive } from '../../shared/run/status.ts'
import type { RunSummary, RunView } from '../../shared/run/view.ts'
import type { Stores } from '../store/stores.ts'
import { counted } from '../words/quantity.ts'
import { saved } from '../words/run-words.ts'

type Named = Pick<RunView, 'runId' | 'title' | 'number'>

export function openRun(stores: Stores, runId: string): void {
  stores.window.getState().go({ name: 'run', runId })
}

export function openResume(stores: Stores, run: Named, from?: number): void {
  stores.window.getState().openSheet({ name: 'resume', runId: run.runId, title: run.title, number: run.number, from })
}

/** One attempt of the open run; the newest one goes on live. */
export async function showAttempt(stores: Stores, attempt: number): Promise<void> {
  const error = await stores.run.getState().showAttempt(attempt)
  if (error !== null) return showError(stores, error)
  const { past, view } = stores.run.getState()
  const all = view?.attempts.length ?? attempt
  stores.window.getState().say(past === null ? `Attempt ${attempt} of ${all}, the newest` : `Attempt ${attempt} of ${all}, read-only`)
}

/** Opens a run where a link, a notification or a search points: at an attempt of it, at a call in that. */
export async function openPlace(stores: Stores, place: { runId: string; attempt: number | null; call: number | null }): Promise<void> {
  openRun(stores, place.runId)
  const run = stores.run.getState()
  await run.open(place.runId)
  if (place.attempt !== null) await showAttempt(stores, place.attempt)
  if (place.call === null) return
  stores.window.getState().setInspector(true)
  run.select(`call:${place.call}`)
}

export function linkTo(run: { runId: string }, attempt?: number, call?: number): string {
  return ['reprise://run', run.runId, attempt, call].filter((part) => part !== undefined).join('/')
}

export async function copyText(stores: Stores, text: string, said: string): Promise<void> {
  await navigator.clipboard.writeText(text)
  stores.window.getState().showToast({ text: said, action: null })
  stores.window.getState().say(said)
}

export function copyLink(stores: Stores, run: Named): Promise<void> {
  return copyText(stores, linkTo(run), `Link to ${run.title} #${run.number} copied.`)
}

/** Why the open run can't be resumed, null when it can. */
export function whyNoResume(view: RunView | null, stale: boolean): string | null {
  if (view === null) return 'The run is not loaded'
  if (stale) return 'Off until updates return'
  if (isPast(view)) return PAST
  if (view.allowedActions.includes('resume')) return null
  return isLive(view.status) ? 'It is still running' : 'It has completed'
}

export function whyNoStop(view: RunView | null, stale: boolean): string | null {
  if (view === null) return 'The run is not loaded'
  if (stale) return 'Off until updates return'
  if (isPast(view)) return PAST
  return view.allowedActions.includes('stop') ? null : 'It is not running'
}

const PAST = 'An earlier attempt is read-only'

/** An attempt after which there was another one. */
export function isPast(view: RunView): boolean {
  return view.attempts.some(({ attempt }) => attempt > view.attempt)
}

export function canResume(run: RunSummary): boolean {
  return run.damaged === null && !isLive(run.status) && run.status !== 'completed'
}

export function showError(stores: Stores, error: ErrorData): void {
  stores.window.getState().showToast({ text: error.message, action: null })
  stores.window.getState().say(error.message, 'assertive')
}

/** Goes on at once, without the sheet. Where something has to be asked or was refused, the sheet opens and says so. */
export async function resumeNow(stores: Stores, run: Named, more: { budget?: number; maxCost?: number }): Promise<void> {
  const answer = await stores.bridge.runs.resume({ runId: run.runId, ...more })
  if (!answer.ok) {
    showError(stores, answer.error)
    return openResume(stores, run)
  }
  openRun(stores, run.runId)
  const said = `${run.title} #${run.number} goes on.`
  stores.window.getState().showToast({ text: said, action: null })
  stores.window.getState().say(said)
  await stores.run.getState().refetch()
}

/** Asks nothing: what is finished is saved, and the toast has the way back. */
export async function stopRun(stores: Stores, run: Named & Pick<RunView, 'counts'>): Promise<void> {
  const answer = await stores.bridge.runs.stop({ runId: run.runId, how: 'keep' })
  if (!answer.ok) return showError(stores, answer.error)
  const text = `Stopped ${run.title} #${run.number}. ${counted(saved(run.counts), 'result')} saved.`
  stores.window.getState().showToast({ text, action: { label: 'Resume', run: () => openResume(stores, run) } })
  stores.window.getState().say(text)
}

type OfCall = { callId: number; label: string | null; title: string }

/** Says what became of a word on one call; an error or an owner that is silent is said too. */
function tellOutcome(stores: Stores, answer: Result<'accepted' | 'ended' | 'refused' | 'no-answer'>, done: string, name: string): void {
  if (!answer.ok) return showError(stores, answer.error)
  const words = {
    accepted: done,
    ended: `${name} had ended already. Nothing was changed.`,
    refused: `${name} can't be changed any more. Nothing was changed.`,
    'no-answer': 'The process that runs it does not answer. Nothing was changed.',
  }
  stores.window.getState().showToast({ text: words[answer.value], action: null })
  stores.window.getState().say(words[answer.value])
}

export async function skipCall(stores: Stores, run: Named, call: OfCall): Promise<void> {
  const name = `“${call.label ?? call.title}”`
  const answer = await stores.bridge.runs.skip({ runId: run.runId, callId: call.callId })
  tellOutcome(stores, answer, `Skipped ${name}. The script gets null for it.`, name)
}

export async function retryCall(stores: Stores, run: Named, call: OfCall): Promise<void> {
  const name = `“${call.label ?? call.title}”`
  const answer = await stores.bridge.runs.retry({ runId: run.runId, callId: call.callId })
  tellOutcome(stores, answer, `Started ${name} again.`, name)
}

export type PermissionChoice = InputOf<'runs.answer'>['answer']

export async function answerQuestion(
  stores: Stores,
  run: Named,
  { call, question }: { call: OfCall; question: { question: string; tool: string } },
  choice: PermissionChoice,
): Promise<void> {
  const name = `“${call.label ?? call.title}”`
  const answer = await stores.bridge.runs.answer({ runId: run.runId, question: question.question, answer: choice })
  const done = {
    'allow-once': `Allowed ${question.tool} once for ${name}.`,
    'allow-always': `Allowed ${question.tool}. It is not asked for again in this attempt.`,
    deny: `Denied ${question.tool} for ${name}.`,
  }
  tellOutcome(stores, answer, done[choice], name)
}

/** Asks first: what goes can't be replayed again. */
export function askDelete(stores: Stores, run: Named & Pick<RunView, 'counts'>): void {
  const n = saved(run.counts)
  const results = n === 0 ? 'It has no saved result.' : `Its ${counted(n, 'result')} can't be replayed again.`
  stores.window.getState().openSheet({
    name: 'confirm',
    question: {
      title: `Delete ${run.title} #${run.number}?`,
      text: `${results} The folder goes to the system's trash.`,
      yes: 'Delete run',
      no: 'Keep',
      go: () => void deleteRun(stores, run),
    },
  })
}

async function deleteRun(stores: Stores, run: Named): Promise<void> {
  const answer = await stores.bridge.runs.remove({ runIds: [run.runId as RunId] })
  if (!answer.ok) return showError(stores, answer.error)
  const { page } = stores.window.getState()
  if (page.name === 'run' && page.runId === run.runId) stores.window.getState().go({ name: 'home' })
  const text = `${run.title} #${run.number} is in the trash.`
  stores.window.getState().showToast({ text, action: null })
  stores.window.getState().say(text)
  await stores.history.getState().load()
}

export async function exportRun(stores: Stores, run: Named, redact: boolean): Promise<void> {
  const answer = await stores.bridge.runs.export({ runId: run.runId, redact })
  if (!answer.ok) return showError(stores, answer.error)
  if (answer.value === null) return
  const text = `Exported ${run.title} #${run.number}${answer.value.redacted ? ' without its secrets' : ''}.`
  stores.window.getState().showToast({ text, action: null })
  stores.window.getState().say(text)
}

/** Takes in an exported run and opens it. */
export async function importRun(stores: Stores, path: string): Promise<void> {
  const answer = await stores.bridge.runs.import({ path })
  if (!answer.ok) return showError(stores, answer.error)
  await stores.history.getState().load()
  openRun(stores, answer.value.runId)
  const text = `Imported ${answer.value.title} #${answer.value.number}${answer.value.redacted ? ', to be looked at only' : ''}.`
  stores.window.getState().showToast({ text, action: null })
  stores.window.getState().say(text)
}

export async function revealFile(stores: Stores, runId: string, file: 'folder' | 'journal' | 'source'): Promise<void> {
  const answer = await stores.bridge.runs.revealFile({ runId, file })
  if (!answer.ok) showError(stores, answer.error)
}

/** A run that is kept stays whatever its age, and can't be deleted until it is let go. */
export async function keepRun(stores: Stores, run: Named, kept: boolean): Promise<void> {
  const answer = await stores.bridge.runs.pin({ runId: run.runId as RunId, pinned: kept })
  if (!answer.ok) return showError(stores, answer.error)
  const text = kept ? `${run.title} #${run.number} is kept whatever its age.` : `${run.title} #${run.number} may go when it is old.`
  stores.window.getState().showToast({ text, action: null })
  stores.window.getState().say(text)
  await Promise.all([stores.history.getState().load(), stores.run.getState().refetch()])
}

/** What is running is paid for, so it finishes first. */
export async function pauseRun(stores: Stores, run: Named): Promise<void> {
  const answer = await stores.bridge.runs.pause({ runId: run.runId })
  if (!answer.ok) return showError(stores, answer.error)
  const text = `Pausing ${run.title} #${run.number}. Running calls finish first.`
  stores.window.getState().showToast({ text, action: null })
  stores.window.getState().say(text)
}

/** Gives a gate its choice, and says what became of it; else why nothing was decided. `seen`: hash of the text that was read. */
export async function decideGate(
  stores: Stores,
  run: Named,
  call: { callId: number; label: string | null; title: string },
  { choice, note, seen }: { choice: string; note: string; seen: string | null },
): Promise<ErrorData | null> {
  const said = note.trim()
  const answer = await stores.bridge.runs.decide({
    runId: run.runId,
    callId: call.callId,
    choice,
    ...(said !== '' && { note: said }),
    ...(seen !== null && { seen }),
  })
  if (!answer.ok) {
    stores.window.getState().say(answer.error.message, 'assertive')
    return answer.error
  }
  const gate = `“${call.label ?? call.title}”`
  const text = answer.value === 'already-decided' ? `${gate} was decided before; that decision stands.` : `Decided ${gate}: ${choice}.`
  const action = answer.value === 'saved' ? { label: 'Resume', run: () => openResume(stores, run) } : null
  stores.window.getState().showToast({ text, action })
  stores.window.getState().say(text)
  return null
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

/** Writes a small workflow that runs as it is, and opens its text. */
export async function createWorkflow(stores: Stores): Promise<void> {
  const taken = new Set(stores.window.getState().workflows.map((workflow) => workflow.name))
  const name = ['my-workflow', ...Array.from({ length: 99 }, (_, index) => `my-workflow-${index + 2}`)].find((one) => !taken.has(one))
  if (name === undefined) return refuse(stores, 'There are a hundred workflows from the template already. Edit one of them.')
  const answer = await stores.bridge.workflows.create({ name })
  if (!answer.ok) return showError(stores, answer.error)
  await stores.window.getState().loadWorkflows()
  stores.window.getState().go({ name: 'workflow', path: answer.value.path, line: null })
}

export async function openInEditor(stores: Stores, path: string): Promise<void> {
  const answer = await stores.bridge.workflows.openInEditor({ path })
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
    case 'bundle':
      return importRun(stores, answer.value.path)
    case 'refused':
      return refuse(stores, answer.value.message)
  }
}

export function refuse(stores: Stores, message: string): void {
  stores.window.getState().showToast({ text: message, action: null })
  stores.window.getState().say(message, 'assertive')
}
