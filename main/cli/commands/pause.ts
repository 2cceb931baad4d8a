/** `reprise pause`: lets running calls finish, then ends the attempt; nothing that is paid for is lost. */
import { command } from '../command.ts'
import { tellOwner } from '../tell-owner.ts'

export const pauseCommand = command({
  name: 'pause',
  purpose: 'Pause a run: running calls finish and are kept, nothing new starts',
  operands: { usage: '<run>', min: 1, max: 1, needs: 'a run, such as “last” or “47”' },
  notes: ['“reprise resume” goes on from there. “reprise stop” does not wait for running calls.'],
  options: {},
  examples: [
    { line: 'reprise pause last', does: 'Pause the newest run' },
    { line: 'reprise pause 47', does: 'Pause run 47' },
  ],
  run: ([reference = ''], _, context) =>
    tellOwner(context, reference, (service, project, runId) => service.pause(project, runId), 'Pausing: running calls finish first.'),
})
