/** `reprise skip`: goes on without the answer of one call. */
import { actOnCall } from '../act-on-call.ts'
import { command } from '../command.ts'

export const skipCommand = command({
  name: 'skip',
  purpose: 'Go on without the answer of one call: the script gets null for it',
  operands: { usage: '<run> <call>', min: 2, max: 2, needs: 'a run and a call of it, such as “last lint”' },
  notes: [
    'The call is its number or label. A call that is at work is ended; one that has ended stays as it is.',
    'Also for a run that another process works on, or nobody: then the next attempt finds it skipped.',
  ],
  options: {},
  examples: [
    { line: 'reprise skip last lint', does: 'Skip the call “lint” of the newest run' },
    { line: 'reprise skip 47 3', does: 'Skip call 3 of run 47' },
  ],
  run: ([reference = '', call = ''], _, context) =>
    actOnCall(context, reference, call, {
      ask: (service, project, runId, callId) => service.skip(project, runId, callId),
      accepted: (name, isWorkedOn) => (isWorkedOn ? `${name} is skipped. The run goes on.` : `${name} is skipped.`),
      ended: (name) => `${name} has ended already and stays as it is.`,
      refused: (name) => `${name} can't be skipped as it stands. Nothing was changed.`,
    }),
})
