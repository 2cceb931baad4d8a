/** `reprise check`: reads scripts without running them and lists what is wrong, as `file:line:col`. */
import { AppError } from '../../../shared/errors.ts'
import type { Diagnostic } from '../../engine/source/check-script.ts'
import type { Preflight } from '../../service/service.ts'
import { command } from '../command.ts'
import type { Context } from '../context.ts'
import { byPlace, findingLine } from '../diagnostics.ts'
import { meantFile } from '../meant-file.ts'
import { type ErrorDocument, errorDocument } from '../report-error.ts'
import { shownPath } from '../shown-path.ts'
import { targetOf } from '../target.ts'
import { plural } from '../text/amounts.ts'
import { oneLine } from '../text/printable.ts'

interface CheckedFile {
  file: string
  title: string | null
  description: string | null
  phases: Preflight['phases']
  diagnostics: Diagnostic[]
  uses: Preflight['uses'] | null
  /** Set when the file could not be read at all. */
  error?: ErrorDocument
}

async function checkFile(context: Context, project: string, word: string): Promise<CheckedFile> {
  const service = await context.service()
  try {
    const { path, title, description, phases, diagnostics, uses } = await service.preflight(
      project,
      targetOf(word, context.io.cwd),
      undefined,
    )
    return { file: shownPath(path, context.io.cwd), title, description, phases, diagnostics: byPlace(diagnostics), uses }
  } catch (thrown) {
    const error = await meantFile(thrown, word, context.io.cwd, project)
    if (!(error instanceof AppError) || error.code === 'internal') throw error
    // One file that can't be read hides none of the others.
    return { file: word, title: null, description: null, phases: [], diagnostics: [], uses: null, error: errorDocument(error) }
  }
}

export const checkCommand = command({
  name: 'check',
  purpose: 'Check scripts without running them',
  operands: { usage: '<file…>', min: 1, max: Number.POSITIVE_INFINITY, needs: 'a script file or the name of a workflow' },
  options: {},
  exits: [
    [0, 'all of them can run'],
    [2, 'wrong usage, or an error was found'],
  ],
  examples: [
    { line: 'reprise check .claude/workflows/*.ts', does: 'Check all workflows of a project' },
    { line: 'reprise check triage', does: 'Check a named workflow' },
    { line: 'reprise check review.ts --json', does: 'Findings and what the script uses, as JSON' },
  ],
  async run(words, _, context) {
    const project = await context.project()
    const files: CheckedFile[] = []
    for (const word of words) files.push(await checkFile(context, project, word))
    const findings = files.flatMap((file) => file.diagnostics)
    const errors = findings.filter(({ severity }) => severity === 'error').length + files.filter(({ error }) => error !== undefined).length
    const warnings = findings.filter(({ severity }) => severity === 'warning').length
    if (context.forPrograms) context.document({ errors, warnings, files })
    else {
      const { ink } = context
      for (const { file, diagnostics, error } of files) {
        if (error !== undefined)
          context.answer(`${shownPath(file, context.io.cwd)}: ${ink.out.tone('failed', 'error')} ${oneLine(error.message)} [${error.code}]`)
        for (const found of diagnostics) context.answer(findingLine(file, found, ink.out))
      }
      const found = errors + warnings === 0 ? 'no problems' : `${plural(errors, 'error')}, ${plural(warnings, 'warning')}`
      context.note(`${plural(files.length, 'file')} checked: ${found}.`)
    }
    return errors > 0 ? 2 : 0
  },
})
