/** Where the named workflows of a project lie, in the order in which a name is looked up: what is listed is what runs by that name. */
import { readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { nameOfFile, workflowFiles } from '../engine/source/workflow-name.ts'

export interface WorkflowPlace {
  name: string
  path: string
  /** `project`: a `.claude/workflows` of the project or above it; `user`: that of the home folder. */
  scope: 'project' | 'user'
}

/** All that a name can mean in this project, sorted by name. Nothing is read but folders. */
export function workflowPlaces(project: string): WorkflowPlace[] {
  const places = new Map<string, WorkflowPlace>()
  for (const folder of foldersAbove(project)) collect(join(folder, '.claude', 'workflows'), 'project', places)
  collect(join(homedir(), '.claude', 'workflows'), 'user', places)
  return [...places.values()].sort((a, b) => a.name.localeCompare(b.name))
}

function foldersAbove(project: string): string[] {
  const folders = [project]
  for (let folder = dirname(project); folder !== folders.at(-1); folder = dirname(folder)) folders.push(folder)
  return folders
}

/** Adds the folder's workflows whose names are not taken yet. */
function collect(folder: string, scope: WorkflowPlace['scope'], places: Map<string, WorkflowPlace>): void {
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
