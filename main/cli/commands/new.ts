/** `reprise new`: writes a starter script that runs as it is. */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../shared/errors.ts'
import { writeError } from '../../store/disk.ts'
import { command } from '../command.ts'
import { shownPath } from '../shown-path.ts'
import { starterScript } from '../starter-script.ts'

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/
/** Would stand beside the declarations of `reprise types --write` and hide them from editors. */
const TAKEN = 'globals'

/** @throws AppError `name-invalid` */
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

export const newCommand = command({
  name: 'new',
  purpose: 'Write a starter workflow to .claude/workflows',
  operands: { usage: '<name>', min: 1, max: 1, needs: 'a name for the workflow, such as “triage”' },
  options: {},
  examples: [
    { line: 'reprise new triage', does: 'Write .claude/workflows/triage.ts' },
    { line: 'reprise new triage && reprise run triage --agent simulated', does: 'And try it without starting an agent' },
  ],
  async run([name = ''], _, context) {
    checkName(name)
    const folder = join(await context.project(), '.claude', 'workflows')
    await mkdir(folder, { recursive: true }).catch((error: unknown) => {
      throw writeError(error, folder)
    })
    const before = await existing(folder, name)
    const taken = (file: string) =>
      new AppError(
        'workflow-exists',
        `${shownPath(join(folder, file), context.io.cwd)} exists already. Choose another name, or edit that file.`,
      )
    if (before !== undefined) throw taken(before)
    const path = join(folder, `${name}.ts`)
    await writeFile(path, starterScript(name), { flag: 'wx' }).catch((cause: NodeJS.ErrnoException) => {
      throw cause.code === 'EEXIST' ? taken(`${name}.ts`) : writeError(cause, path)
    })
    if (context.forPrograms) context.document({ path })
    else {
      context.note(`Wrote ${shownPath(path, context.io.cwd)}`)
      context.note(`Try it: ${context.hint(['run', name, '--agent', 'simulated'])}`)
      context.note(`Types for your editor: ${context.hint(['types', '--write'])}`)
    }
    return 0
  },
})
