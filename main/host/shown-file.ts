/** Reads the file that a gate shows: text, of the project, and small enough to be looked at. */
import { createHash } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import type { ShownFile } from '../engine/waiting-calls.ts'

const LARGEST_BYTES = 1024 * 1024

/** Gives the text and its hash, or why it can't be shown. */
export async function readShownFile(project: string, path: string): Promise<ShownFile> {
  try {
    const root = await realpath(project)
    const file = await realpath(resolve(root, path))
    const way = relative(root, file)
    if (way === '..' || way.startsWith(`..${sep}`) || resolve(way) === way) return { refused: `${path} lies outside of the project` }
    const { size } = await stat(file)
    if (size > LARGEST_BYTES) return { refused: `${path} is larger than 1 MB` }
    const bytes = await readFile(file)
    return { text: bytes.toString('utf8'), sha256: createHash('sha256').update(bytes).digest('hex') }
  } catch (error) {
    return { refused: `${path} can't be read: ${error instanceof Error ? error.message : String(error)}` }
  }
}
