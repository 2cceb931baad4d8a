/** A script in the hands of a person: checked as it is typed, saved only over the text that they saw. */
import { chmod, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { sha256 } from '../engine/fingerprint.ts'
import type { Diagnostic } from '../engine/source/check-script.ts'
import { replaceFile } from '../store/atomic-write.ts'
import { writeError } from '../store/disk.ts'
import type { TrustStore } from '../store/trust-store.ts'
import { checkedText, extensionOf, workflowFolders } from './load-script.ts'
import { preflightOf } from './preflight.ts'

/** What reading the text as the script of that file tells. Nothing is written or run. */
export async function checkText(project: string, path: string, text: string, trusted: TrustStore): Promise<Diagnostic[]> {
  const script = await checkedText(text, path, extensionOf(path), null)
  return (await preflightOf(script, project, undefined, trusted)).diagnostics
}

/**
 * Writes the text over the one that the person saw.
 * @throws AppError `not-a-script`, `outside-project`, `changed-since-you-looked`, `disk-full`, `no-permission`
 */
export async function saveText(project: string, path: string, text: string, seen: string): Promise<{ sha256: string }> {
  extensionOf(path)
  const missing = (error: unknown): never => {
    throw writeError(error, path)
  }
  // A link in the project is written where it points, if that may be written at all.
  const file = await realpath(path).catch(missing)
  if (!(await mayWrite(project, file)))
    throw new AppError('outside-project', `${path} lies outside of the project and of the workflow folders. Nothing was written.`)
  const now = await readFile(file, 'utf8').catch(missing)
  if (sha256(now) !== seen)
    throw new AppError('changed-since-you-looked', `${basename(path)} changed since you opened it. Nothing was written.`)
  try {
    const { mode } = await stat(file)
    replaceFile(file, text)
    await chmod(file, mode)
  } catch (error) {
    throw writeError(error, path)
  }
  return { sha256: sha256(text) }
}

/** Files of the project, and of the folders where named workflows lie. */
async function mayWrite(project: string, file: string): Promise<boolean> {
  const root = await realpath(project)
  if (file.startsWith(join(root, sep))) return true
  const folders = await Promise.all(workflowFolders(project).map((folder) => realpath(folder).catch(() => folder)))
  return folders.includes(dirname(file))
}
