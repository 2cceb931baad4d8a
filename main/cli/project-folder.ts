/** Which project a command means: the folder given, else the nearest one above that looks like a project, else this one. */
import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import type { Io } from './io.ts'

const SIGNS = ['.claude', '.git']

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/**
 * @param given the value of `--project`, relative to the current folder
 * @throws AppError `project-missing` when the given folder is none
 */
export async function projectFolder(io: Pick<Io, 'cwd' | 'env'>, given: string | undefined): Promise<string> {
  if (given !== undefined) {
    const folder = resolve(io.cwd, given)
    if (await isFolder(folder)) return folder
    throw new AppError('project-missing', `There is no folder ${folder}. Make it, or give another one with --project.`)
  }
  // The home folder has a `.claude` of its own, for all projects: it is a project only when one works right in it.
  const home = resolve(io.env.HOME || io.env.USERPROFILE || homedir())
  for (let folder = resolve(io.cwd); folder !== home; folder = dirname(folder)) {
    for (const sign of SIGNS) if (await exists(join(folder, sign))) return folder
    if (dirname(folder) === folder) break
  }
  return resolve(io.cwd)
}
