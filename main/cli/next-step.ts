/** How a person goes on with a run that has ended, as a command to copy. */
import { canTryAgain } from '../../shared/run/status.ts'
import type { RunView } from '../../shared/run/view.ts'
import type { Context } from './context.ts'
import { answerHint } from './permission-question.ts'

/** A label and a command, e.g. `Resume: reprise resume 01J…`; null when there is nothing left to do. */
export function nextStep(view: RunView, context: Pick<Context, 'hint'>): { label: string; command: string } | null {
  const resume = ['resume', view.runId]
  if (view.allowedActions.includes('decide')) {
    const open = view.calls.filter((call) => call.kind === 'gate' && call.status === 'waiting')
    const gate = open.length === 1 ? [] : open.slice(0, 1).map((call) => String(call.callId))
    const choice = open[0]?.options?.[0]
    const goOn = view.endedAt === null ? [] : ['--resume']
    return {
      label: 'Decide',
      command: context.hint(['approve', view.runId, ...gate, ...(choice === undefined ? [] : ['--choice', choice]), ...goOn]),
    }
  }
  const asks = view.calls.find((call) => call.questions !== undefined)
  if (view.allowedActions.includes('answer') && asks !== undefined)
    return { label: 'Answer with allow or deny', command: answerHint(context, view.runId, asks.callId) }
  if (view.allowedActions.includes('resume')) {
    switch (view.reason) {
      case 'budget':
        // The old budget would end the next attempt at once.
        return {
          label: 'Resume with a larger budget',
          command: context.hint([...resume, '--budget', String(2 * Math.max(view.budget ?? 0, view.outputTokens))]),
        }
      case 'money':
        return {
          label: 'Resume with a larger limit',
          command: context.hint([...resume, '--max-cost', Math.max(0.01, 2 * Math.max(view.maxCost ?? 0, view.committed.cost)).toFixed(2)]),
        }
      case 'quota':
        return { label: 'Resume when the limit is reset', command: context.hint(resume) }
      case 'auth':
        return { label: 'Sign in to the agent, then resume', command: context.hint(resume) }
      case 'same-failure':
        return { label: 'Resume when the cause is gone', command: context.hint(resume) }
      default:
        return { label: 'Resume', command: context.hint(resume) }
    }
  }
  if (view.allowedActions.includes('stop')) return { label: 'Stop it', command: context.hint(['stop', view.runId]) }
  if (canTryAgain(view)) {
    return { label: view.counts.dead === 1 ? 'Try the failed one again' : 'Try the failed ones again', command: context.hint(resume) }
  }
  return null
}
