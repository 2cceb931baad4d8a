/** Named workflows: the scripts of the project's and the user's `.claude/workflows`, each with what its `meta` says. */
import type { Workflow } from '../../../shared/contract/workflows.ts'
import { AppError } from '../../../shared/errors.ts'
import type { Projects } from '../../projects.ts'
import { type WorkflowPlace, workflowPlaces } from '../../service/named-workflows.ts'
import type { Service } from '../../service/service.ts'
import type { Handlers } from '../validated-ipc.ts'

export function workflowHandlers(service: Service, projects: Projects): Pick<Handlers, 'workflows.list'> {
  return {
    'workflows.list': () => {
      const project = projects.requireCurrent()
      return Promise.all(workflowPlaces(project).map((place) => describe(service, project, place)))
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
