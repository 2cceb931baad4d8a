/** `workflow_stop`: ends a run that is going on, in whatever process, and keeps what is finished. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import * as z from 'zod'
import { assertNever } from '../../../shared/assert-never.ts'
import { AppError } from '../../../shared/errors.ts'
import { reportLine, runReport } from '../run-report.ts'
import type { ServerContext } from '../server-context.ts'
import { answer } from '../tool-answer.ts'

export const StopInput = z.strictObject({ run: z.string().min(1).max(200).describe('An id, the beginning of one, a number, or “last”') })

export async function stopWorkflow(context: ServerContext, input: z.infer<typeof StopInput>): Promise<CallToolResult> {
  const { service, project } = context
  const runId = await service.resolveRun(project, input.run)
  const outcome = await service.stop(project, runId)
  switch (outcome) {
    case 'no-answer':
      throw new AppError('owner-silent', `The process that works on run ${runId} does not answer. Look again with workflow_status.`)
    case 'accepted':
    case 'ended': {
      const view = await service.show(project, runId)
      const words = outcome === 'ended' ? 'It had ended already. ' : ''
      return answer(await runReport(context, view), `${words}${reportLine(view)}`)
    }
    default:
      return assertNever(outcome)
  }
}
