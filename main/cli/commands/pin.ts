/** `reprise pin`: keeps a run whatever its age. */
import { command } from '../command.ts'
import { pinRun } from '../pin-run.ts'

export const pinCommand = command({
  name: 'pin',
  purpose: 'Keep a run whatever its age',
  operands: { usage: '<run>', min: 1, max: 1, needs: 'a run, such as “last” or “47”' },
  notes: ['“reprise prune” and the app leave a pinned run where it is.'],
  options: {},
  examples: [
    { line: 'reprise pin last', does: 'Keep the newest run' },
    { line: 'reprise pin 47', does: 'Keep run 47' },
  ],
  run: ([reference = ''], _, context) => pinRun(context, reference, true),
})
