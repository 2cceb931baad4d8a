/** Holds paths that a host gives inside the project (and the server's own texts): no `..`, nothing outside, no link that leads out. */
import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import type { ServerContext } from './server-context.ts'

type Folders = Pick<ServerContext, 'project' | 'scripts'>

/**
 * The absolute path of a file that may be used. Whether it exists is for the reader to say.
 * @throws AppError `outside-project`
 */
export async function insideProject({ project, scripts }: Folders, given: string): Promise<string> {
  const refuse = (why: string): never => {
    throw new AppError('outside-project', `${JSON.stringify(given)} ${why}. Name a file inside ${project}.`)
  }
  if (given.includes('\0')) refuse('is no path')
  if (given.split(/[/\\]/).includes('..')) refuse('goes up with “..”')
  const path = resolve(project, given)
  const roots = [project, scripts]
  const real = await Promise.all([path, ...roots].map(realOf))
  const [realPath = path, ...realRoots] = real
  if (![...roots, ...realRoots].some((root) => isWithin(root, path))) refuse('is outside the project')
  if (!realRoots.some((root) => isWithin(root, realPath))) refuse('is a link that leads out of the project')
  return path
}

/** Links resolved as far as the path exists. */
async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    const parent = resolve(path, '..')
    return parent === path ? path : resolve(await realOf(parent), path.slice(parent.endsWith(sep) ? parent.length : parent.length + 1))
  }
}

export function isWithin(root: string, path: string): boolean {
  const inner = relative(root, path)
  return inner !== '..' && !inner.startsWith(`..${sep}`) && !isAbsolute(inner)
}
