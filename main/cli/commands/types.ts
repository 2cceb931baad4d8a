/** `reprise types`: the declarations of a script's globals, for editors. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../shared/errors.ts'
import { writeError } from '../../store/disk.ts'
import { command } from '../command.ts'
import { DECLARATIONS_HEAD, GLOBALS_DECLARATIONS } from '../globals-declarations.ts'
import { shownPath } from '../shown-path.ts'

export const typesCommand = command({
  name: 'types',
  purpose: 'Print the type declarations of what scripts can use',
  operands: { usage: '', min: 0, max: 0, needs: '' },
  options: {
    write: { kind: 'flag', help: 'Write them to .claude/workflows/globals.d.ts instead' },
  },
  examples: [
    { line: 'reprise types --write', does: 'Completion and checks for all workflows of the project' },
    { line: 'reprise types > globals.d.ts', does: 'Put them where you like' },
  ],
  async run(_, given, context) {
    if (!given.write) {
      if (context.forPrograms) context.document({ declarations: GLOBALS_DECLARATIONS })
      else context.answer(GLOBALS_DECLARATIONS)
      return 0
    }
    const folder = join(await context.project(), '.claude', 'workflows')
    const path = join(folder, 'globals.d.ts')
    const unwritable = (error: unknown): never => {
      throw writeError(error, path)
    }
    await mkdir(folder, { recursive: true }).catch(unwritable)
    // An older one of ours is replaced; a file that somebody else wrote is left alone.
    const before = await readFile(path, 'utf8').catch(() => null)
    if (before !== null && !before.startsWith(DECLARATIONS_HEAD)) {
      throw new AppError(
        'workflow-exists',
        `${shownPath(path, context.io.cwd)} was not written by Reprise and is left as it is. Use: reprise types > another-file.d.ts`,
      )
    }
    await writeFile(path, GLOBALS_DECLARATIONS).catch(unwritable)
    if (context.forPrograms) context.document({ path })
    else context.note(`Wrote ${shownPath(path, context.io.cwd)}`)
    return 0
  },
})
