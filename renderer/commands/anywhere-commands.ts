/** Commands that make sense on every page. */
import { chooseProject, reveal } from './actions.ts'
import type { Command, CommandContext } from './command.ts'

export const hasProject = ({ stores }: CommandContext) => stores.window.getState().project !== null

export const ANYWHERE: readonly Command[] = [
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
    id: 'settings',
    words: 'Change settings',
    keys: ['Mod+,'],
    place: 'anywhere',
    run: ({ stores }) => stores.window.getState().openSheet({ name: 'settings' }),
  },
  {
    id: 'reveal',
    words: 'Reveal the project in the file manager',
    keys: ['Mod+Shift+R'],
    place: 'anywhere',
    whyNot: (context) => (hasProject(context) ? null : 'Open a project first'),
    run: ({ stores }) => void reveal(stores),
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
