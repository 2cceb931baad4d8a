/** What a person means by a file or a name on the command line. */
import { resolve } from 'node:path'
import type { Target } from '../service/service.ts'

const FILE_ENDING = /\.(?:[cm]?[jt]sx?|ya?ml)$/i

/** With a path separator or the ending of a script, or made of dots: a file, from the current folder. Else: a named workflow. */
export function targetOf(word: string, cwd: string): Target {
  return /[/\\]|^\.+$/.test(word) || FILE_ENDING.test(word) ? { path: resolve(cwd, word) } : { name: word }
}
