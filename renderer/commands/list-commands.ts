/** Commands of the list of runs. */
import { isLive } from '../../shared/run/status.ts'
import { TABS } from '../store/history-store.ts'
import { askDelete, canResume, copyLink, openResume, openRun, stopRun } from './actions.ts'
import { hasProject } from './anywhere-commands.ts'
import { askTwice } from './ask-twice.ts'
import type { Command, CommandContext } from './command.ts'

const listRun = ({ controls }: CommandContext) => controls.list?.current() ?? null

export const LIST: readonly Command[] = [
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
    id: 'list-peek',
    words: 'Peek at the run without leaving the list',
    short: 'Peek',
    keys: ['Space'],
    place: 'list',
    run: ({ stores }) => stores.history.getState().setPeek(!stores.history.getState().peek),
  },
  {
    id: 'list-copy-link',
    words: 'Copy a link to the run',
    keys: ['C'],
    place: 'list',
    run: (context) => {
      const run = listRun(context)
      if (run !== null) void copyLink(context.stores, run)
    },
  },
  {
    id: 'list-delete',
    words: 'Delete the run…',
    keys: ['Backspace', 'Mod+Backspace'],
    place: 'list',
    whyNot: (context) => {
      const run = listRun(context)
      if (run === null) return 'There is no run to delete'
      if (run.pinned === true) return 'It is kept: let it go first, in the menu of its page'
      return isLive(run.status) && run.endedAt === null ? 'Stop it first: it is at work' : null
    },
    run: (context) => {
      const run = listRun(context)
      if (run !== null) askDelete(context.stores, run)
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

function stepTab({ stores }: CommandContext, by: number): void {
  const { tab, setTab } = stores.history.getState()
  const next = TABS[(TABS.indexOf(tab) + by + TABS.length) % TABS.length]
  if (next !== undefined) setTab(next)
}
