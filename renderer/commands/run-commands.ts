/** Commands of the run page: rows, time, the run itself. */
import { shownView } from '../store/run-store.ts'
import { answerQuestion, openResume, type PermissionChoice, showAttempt, stopRun, whyNoResume, whyNoStop } from './actions.ts'
import { askTwice } from './ask-twice.ts'
import type { Command, CommandContext } from './command.ts'
import { type Asked, openQuestions } from './open-questions.ts'

const view = ({ stores }: CommandContext) => shownView(stores.run.getState())

/** One attempt earlier or later than the one that is shown. */
function stepAttempt(context: CommandContext, by: number): void {
  const shown = view(context)
  const numbers = shown?.attempts.map(({ attempt }) => attempt).sort((a, b) => a - b) ?? []
  const next = numbers[numbers.indexOf(shown?.attempt ?? 0) + by]
  if (next !== undefined) void showAttempt(context.stores, next)
  else context.stores.window.getState().say(by < 0 ? 'This is the first attempt' : 'This is the newest attempt')
}

const hasAttempts = (context: CommandContext) => (view(context)?.attempts.length ?? 0) > 1
const stale = ({ stores }: CommandContext) => stores.run.getState().staleSince !== null

/** The selected gate, else the first one that waits; null without any. */
function gateOf(context: CommandContext): number | null {
  const open = view(context)
  if (open === null || !open.allowedActions.includes('decide')) return null
  const gates = open.calls.filter((call) => call.kind === 'gate' && call.status === 'waiting')
  const { selected } = context.stores.run.getState()
  return (gates.find((call) => `call:${call.callId}` === selected) ?? gates[0])?.callId ?? null
}

function questionOf(context: CommandContext): Asked | null {
  const open = view(context)
  return open === null ? null : (openQuestions(open)[0] ?? null)
}

function giveAnswer(context: CommandContext, choice: PermissionChoice): void {
  const asked = questionOf(context)
  const open = view(context)
  if (asked !== null && open !== null) void answerQuestion(context.stores, open, asked, choice)
}

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
    run: ({ stores }) => stores.run.getState().setFace(stores.run.getState().face === 'table' ? 'lanes' : 'table'),
  },
  {
    id: 'log',
    words: 'Switch between lanes and log',
    keys: ['O'],
    place: 'run',
    run: ({ stores }) => stores.run.getState().setFace(stores.run.getState().face === 'log' ? 'lanes' : 'log'),
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
    id: 'gate',
    words: 'Answer the gate that waits',
    short: 'Decide',
    keys: ['Shift+G'],
    place: 'run',
    when: (context) => gateOf(context) !== null,
    whyNot: (context) => (stale(context) ? 'Off until updates return' : null),
    run: (context) => {
      const gate = gateOf(context)
      const open = view(context)
      if (gate !== null && open !== null) context.stores.window.getState().openSheet({ name: 'gate', runId: open.runId, callId: gate })
    },
  },
  {
    id: 'answer-allow',
    words: 'Allow what the agent asks for, once',
    keys: ['Mod+Enter'],
    place: 'run',
    when: (context) => questionOf(context) !== null,
    whyNot: (context) => (stale(context) ? 'Off until updates return' : null),
    run: (context) => giveAnswer(context, 'allow-once'),
  },
  {
    id: 'answer-always',
    words: 'Allow what the agent asks for, and this tool from now on',
    keys: ['Mod+Shift+Enter'],
    place: 'run',
    when: (context) => questionOf(context) !== null,
    whyNot: (context) => (stale(context) ? 'Off until updates return' : null),
    run: (context) => giveAnswer(context, 'allow-always'),
  },
  {
    id: 'answer-deny',
    words: 'Deny what the agent asks for',
    keys: ['Backspace'],
    place: 'run',
    when: (context) => questionOf(context) !== null,
    whyNot: (context) => (stale(context) ? 'Off until updates return' : null),
    run: (context) => giveAnswer(context, 'deny'),
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
    id: 'pin',
    words: 'Pin the lane on top, or let it go',
    short: 'Pin lane',
    keys: ['P'],
    place: 'run',
    when: (context) => context.controls.lanes !== null && context.stores.run.getState().face === 'lanes',
    run: ({ controls }) => controls.lanes?.pin(),
  },
  {
    id: 'attempt-earlier',
    words: 'Earlier attempt',
    keys: ['['],
    place: 'run',
    when: hasAttempts,
    run: (context) => stepAttempt(context, -1),
  },
  { id: 'attempt-later', words: 'Later attempt', keys: [']'], place: 'run', when: hasAttempts, run: (context) => stepAttempt(context, 1) },
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
