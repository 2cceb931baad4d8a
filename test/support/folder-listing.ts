/** What lies in folders, to the byte: for tests that promise that nothing was written. */
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** One line for each file, folder and link below the given folders, sorted: path, mode, time of change, and the content's hash. */
export function listing(...folders: string[]): string[] {
  return folders
    .flatMap((folder) => [
      line(folder),
      ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => line(join(folder, name))),
    ])
    .sort()
}

function line(path: string): string {
  const stat = lstatSync(path)
  const content = stat.isSymbolicLink()
    ? readlinkSync(path)
    : stat.isFile()
      ? createHash('sha256').update(readFileSync(path)).digest('hex')
      : ''
  // A folder's own time changes when a file in it comes and goes.
  return [path, stat.mode.toString(8), stat.isDirectory() ? '' : stat.mtimeMs, content].join(' ')
}
