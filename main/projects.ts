/** The folders that were opened, newest first, and which of them is open now. Nothing in a folder is touched by opening it. */
import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import * as z from 'zod'
import type { Project } from '../shared/contract/projects.ts'
import { AppError } from '../shared/errors.ts'
import { AppFile } from './app-file.ts'
import { Signal } from './signal.ts'

const KEPT = 20
const SIGNS = ['.claude', '.git']

const ProjectsFile = z.object({
  recent: z.array(z.object({ path: z.string(), openedAt: z.number() })),
  current: z.string().nullable(),
})

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

export class Projects {
  /** Another project is open now, or none. */
  readonly changed = new Signal<Project | null>()
  readonly #file: AppFile<z.infer<typeof ProjectsFile>>

  constructor(dataFolder: string) {
    this.#file = new AppFile(join(dataFolder, 'projects.json'), ProjectsFile, { recent: [], current: null })
  }

  get recent(): Project[] {
    return this.#file.value.recent.map(describe)
  }

  get current(): Project | null {
    const { current, recent } = this.#file.value
    const entry = recent.find((project) => project.path === current)
    return entry === undefined ? null : describe(entry)
  }

  /** @throws AppError `project-missing` when none is open or its folder is gone */
  requireCurrent(): string {
    const project = this.current
    if (project === null) throw new AppError('project-missing', 'No project is open. Open a folder first.')
    if (!project.exists) throw new AppError('project-missing', `${project.path} isn't there. Locate it, or take it off the list.`)
    return project.path
  }

  /** @throws AppError `project-missing` when `path` is no folder */
  open(path: string): Project {
    const folder = resolve(path)
    if (!isFolder(folder)) throw new AppError('project-missing', `${folder} isn't a folder. Choose another one.`)
    const entry = { path: folder, openedAt: Date.now() }
    const others = this.#file.value.recent.filter((known) => known.path !== folder)
    const wasCurrent = this.#file.value.current === folder
    this.#file.set({ recent: [entry, ...others].slice(0, KEPT), current: folder })
    const project = describe(entry)
    if (!wasCurrent) this.changed.emit(project)
    return project
  }

  forget(path: string): Project[] {
    const { recent, current } = this.#file.value
    this.#file.set({ recent: recent.filter((known) => known.path !== path), current: current === path ? null : current })
    if (current === path) this.changed.emit(null)
    return this.recent
  }

  flush(): Promise<void> {
    return this.#file.flush()
  }
}

function describe({ path, openedAt }: { path: string; openedAt: number }): Project {
  return { path, name: basename(path) || path, exists: isFolder(path), openedAt }
}

/**
 * The project that a script belongs to: the one whose `.claude/workflows` it lies in, else null.
 * @param script absolute path
 */
export function projectOfWorkflow(script: string): string | null {
  const at = script.lastIndexOf(`${sep}.claude${sep}workflows${sep}`)
  return at > 0 ? script.slice(0, at) : null
}

/** The nearest folder above a script that looks like a project, else the script's own folder. */
export function nearestProject(script: string): string {
  const own = dirname(script)
  for (let folder = own; dirname(folder) !== folder; folder = dirname(folder)) {
    if (SIGNS.some((sign) => existsSync(join(folder, sign)))) return folder
  }
  return own
}
