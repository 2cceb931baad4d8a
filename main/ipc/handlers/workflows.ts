/** Named workflows: the scripts of the project's and the user's `.claude/workflows`, each with what its `meta` says. */
import { shell } from 'electron'
import type { Workflow } from '../../../shared/contract/workflows.ts'
import { AppError } from '../../../shared/errors.ts'
import type { Projects } from '../../projects.ts'
import { type WorkflowPlace, workflowPlaces } from '../../service/named-workflows.ts'
import type { Service } from '../../service/service.ts'
import type { Handlers } from '../validated-ipc.ts'

type WorkflowHandlers = Pick<Handlers, Extract<keyof Handlers, `workflows.${string}`>>

export function workflowHandlers(service: Service, projects: Projects): WorkflowHandlers {
  return {
    'workflows.list': () => {
      const project = projects.requireCurrent()
      return Promise.all(workflowPlaces(project).map((place) => describe(service, project, place)))
    },
    'workflows.check': ({ path, text }) => service.checkText(projects.requireCurrent(), path, text),
    'workflows.save': ({ path, text, seen }) => service.saveText(projects.requireCurrent(), path, text, seen),
    'workflows.create': async ({ name }) => ({ path: await service.newWorkflow(projects.requireCurrent(), name) }),
    'workflows.openInEditor': async ({ path }) => {
      // Only what can be read as a script is handed to the system, never a program.
      const script = await service.preflight(projects.requireCurrent(), { path }, undefined)
      const problem = await shell.openPath(script.path)
      if (problem !== '') throw new AppError('file-unreadable', `${script.path} could not be opened: ${problem}`)
      return null
    },
  }
}

async function describe(service: Service, project: string, place: WorkflowPlace): Promise<Workflow> {
  try {
    const { description, phases, diagnostics } = await service.preflight(project, { path: place.path }, undefined)
    return { ...place, description, phases, problem: diagnostics.find((one) => one.severity === 'error')?.message ?? null }
  } catch (thrown) {
    return { ...place, description: null, phases: [], problem: AppError.wrap(thrown).message }
  }
}
