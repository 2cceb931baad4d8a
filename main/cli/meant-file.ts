/** A word that names no script here, and the file that was probably meant by it. */
import { stat } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { shownPath } from './shown-path.ts'

const ENDINGS = ['.ts', '.js', '.mjs']

/** Gives the error as it is, or one that also says which file there is. */
export async function meantFile(thrown: unknown, word: string, cwd: string, project: string): Promise<unknown> {
  if (!(thrown instanceof AppError)) return thrown
  const near = await nearFile(thrown.code, word, cwd, project)
  return near === null ? thrown : new AppError(thrown.code, `${thrown.message} There is a file ${shownPath(near, cwd)}; is that the one?`)
}

async function nearFile(code: AppError['code'], word: string, cwd: string, project: string): Promise<string | null> {
  if (code === 'workflow-unknown') return firstFile(ENDINGS.map((ending) => resolve(cwd, `${word}${ending}`)))
  if (code !== 'file-missing' || isAbsolute(word)) return null
  // From another folder, or with an ending left out.
  return firstFile([join(project, word), ...ENDINGS.map((ending) => resolve(cwd, `${word}${ending}`))])
}

async function firstFile(paths: readonly string[]): Promise<string | null> {
  for (const path of paths)
    if (
      await stat(path)
        .then((found) => found.isFile())
        .catch(() => false)
    )
      return path
  return null
}
