/** `reprise import`: takes in a run that was exported elsewhere. */
import { resolve } from 'node:path'
import { command } from '../command.ts'
import { oneLine } from '../text/printable.ts'

export const importCommand = command({
  name: 'import',
  purpose: 'Take in a run from a file that “reprise export” wrote',
  operands: { usage: '<file>', min: 1, max: 1, needs: 'a file, such as “review-47.reprise”' },
  notes: ['Nothing of it runs. Before it goes on here, its script is asked about like any other that you have not trusted.'],
  options: {},
  examples: [
    { line: 'reprise import review-47.reprise', does: 'Add that run to this project' },
    { line: 'reprise import ~/bug.reprise --project ../site', does: 'Add it to another project' },
  ],
  async run([file = ''], _, context) {
    const project = await context.project()
    const done = await (await context.service()).import(project, resolve(context.io.cwd, file))
    if (context.forPrograms) context.document(done)
    context.note(`Imported as run #${done.number} “${oneLine(done.title)}”. Look: ${context.hint(['show', done.runId])}`)
    if (done.redacted) context.note('Secrets were taken out of it, so it can be looked at and not resumed.')
    return 0
  },
})
