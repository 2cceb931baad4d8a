/** Writes a starter workflow that runs as it is; never over a file that is there. */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { writeError } from '../store/disk.ts'
import { starterScript } from './starter-script.ts'

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/
/** Would stand beside the declarations of `reprise types --write` and hide them from editors. */
const TAKEN = 'globals'

/**
 * @param nameOf how a path is written in what is said of it
 * @returns the new file
 * @throws AppError `name-invalid`, `workflow-exists`, `disk-full`, `no-permission`
 */
export async function newWorkflow(project: string, name: string, nameOf: (path: string) => string = (path) => path): Promise<string> {
  checkName(name)
  const folder = join(project, '.claude', 'workflows')
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw writeError(error, folder)
  })
  const taken = (file: string) =>
    new AppError('workflow-exists', `${nameOf(join(folder, file))} exists already. Choose another name, or edit that file.`)
  const before = await existing(folder, name)
  if (before !== undefined) throw taken(before)
  const path = join(folder, `${name}.ts`)
  await writeFile(path, starterScript(name), { flag: 'wx' }).catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === 'EEXIST' ? taken(`${name}.ts`) : writeError(cause, path)
  })
  return path
}

function checkName(name: string): void {
  if (NAME.test(name) && name !== TAKEN) return
  const plain = name.replace(/(?:\.workflow)?\.[cm]?[jt]s$/, '')
  const hint = plain !== name && NAME.test(plain) ? ` Leave the ending out: reprise new ${plain}` : ''
  const rule =
    name === TAKEN
      ? 'that file is for the type declarations'
      : 'a name has 1 to 64 letters, digits, - or _, and begins with a letter or digit'
  throw new AppError('name-invalid', `“${name}” can't be the name of a workflow: ${rule}.${hint}`)
}

async function existing(folder: string, name: string): Promise<string | undefined> {
  const files = await readdir(folder)
  const names = ['', '.workflow'].flatMap((middle) => ['ts', 'js', 'mjs', 'yaml', 'yml'].map((ending) => `${name}${middle}.${ending}`))
  return files.find((file) => names.includes(file))
}
