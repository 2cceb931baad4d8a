/** The whole surface between page and main process: every method by its name. The one barrel of the code base. */
import * as agents from './agents.ts'
import * as app from './app.ts'
import * as dialogs from './dialogs.ts'
import type { Method } from './method.ts'
import * as projects from './projects.ts'
import * as runs from './runs.ts'
import * as settings from './settings.ts'
import * as workflows from './workflows.ts'
import * as worktrees from './worktrees.ts'

type ByName<M extends Method> = { readonly [N in M['name']]: Extract<M, { readonly name: N }> }

function byName<const L extends readonly Method[]>(...list: L): ByName<L[number]> {
  return Object.fromEntries(list.map((one) => [one.name, one])) as ByName<L[number]>
}

export const methods = byName(
  runs.list,
  runs.show,
  runs.call,
  runs.value,
  runs.preflight,
  runs.trust,
  runs.launch,
  runs.dryRun,
  runs.plan,
  runs.resume,
  runs.stop,
  runs.pause,
  runs.decide,
  runs.skip,
  runs.retry,
  runs.answer,
  runs.exportRun,
  runs.importRun,
  runs.remove,
  runs.revealFile,
  runs.revealShown,
  runs.pin,
  worktrees.worktrees,
  worktrees.worktreeDiff,
  worktrees.applyWorktree,
  worktrees.discardWorktree,
  worktrees.openWorktree,
  runs.transcript,
  runs.watch,
  runs.unwatch,
  agents.list,
  agents.today,
  agents.test,
  agents.save,
  agents.remove,
  agents.setSecret,
  projects.recent,
  projects.current,
  projects.open,
  projects.forget,
  projects.reveal,
  projects.check,
  projects.repair,
  workflows.list,
  workflows.check,
  workflows.save,
  workflows.openInEditor,
  workflows.create,
  settings.get,
  settings.set,
  dialogs.openScript,
  dialogs.openProject,
  app.info,
  app.inspectDrop,
  app.openSample,
  app.ipcLog,
)

export { events } from './events.ts'
