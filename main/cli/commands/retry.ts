/** `reprise retry`: ends a call that is at work and starts it again. */
import { actOnCall } from '../act-on-call.ts'
import { command } from '../command.ts'

export const retryCommand = command({
  name: 'retry',
  purpose: 'End a call that is at work and start it again',
  operands: { usage: '<run> <call>', min: 2, max: 2, needs: 'a run and a call of it, such as “last lint”' },
  notes: [
    'The call is its number or label. Also for a run that another process works on.',
    'A call that has ended is run again by “reprise resume <run> --from <call>”.',
  ],
  options: {},
  examples: [
    { line: 'reprise retry last lint', does: 'Start the call “lint” of the newest run again' },
    { line: 'reprise retry 47 3', does: 'Start call 3 of run 47 again' },
  ],
  run: ([reference = '', call = ''], _, context) =>
    actOnCall(context, reference, call, {
      ask: (service, project, runId, callId) => service.retry(project, runId, callId),
      accepted: (name) => `${name} is started again.`,
      ended: (name) => `${name} has ended already.`,
      refused: (name) => `${name} is not at work, so it can't be started again. Nothing was changed.`,
    }),
})
