/**
 * Finds the workflow that a script calls. What a script names, not a person, is held inside the project and the workflow
 * folders, also when a link leads out of them.
 */
import { realpath } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import type { ChildReference } from '../engine/ports.ts'
import { findNamed, type LoadedScript, loadScript, workflowFolders } from './load-script.ts'

/**
 * Reads and checks a child as it is on disk. A name is looked up as for a launch, a path is taken from the project's folder.
 * @throws AppError `outside-project` for a file elsewhere, and what `loadScript` throws
 */
export async function findChild(project: string, reference: ChildReference): Promise<LoadedScript> {
  const path = 'name' in reference ? await findNamed(project, reference.name) : resolve(project, reference.scriptPath)
  const real = await realpath(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') throw new AppError('file-missing', `There is no file ${path}. Check the path.`)
    throw new AppError('file-unreadable', `${path} can't be read: ${cause.message}.`, { cause })
  })
  const folders = await Promise.all([project, ...workflowFolders(project)].map((folder) => realpath(folder).catch(() => null)))
  if (!folders.some((folder) => folder !== null && isInside(real, folder))) {
    const where = real === path ? path : `${path} leads to ${real}, which`
    throw new AppError(
      'outside-project',
      `${where} lies outside of the project and of the workflow folders. Move it into .claude/workflows, then call it by its name.`,
    )
  }
  return loadScript(project, { path: real })
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === path
}
