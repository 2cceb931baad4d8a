/**
 * Keeps the texts that a host sends: with a name as a workflow of the project, without one in the app's data. A file that is
 * there already is never changed.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, realpath, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { insideProject, isWithin } from './inside-project.ts'
import type { ServerContext } from './server-context.ts'

export type Language = 'js' | 'ts'

const ENDINGS = ['ts', 'js', 'mjs', 'workflow.ts', 'workflow.js', 'workflow.mjs']

export interface Kept {
  path: string
  /** False when the same text was there. */
  isNew: boolean
}

/** Keeps a text in the app's data, under its own hash. */
export async function keepText({ scripts }: Pick<ServerContext, 'scripts'>, text: string, language: Language): Promise<Kept> {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  await mkdir(scripts, { recursive: true, mode: 0o700 }).catch(unwritable(scripts))
  for (let copy = 1; ; copy++) {
    const path = join(scripts, `${hash}${copy === 1 ? '' : `-${copy}`}.${language}`)
    if (await create(path, text)) return { path, isNew: true }
    // Somebody may have mended the file since: theirs is left alone.
    if ((await readFile(path, 'utf8').catch(() => null)) === text) return { path, isNew: false }
  }
}

/**
 * Writes a workflow of the project.
 * @throws AppError `workflow-exists` when another text has the name, `outside-project` when its folder is a link that leads out
 */
export async function writeWorkflow(
  context: Pick<ServerContext, 'project' | 'scripts'>,
  name: string,
  text: string,
  language: Language,
): Promise<Kept> {
  const { project } = context
  let folder = project
  for (const part of ['.claude', 'workflows']) {
    folder = join(folder, part)
    await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') unwritable(folder)(error)
    })
    if (!isWithin(await realpath(project), await realpath(folder))) {
      throw new AppError('outside-project', `${folder} is a link that leads out of the project, so nothing is written there.`)
    }
  }
  for (const ending of ENDINGS) {
    const path = await insideProject(context, join(folder, `${name}.${ending}`))
    const there = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? null : ''))
    if (there === null) continue
    if (there === text) return { path, isNew: false }
    throw taken(path, name)
  }
  const path = join(folder, `${name}.${language}`)
  if (await create(path, text)) return { path, isNew: true }
  throw taken(path, name)
}

export async function dropText({ path, isNew }: Kept): Promise<void> {
  if (isNew) await unlink(path).catch(() => undefined)
}

function taken(path: string, name: string): AppError {
  return new AppError(
    'workflow-exists',
    `${path} holds another text. Nothing ran. Edit that file and run it with name “${name}”, or choose another name.`,
  )
}

async function create(path: string, text: string): Promise<boolean> {
  return writeFile(path, text, { flag: 'wx' }).then(
    () => true,
    (error: NodeJS.ErrnoException) => (error.code === 'EEXIST' ? false : unwritable(path)(error)),
  )
}

function unwritable(path: string): (error: NodeJS.ErrnoException) => never {
  return (cause) => {
    if (cause.code === 'ENOSPC') throw new AppError('disk-full', `${path} can't be written: the disk is full. Free some space.`, { cause })
    throw new AppError('no-permission', `${path} can't be written: ${cause.message}.`, { cause })
  }
}
