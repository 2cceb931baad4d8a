/** What `skip` and `retry` have in common: a wish about one call, and what became of it. */
import { assertNever } from '../../shared/assert-never.ts'
import type { RunId } from '../../shared/ids.ts'
import type { RunView } from '../../shared/run/view.ts'
import type { CallOutcome, Service } from '../service/service.ts'
import { callNumber } from './call-reference.ts'
import type { Context } from './context.ts'
import { ownerSilent } from './tell-owner.ts'
import { oneLine } from './text/printable.ts'

export interface CallWish {
  ask(service: Service, project: string, runId: RunId, callId: number): Promise<CallOutcome>
  /** What to say of each outcome; `name` is the call with its number. */
  accepted(name: string, isWorkedOn: boolean): string
  ended(name: string): string
  refused(name: string): string
}

/**
 * @returns 0 when it is done or under way, 2 when the call stays as it is
 * @throws AppError `call-unknown`, `owner-silent`
 */
export async function actOnCall(context: Context, reference: string, call: string, wish: CallWish): Promise<number> {
  const project = await context.project()
  const service = await context.service()
  const runId = await service.resolveRun(project, reference)
  const view = await service.show(project, runId)
  const callId = callNumber(view, call)
  const name = callName(view, callId)
  const outcome = await wish.ask(service, project, runId, callId)
  const isWorkedOn = view.endedAt === null && view.status !== 'interrupted'
  const resume = context.hint(['resume', runId])
  switch (outcome) {
    case 'accepted':
      context.note(`${wish.accepted(name, isWorkedOn)}${isWorkedOn ? '' : ` Nobody is at work on the run; go on: ${resume}`}`)
      break
    case 'ended':
      context.warn(`${wish.ended(name)} To run it again, and everything after it: ${resume} --from ${callId}`)
      break
    case 'refused':
      context.warn(wish.refused(name))
      break
    case 'no-answer':
      throw ownerSilent(context, runId)
    default:
      return assertNever(outcome)
  }
  if (context.forPrograms) context.document({ runId, callId, outcome })
  return outcome === 'accepted' ? 0 : 2
}

function callName(view: RunView, callId: number): string {
  const call = view.calls.find((one) => one.callId === callId)
  return `Call ${callId}${call === undefined ? '' : ` “${oneLine(call.label ?? call.title)}”`}`
}
