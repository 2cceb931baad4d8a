/** Every command of the window. The order is the order in the key list and the command sheet. */

import { TABS } from '../store/history-store.ts'
import { canResume, chooseProject, openResume, openRun, stopRun, whyNoResume, whyNoStop } from './actions.ts'
import type { Command, CommandContext } from './command.ts'

const listRun = ({ controls }: CommandContext) => controls.list?.current() ?? null
const view = ({ stores }: CommandContext) => stores.run.getState().view
const stale = ({ stores }: CommandContext) => stores.run.getState().staleSince !== null
const hasProject = ({ stores }: CommandContext) => stores.window.getState().project !== null

const anywhere: Command[] = [
  {
    id: 'commands',
    words: 'Search runs and commands',
    short: 'Commands',
    keys: ['Mod+K'],
    place: 'anywhere',
    run: ({ stores }) => stores.window.getState().openSheet({ name: 'commands' }),
  },
  {
    id: 'new-run',
    words: 'Start a new run',
    keys: ['Mod+N'],
    place: 'anywhere',
    whyNot: (context) => (hasProject(context) ? null : 'Open a project first'),
    run: ({ stores }) => stores.window.getState().openSheet({ name: 'new-run', target: null }),
  },
  { id: 'open-project', words: 'Open a project', keys: ['Mod+O'], place: 'anywhere', run: ({ stores }) => void chooseProject(stores) },
  {
    id: 'home',
    words: 'Go to runs',
    keys: ['Mod+1', 'Mod+['],
    place: 'anywhere',
    run: ({ stores }) => stores.window.getState().go({ name: 'home' }),
  },
  {
    id: 'keys',
    words: 'Show all keys',
    short: 'Keys',
    keys: ['?'],
    place: 'anywhere',
    run: ({ stores }) => stores.window.getState().openSheet({ name: 'keys' }),
  },
  { id: 'regions', words: 'Next region of the window', keys: ['F6'], place: 'anywhere', run: () => nextRegion() },
]

const list: Command[] = [
  { id: 'list-down', words: 'Next run', keys: ['ArrowDown', 'J'], place: 'list', run: ({ controls }) => controls.list?.move(1) },
  { id: 'list-up', words: 'Previous run', keys: ['ArrowUp', 'K'], place: 'list', run: ({ controls }) => controls.list?.move(-1) },
  { id: 'list-first', words: 'First run', keys: ['Home'], place: 'list', run: ({ controls }) => controls.list?.edge('first') },
  { id: 'list-last', words: 'Last run', keys: ['End'], place: 'list', run: ({ controls }) => controls.list?.edge('last') },
  {
    id: 'list-open',
    words: 'Open the run',
    short: 'Open',
    keys: ['Enter'],
    place: 'list',
    run: (context) => {
      const run = listRun(context)
      if (run !== null) openRun(context.stores, run.runId)
    },
  },
  {
    id: 'list-new',
    words: 'Start a new run',
    short: 'New run',
    keys: ['N'],
    place: 'list',
    whyNot: (context) => (hasProject(context) ? null : 'Open a project first'),
    run: ({ stores }) => stores.window.getState().openSheet({ name: 'new-run', target: null }),
  },
  {
    id: 'list-resume',
    words: 'Resume the run',
    short: 'Resume',
    keys: ['R'],
    place: 'list',
    whyNot: (context) => {
      const run = listRun(context)
      return run !== null && canResume(run) ? null : 'This run has nothing to resume'
    },
    run: (context) => {
      const run = listRun(context)
      if (run !== null) openResume(context.stores, run)
    },
  },
  {
    id: 'list-stop',
    words: 'Stop the run (asks once more)',
    short: 'Stop',
    keys: ['S', 'Shift+S'],
    place: 'list',
    whyNot: (context) => (listRun(context)?.status === 'running' ? null : 'This run is not running'),
    run: (context) => {
      const run = listRun(context)
      if (run !== null)
        askTwice(context, run.runId, `Press S again to stop ${run.title} #${run.number}.`, () => void stopRun(context.stores, run))
    },
  },
  {
    id: 'filter',
    words: 'Filter the list',
    short: 'Filter',
    keys: ['/', 'Mod+F'],
    place: 'list',
    run: ({ controls }) => controls.list?.focusFilter(),
  },
  { id: 'tab-next', words: 'Next group of runs', keys: [']'], place: 'list', run: (context) => stepTab(context, 1) },
  { id: 'tab-previous', words: 'Previous group of runs', keys: ['['], place: 'list', run: (context) => stepTab(context, -1) },
]

const run: Command[] = [
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

export const COMMANDS: readonly Command[] = [...anywhere, ...list, ...run]

/** What a single key armed: the same key pressed next goes through, any other key lets it go. */
let armed: string | null = null

export function disarm(): void {
  armed = null
}

function askTwice({ stores }: CommandContext, runId: string, question: string, act: () => void): void {
  if (armed === runId) {
    armed = null
    act()
    return
  }
  armed = runId
  stores.window.getState().showToast({ text: question, action: null })
  stores.window.getState().say(question)
}

function stepTab({ stores }: CommandContext, by: number): void {
  const { tab, setTab } = stores.history.getState()
  const next = TABS[(TABS.indexOf(tab) + by + TABS.length) % TABS.length]
  if (next !== undefined) setTab(next)
}

/** Moves the focus to the next landmark: its current row if it has one, else its first control. */
function nextRegion(): void {
  const regions = [...document.querySelectorAll<HTMLElement>('header.top, nav.nav, main, aside')]
  const at = regions.findIndex((region) => region.contains(document.activeElement))
  for (let step = 1; step <= regions.length; step++) {
    const region = regions[(at + step) % regions.length]
    const target =
      region?.querySelector<HTMLElement>('[role="row"][tabindex="0"]') ??
      region?.querySelector<HTMLElement>('button, input, [tabindex="0"]')
    if (target != null) return target.focus()
  }
}
