/** Named workflows: the scripts of the project's and the user's `.claude/workflows`, each with what its `meta` says. */
import { readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Workflow } from '../../../shared/contract/workflows.ts'
import { AppError } from '../../../shared/errors.ts'
import { nameOfFile, workflowFiles } from '../../engine/source/workflow-name.ts'
import type { Projects } from '../../projects.ts'
import type { Service } from '../../service/service.ts'
import type { Handlers } from '../validated-ipc.ts'

interface Place {
  name: string
  path: string
  scope: Workflow['scope']
}

export function workflowHandlers(service: Service, projects: Projects): Pick<Handlers, 'workflows.list'> {
  return {
    'workflows.list': () => {
      const project = projects.requireCurrent()
      // In the order in which a name is looked up, so that what is listed is what runs by that name.
      const places = new Map<string, Place>()
      for (const folder of foldersAbove(project)) collect(join(folder, '.claude', 'workflows'), 'project', places)
      collect(join(homedir(), '.claude', 'workflows'), 'user', places)
      const sorted = [...places.values()].sort((a, b) => a.name.localeCompare(b.name))
      return Promise.all(sorted.map((place) => describe(service, project, place)))
    },
  }
}

function foldersAbove(project: string): string[] {
  const folders = [project]
  for (let folder = dirname(project); folder !== folders.at(-1); folder = dirname(folder)) folders.push(folder)
  return folders
}

/** Adds the folder's workflows whose names are not taken yet. */
function collect(folder: string, scope: Workflow['scope'], places: Map<string, Place>): void {
  let entries: string[]
  try {
    entries = readdirSync(folder)
  } catch {
    return // no such folder: no workflows of this scope
  }
  const names = new Set(entries.map(nameOfFile).filter((name) => name !== null))
  for (const name of names) {
    const file = workflowFiles(name).find((candidate) => entries.includes(candidate))
    if (file !== undefined && !places.has(name)) places.set(name, { name, path: join(folder, file), scope })
  }
}

async function describe(service: Service, project: string, place: Place): Promise<Workflow> {
  try {
    const { description, phases, diagnostics } = await service.preflight(project, { path: place.path }, undefined)
    return { ...place, description, phases, problem: diagnostics.find((one) => one.severity === 'error')?.message ?? null }
  } catch (thrown) {
    return { ...place, description: null, phases: [], problem: AppError.wrap(thrown).message }
  }
}
