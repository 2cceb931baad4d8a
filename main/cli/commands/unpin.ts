/** `reprise unpin`: lets a run go when its time comes. */
import { command } from '../command.ts'
import { pinRun } from '../pin-run.ts'

export const unpinCommand = command({
  name: 'unpin',
  purpose: 'Let a pinned run go when its time comes',
  operands: { usage: '<run>', min: 1, max: 1, needs: 'a run, such as “last” or “47”' },
  options: {},
  examples: [
    { line: 'reprise unpin last', does: 'Let the newest run go when its time comes' },
    { line: 'reprise unpin 47', does: 'Treat run 47 like any other again' },
  ],
  run: ([reference = ''], _, context) => pinRun(context, reference, false),
})
