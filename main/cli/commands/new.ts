/** `reprise new`: writes a starter script that runs as it is. */
import { newWorkflow } from '../../service/new-workflow.ts'
import { command } from '../command.ts'
import { shownPath } from '../shown-path.ts'

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
    const path = await newWorkflow(await context.project(), name, (file) => shownPath(file, context.io.cwd))
    if (context.forPrograms) context.document({ path })
    else {
      context.note(`Wrote ${shownPath(path, context.io.cwd)}`)
      context.note(`Try it: ${context.hint(['run', name, '--agent', 'simulated'])}`)
      context.note(`Types for your editor: ${context.hint(['types', '--write'])}`)
    }
    return 0
  },
})
