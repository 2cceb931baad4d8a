/** Named workflows: the scripts of the project's and the user's `.claude/workflows`, each with what its `meta` says. */
import { readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { extname, join } from 'node:path'
import type { Workflow } from '../../../shared/contract/workflows.ts'
import { AppError } from '../../../shared/errors.ts'
import type { Projects } from '../../projects.ts'
import type { Service } from '../../service/service.ts'
import type { Handlers } from '../validated-ipc.ts'

const ENDINGS = ['.ts', '.js', '.mjs']

interface Place {
  name: string
  path: string
  scope: Workflow['scope']
}

export function workflowHandlers(service: Service, projects: Projects): Pick<Handlers, 'workflows.list'> {
  return {
    'workflows.list': async () => {
      const project = projects.requireCurrent()
      const own = scriptsIn(join(project, '.claude', 'workflows'), 'project')
      const ownNames = new Set(own.map((place) => place.name))
      // A project's workflow hides the user's of the same name, as it does when run by name.
      const shared = scriptsIn(join(homedir(), '.claude', 'workflows'), 'user').filter((place) => !ownNames.has(place.name))
      return Promise.all([...own, ...shared].map((place) => describe(service, project, place)))
    },
  }
}

function scriptsIn(folder: string, scope: Workflow['scope']): Place[] {
  let entries: string[]
  try {
    entries = readdirSync(folder).sort()
  } catch {
    return [] // no such folder: no workflows of this scope
  }
  return entries
    .filter((entry) => ENDINGS.includes(extname(entry)))
    .map((entry) => ({ name: entry.slice(0, -extname(entry).length).replace(/\.workflow$/, ''), path: join(folder, entry), scope }))
}

async function describe(service: Service, project: string, place: Place): Promise<Workflow> {
  try {
    const { description, phases, diagnostics } = await service.preflight(project, { path: place.path }, undefined)
    return { ...place, description, phases, problem: diagnostics.find((one) => one.severity === 'error')?.message ?? null }
  } catch (thrown) {
    return { ...place, description: null, phases: [], problem: AppError.wrap(thrown).message }
  }
}
