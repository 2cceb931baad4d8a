/** `reprise stop`: ends a run that is going on, in whatever process, and keeps what is finished. */
import { assertNever } from '../../../shared/assert-never.ts'
import { AppError } from '../../../shared/errors.ts'
import { command } from '../command.ts'

export const stopCommand = command({
  name: 'stop',
  purpose: 'Stop a run, also one that another process works on',
  operands: { usage: '<run>', min: 1, max: 1, needs: 'a run, such as “last” or “47”' },
  notes: ['Finished results are kept; “reprise resume” goes on from there.'],
  options: {},
  examples: [
    { line: 'reprise stop last', does: 'Stop the newest run' },
    { line: 'reprise stop 47', does: 'Stop run 47' },
  ],
  async run([reference = ''], _, context) {
    const project = await context.project()
    const service = await context.service()
    const runId = await service.resolveRun(project, reference)
    const outcome = await service.stop(project, runId)
    switch (outcome) {
      case 'accepted':
        context.note(`Stopping. Finished results are kept. Resume: ${context.hint(['resume', runId])}`)
        break
      case 'ended':
        context.note(`That run has already ended. Look: ${context.hint(['show', runId])}`)
        break
      case 'no-answer':
        throw new AppError(
          'owner-silent',
          `The process that works on run ${runId} does not answer. It may be busy or hung; look at it with ${context.hint(['show', runId])}, then try again.`,
        )
      default:
        return assertNever(outcome)
    }
    if (context.forPrograms) context.document({ runId, outcome })
    return 0
  },
})
