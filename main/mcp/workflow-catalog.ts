/** The named workflows of the project with what their scripts say of themselves. Read again only when a file changed. */
import { realpath, stat } from 'node:fs/promises'
import { AppError } from '../../shared/errors.ts'
import { workflowPlaces } from '../service/named-workflows.ts'
import type { Preflight } from '../service/service.ts'
import { insideProject, isWithin } from './inside-project.ts'
import type { ServerContext } from './server-context.ts'

export interface CatalogEntry {
  name: string
  path: string
  description?: string
  whenToUse?: string
  /** Why it can't run as it is. */
  problem?: string
}

type Known = { stamp: string; entry: CatalogEntry }

export class WorkflowCatalog {
  readonly #context: ServerContext
  #known = new Map<string, Known>()

  constructor(context: ServerContext) {
    this.#context = context
  }

  /** Sorted by name; a file that can't be read is listed with its problem. */
  async list(): Promise<CatalogEntry[]> {
    const known = new Map<string, Known>()
    for (const { name, path } of workflowPlaces(this.#context.project)) {
      const found = await stat(path).catch(() => null)
      const stamp = found === null ? 'gone' : `${found.mtimeMs} ${found.size} ${found.ino}`
      const before = this.#known.get(path)
      known.set(path, before?.stamp === stamp ? before : { stamp, entry: await this.#read(name, path) })
    }
    this.#known = known
    return [...known.values()].map(({ entry }) => entry)
  }

  async #read(name: string, path: string): Promise<CatalogEntry> {
    try {
      const { description, whenToUse, diagnostics } = await lookNamed(this.#context, name, undefined)
      const problem = diagnostics.find(({ severity }) => severity === 'error')?.message
      return {
        name,
        path,
        ...(description !== null && { description }),
        ...(whenToUse !== undefined && { whenToUse }),
        ...(problem !== undefined && { problem }),
      }
    } catch (thrown) {
      return { name, path, problem: AppError.wrap(thrown).message }
    }
  }
}

/**
 * Checks a workflow by its name.
 * @throws AppError `outside-project` when a file of the project is a link that leads out
 */
export async function lookNamed(context: ServerContext, name: string, agent: string | undefined): Promise<Preflight> {
  const place = workflowPlaces(context.project).find((one) => one.name === name)
  if (place !== undefined) {
    const real = await realpath(context.project)
    if (isWithin(context.project, place.path) || isWithin(real, place.path)) await insideProject(context, place.path)
  }
  return context.service.preflight(context.project, { name }, agent)
}
