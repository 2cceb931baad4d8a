/** Commands that make sense on every page. */
import { chooseProject, createWorkflow, reveal } from './actions.ts'
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
  {
    id: 'create-workflow',
    words: 'Create a workflow from a template',
    keys: [],
    place: 'anywhere',
    whyNot: (context) => (hasProject(context) ? null : 'Open a project first'),
    run: ({ stores }) => void createWorkflow(stores),
  },
  { id: 'open-project', words: 'Open a project', keys: ['Mod+O'], place: 'anywhere', run: ({ stores }) => void chooseProject(stores) },
  {
    id: 'home',
    words: 'Go to runs',
    keys: ['Mod+1'],
    place: 'anywhere',
    run: ({ stores }) => stores.window.getState().go({ name: 'home' }),
  },
  { id: 'back', words: 'Go back', keys: ['Mod+['], place: 'anywhere', run: ({ stores }) => stores.window.getState().back() },
  {
    id: 'settings',
    words: 'Change settings',
    keys: ['Mod+,'],
    place: 'anywhere',
    run: ({ stores }) => stores.window.getState().go({ name: 'settings' }),
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
  {
    id: 'close',
    words: 'Close the topmost thing',
    keys: ['Escape'],
    place: 'anywhere',
    when: (context) => topmost(context) !== null,
    run: (context) => topmost(context)?.(),
  },
  { id: 'regions', words: 'Next region of the window', keys: ['F6'], place: 'anywhere', run: () => nextRegion(1) },
  { id: 'regions-back', words: 'Previous region of the window', keys: ['Shift+F6'], place: 'anywhere', run: () => nextRegion(-1) },
  { id: 'region-1', words: 'Go to the bar on top', keys: ['Alt+1'], place: 'anywhere', run: () => goRegion('header.top') },
  { id: 'region-2', words: 'Go to the workflows', keys: ['Alt+2'], place: 'anywhere', run: () => goRegion('nav') },
  { id: 'region-3', words: 'Go to the runs or the timeline', keys: ['Alt+3'], place: 'anywhere', run: () => goRegion('main') },
  { id: 'region-4', words: 'Go to the inspector', keys: ['Alt+4'], place: 'anywhere', run: goInspector },
]

/** What Escape closes besides sheets and menus, which close themselves; null when there is nothing. */
function topmost({ stores, controls }: CommandContext): (() => void) | null {
  const { page } = stores.window.getState()
  switch (page.name) {
    case 'home':
      return stores.history.getState().peek ? () => stores.history.getState().setPeek(false) : null
    case 'settings':
      return () => stores.window.getState().back()
    case 'run':
      return document.activeElement?.closest('aside') == null ? null : () => controls.lanes?.focus()
    case 'workflow':
      return null // an edit must not be lost by a key that means "not this"
  }
}

function goInspector({ stores }: CommandContext): void {
  if (stores.window.getState().page.name === 'run') stores.window.getState().setInspector(true)
  requestAnimationFrame(() => goRegion('aside'))
}

function goRegion(selector: string): void {
  for (const region of document.querySelectorAll<HTMLElement>(selector)) if (focusInside(region)) return
}

/** The region's current row if it has one, else its heading or its first control. False when nothing in it takes the focus. */
function focusInside(region: HTMLElement): boolean {
  const target =
    region.querySelector<HTMLElement>('[role="row"][tabindex="0"], tr[tabindex="0"]') ??
    region.querySelector<HTMLElement>('h2[tabindex="-1"], button, input, [tabindex="0"]')
  target?.focus()
  return target !== null
}

/** Moves the focus to the next landmark. */
function nextRegion(by: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>('header.top, nav.nav, main, aside')]
  const at = regions.findIndex((region) => region.contains(document.activeElement))
  for (let step = 1; step <= regions.length; step++) {
    const region = regions[(Math.max(at, by > 0 ? -1 : 0) + by * step + regions.length * 2) % regions.length]
    if (region !== undefined && focusInside(region)) return
  }
}
