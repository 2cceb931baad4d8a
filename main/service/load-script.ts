/** Finds the script that a person named, reads it and checks it. Nothing of it is run. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { sha256 } from '../engine/fingerprint.ts'
import { type CheckedScript, checkScript } from '../engine/source/check-script.ts'
import { isWorkflowName, nameOfFile, workflowFiles } from '../engine/source/workflow-name.ts'
import type { Target } from './service.ts'

export type ScriptExtension = 'ts' | 'js' | 'mjs'
/** Larger files are no scripts that anybody wrote. */
const MAX_BYTES = 4 * 1024 * 1024
/** More names than this are no help to anybody. */
const NAMES_SHOWN = 12

export interface LoadedScript {
  path: string
  name: string | null
  text: string
  sha256: string
  ext: ScriptExtension
  checked: CheckedScript
}

/** @throws AppError when there is no such script, or it can't be read as one */
export async function loadScript(project: string, target: Target): Promise<LoadedScript> {
  const path = 'path' in target ? target.path : await findNamed(project, target.name)
  const text = await readScript(path)
  return checkedText(text, path, extensionOf(path), 'name' in target ? target.name : null)
}

let latest: { file: string; sha256: string; checked: CheckedScript } | null = null

/** A script whose text is at hand. The check is kept for the next one who asks for the same text: a launch is looked at first. */
export async function checkedText(text: string, path: string, ext: ScriptExtension, name: string | null): Promise<LoadedScript> {
  const file = basename(path)
  const hash = sha256(text)
  if (latest === null || latest.sha256 !== hash || latest.file !== file) {
    latest = { file, sha256: hash, checked: await checkScript(text, file) }
  }
  return { path, name, text, sha256: hash, ext, checked: latest.checked }
}

/** Where named workflows lie: the nearest `.claude/workflows` above the project folder first, the user's own last. */
export function workflowFolders(project: string): string[] {
  const folders: string[] = []
  for (let folder = resolve(project); ; folder = dirname(folder)) {
    folders.push(join(folder, '.claude', 'workflows'))
    if (folder === dirname(folder)) break
  }
  return [...folders, join(homedir(), '.claude', 'workflows')]
}

/** The file of a named workflow, in the first folder that has one. */
export async function findNamed(project: string, name: string): Promise<string> {
  if (!isWorkflowName(name))
    throw new AppError('name-invalid', `“${name}” is no workflow's name. A file is named by its path, such as ./${name || 'triage'}.js.`)
  const folders = workflowFolders(project)
  for (const folder of folders) {
    for (const file of workflowFiles(name)) {
      const path = join(folder, file)
      if (await isFile(path)) return path
    }
  }
  throw await unknownName(name, folders)
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EACCES') throw unreadable(dirname(path), cause)
      return false
    },
  )
}

/** Names what there is, else where one could be. */
async function unknownName(name: string, folders: readonly string[]): Promise<AppError> {
  const files = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])))
  const names = [...new Set(files.flat().map(nameOfFile))].filter((known) => known !== null).sort()
  const shown =
    names.length > NAMES_SHOWN ? `${names.slice(0, NAMES_SHOWN).join(', ')} and ${names.length - NAMES_SHOWN} more` : names.join(', ')
  const make = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name) ? ` Make it: reprise new ${name}` : ''
  const there = names.length === 0 ? `Neither in ${folders[0] ?? ''} nor above it is one.` : `There are: ${shown}.`
  return new AppError('workflow-unknown', `There is no workflow “${name}” here. ${there}${make}`)
}

/** @throws AppError `not-a-script` */
export function extensionOf(path: string): ScriptExtension {
  const ext = extname(path).slice(1)
  if (ext === 'ts' || ext === 'js' || ext === 'mjs') return ext
  throw new AppError('not-a-script', `${path} is no workflow script: its name has to end in .ts, .js or .mjs.`)
}

async function readScript(path: string): Promise<string> {
  const found = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') throw new AppError('file-missing', `There is no file ${path}. Check the path.`)
    throw unreadable(path, cause)
  })
  if (found.isDirectory()) throw new AppError('not-a-script', `${path} is a folder. Name a script in it.`)
  extensionOf(path)
  if (!found.isFile()) throw new AppError('not-a-script', `${path} is no regular file. Name a script.`)
  if (found.size > MAX_BYTES) throw new AppError('not-a-script', `${path} has ${found.size} bytes; a script has at most ${MAX_BYTES}.`)
  return readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw unreadable(path, cause)
  })
}

function unreadable(path: string, cause: NodeJS.ErrnoException): AppError {
  const why = cause.code === 'EACCES' || cause.code === 'EPERM' ? 'no permission. Allow it, then try again.' : `${cause.message}.`
  return new AppError('file-unreadable', `${path} can't be read: ${why}`, { cause })
}
