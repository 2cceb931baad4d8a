/** What `stop` and `pause` have in common: a wish for the process that works on a run, and what became of it. */
import { assertNever } from '../../shared/assert-never.ts'
import { AppError } from '../../shared/errors.ts'
import type { RunId } from '../../shared/ids.ts'
import type { Service, StopOutcome } from '../service/service.ts'
import type { Context } from './context.ts'

/**
 * @param done what to say when the owner does it
 * @returns the exit code
 * @throws AppError `owner-silent`
 */
export async function tellOwner(
  context: Context,
  reference: string,
  wish: (service: Service, project: string, runId: RunId) => Promise<StopOutcome>,
  done: string,
): Promise<number> {
  const project = await context.project()
  const service = await context.service()
  const runId = await service.resolveRun(project, reference)
  const outcome = await wish(service, project, runId)
  switch (outcome) {
    case 'accepted':
      context.note(`${done} Resume: ${context.hint(['resume', runId])}`)
      break
    case 'ended':
      context.note(`That run has already ended. Look: ${context.hint(['show', runId])}`)
      break
    case 'no-answer':
      throw ownerSilent(context, runId)
    default:
      return assertNever(outcome)
  }
  if (context.forPrograms) context.document({ runId, outcome })
  return 0
}

/** Nobody knows whether the wish will be heard: it was taken back. */
export function ownerSilent(context: Context, runId: RunId): AppError {
  return new AppError(
    'owner-silent',
    `The process that works on run ${runId} does not answer. It may be busy or hung; look at it with ${context.hint(['show', runId])}, then try again.`,
  )
}
