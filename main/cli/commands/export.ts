/** `reprise export`: a run as one file, to keep or to hand on. */
import { resolve } from 'node:path'
import { AppError } from '../../../shared/errors.ts'
import { bundleName } from '../../service/bundle-name.ts'
import { command } from '../command.ts'
import { shownPath } from '../shown-path.ts'
import { plural } from '../text/amounts.ts'

export const exportCommand = command({
  name: 'export',
  purpose: 'Write a run into one file, to keep or to hand on',
  operands: { usage: '<run> [file]', min: 1, max: 2, needs: 'a run, such as “last” or “47”' },
  notes: [
    'The file holds everything the run recorded: prompts, answers, script. “reprise import” takes it in elsewhere, where it resumes without repeating what is saved.',
    'With --redact, values of environment variables whose names tell of a secret and texts that look like tokens are taken out. Such a run can be looked at and not resumed. Read it before you hand it on: a secret that looks like plain words stays.',
  ],
  options: {
    output: { kind: 'text', value: 'FILE', short: 'o', help: 'Where to write it; by default named after the run, in this folder' },
    redact: { kind: 'flag', help: 'Take secrets out; the result can only be looked at' },
    force: { kind: 'flag', help: 'Replace a file of that name' },
  },
  examples: [
    { line: 'reprise export last', does: 'The newest run, into a file in this folder' },
    { line: 'reprise export 47 bug.reprise --redact', does: 'Run 47 without its secrets, to attach to a report' },
  ],
  async run([reference = '', file], given, context) {
    if (file !== undefined && given.output !== undefined)
      throw new AppError('usage', `Two files are named, “${file}” and “${given.output}”. Name one. See: reprise help export`)
    const project = await context.project()
    const service = await context.service()
    const runId = await service.resolveRun(project, reference)
    const view = await service.show(project, runId)
    const path = resolve(context.io.cwd, given.output ?? file ?? bundleName(view.title, view.number))
    const done = await service.export(project, runId, path, { replace: given.force, redact: given.redact ? context.io.env : null })
    if (context.forPrograms) context.document(done)
    else context.answer(shownPath(done.path, context.io.cwd))
    context.note(`Run #${done.number} exported: ${plural(done.files, 'file')}.`)
    if (done.redacted) context.note('Its secrets are taken out as far as they could be told, so it can be looked at and not resumed.')
    else context.note('It holds prompts, answers and the script as they are. To leave secrets out: --redact')
    return 0
  },
})
