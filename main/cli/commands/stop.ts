/** `reprise stop`: ends a run that is going on, in whatever process, and keeps what is finished. */
import { command } from '../command.ts'
import { tellOwner } from '../tell-owner.ts'

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
  run: ([reference = ''], _, context) =>
    tellOwner(context, reference, (service, project, runId) => service.stop(project, runId), 'Stopping. Finished results are kept.'),
})
