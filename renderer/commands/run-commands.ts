/** Commands of the run page: rows, time, the run itself. */
import { openResume, stopRun, whyNoResume, whyNoStop } from './actions.ts'
import { askTwice } from './ask-twice.ts'
import type { Command, CommandContext } from './command.ts'

const view = ({ stores }: CommandContext) => stores.run.getState().view
const stale = ({ stores }: CommandContext) => stores.run.getState().staleSince !== null

export const RUN: readonly Command[] = [
  { id: 'row-down', words: 'Next row', keys: ['ArrowDown', 'J'], place: 'run', run: ({ controls }) => controls.lanes?.step(1, 'any') },
  { id: 'row-up', words: 'Previous row', keys: ['ArrowUp', 'K'], place: 'run', run: ({ controls }) => controls.lanes?.step(-1, 'any') },
  { id: 'row-open', words: 'Open the lane', keys: ['ArrowRight'], place: 'run', run: ({ controls }) => controls.lanes?.fold(true) },
  { id: 'row-close', words: 'Close the lane', keys: ['ArrowLeft'], place: 'run', run: ({ controls }) => controls.lanes?.fold(false) },
  { id: 'row-first', words: 'First row', keys: ['Home'], place: 'run', run: ({ controls }) => controls.lanes?.edge('first') },
  { id: 'row-last', words: 'Last row', keys: ['End'], place: 'run', run: ({ controls }) => controls.lanes?.edge('last') },
  {
    id: 'inspect',
    words: 'Read it in the inspector',
    short: 'Inspect',
    keys: ['Enter'],
    place: 'run',
    run: ({ controls }) => controls.lanes?.inspect(),
  },
  { id: 'zoom-in', words: 'Zoom in', short: 'Zoom', keys: ['+', '='], place: 'run', run: ({ controls }) => controls.lanes?.zoomBy(1.5) },
  { id: 'zoom-out', words: 'Zoom out', keys: ['-'], place: 'run', run: ({ controls }) => controls.lanes?.zoomBy(1 / 1.5) },
  { id: 'fit', words: 'Fit the whole run', short: 'Fit', keys: ['0'], place: 'run', run: ({ controls }) => controls.lanes?.fit() },
  { id: 'pan-left', words: 'Earlier', keys: ['A'], place: 'run', run: ({ controls }) => controls.lanes?.panBy(-0.25) },
  { id: 'pan-right', words: 'Later', keys: ['D'], place: 'run', run: ({ controls }) => controls.lanes?.panBy(0.25) },
  { id: 'centre', words: 'Centre the call, again to fit it', keys: ['F'], place: 'run', run: ({ controls }) => controls.lanes?.centre() },
  {
    id: 'follow',
    words: 'Follow now',
    short: 'Follow',
    keys: ['L'],
    place: 'run',
    when: (context) => view(context)?.status === 'running',
    run: ({ controls }) => controls.lanes?.follow(),
  },
  {
    id: 'table',
    words: 'Switch between lanes and table',
    short: 'Table',
    keys: ['T'],
    place: 'run',
    run: ({ stores }) => stores.run.getState().setTable(!stores.run.getState().table),
  },
  { id: 'call-previous', words: 'Previous call', keys: [','], place: 'run', run: ({ controls }) => controls.lanes?.step(-1, 'call') },
  {
    id: 'call-next',
    words: 'Next call',
    short: 'Next call',
    keys: ['.'],
    place: 'run',
    run: ({ controls }) => controls.lanes?.step(1, 'call'),
  },
  {
    id: 'next-waiting',
    words: 'Next call that waits for you',
    keys: ['G'],
    place: 'run',
    when: (context) => view(context)?.calls.some((call) => call.status === 'waiting') === true,
    run: ({ controls }) => controls.lanes?.step(1, 'waiting'),
  },
  {
    id: 'next-error',
    words: 'Next call that died',
    short: 'Next error',
    keys: ['E'],
    place: 'run',
    when: (context) => view(context)?.calls.some((call) => call.status === 'dead') === true,
    run: ({ controls }) => controls.lanes?.step(1, 'failed'),
  },
  {
    id: 'inspector',
    words: 'Show or hide the inspector',
    short: 'Inspector',
    keys: ['I'],
    place: 'run',
    run: ({ stores }) => stores.window.getState().setInspector(!stores.window.getState().inspector),
  },
  {
    id: 'unfold',
    words: 'Fold or unfold long waits',
    keys: ['U'],
    place: 'run',
    run: ({ stores }) => stores.run.getState().setUnfolded(!stores.run.getState().unfolded),
  },
  { id: 'copy-output', words: 'Copy the output', keys: ['Mod+C'], place: 'run', run: ({ controls }) => controls.lanes?.copyOutput() },
  {
    id: 'run-resume',
    words: 'Resume this run',
    short: 'Resume',
    keys: ['R'],
    place: 'run',
    when: (context) => view(context)?.allowedActions.includes('resume') === true,
    whyNot: (context) => whyNoResume(view(context), stale(context)),
    run: (context) => {
      const open = view(context)
      if (open !== null) openResume(context.stores, open)
    },
  },
  {
    id: 'run-stop',
    words: 'Stop this run (asks once more)',
    short: 'Stop',
    keys: ['S', 'Shift+S'],
    place: 'run',
    when: (context) => view(context)?.allowedActions.includes('stop') === true,
    whyNot: (context) => whyNoStop(view(context), stale(context)),
    run: (context) => {
      const open = view(context)
      if (open !== null)
        askTwice(context, open.runId, `Press S again to stop ${open.title} #${open.number}.`, () => void stopRun(context.stores, open))
    },
  },
]
