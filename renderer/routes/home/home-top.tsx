/** Home's bar: which project, the way to everything by typing, and how many runs wait for somebody. */
import { needsYou } from '../../../shared/run/status.ts'
import { chooseProject, openProject, reveal } from '../../commands/actions.ts'
import { ariaKey, showKey } from '../../commands/keys.ts'
import { useKeyHint } from '../../commands/use-commands.ts'
import { useHistory, useStores, useWindow } from '../../store/stores.ts'
import { Button } from '../../ui/button.tsx'
import { Glyph } from '../../ui/glyph.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Top } from '../../ui/top.tsx'

export function HomeTop() {
  const stores = useStores()
  const waiting = useHistory((state) => state.runs.filter((run) => needsYou(run)).length)
  return (
    <Top>
      <ProjectMenu />
      <div className="top-middle">
        <Button
          look="plain"
          className="button--search"
          aria-keyshortcuts={ariaKey('Mod+K')}
          onClick={() => stores.window.getState().openSheet({ name: 'commands' })}
        >
          <Icon name="search" />
          Search runs or type a command
          <span className="key push" aria-hidden="true">
            {showKey('Mod+K')}
          </span>
        </Button>
      </div>
      {waiting > 0 && (
        <Button look="attention" data-tone="waiting" onClick={() => stores.history.getState().setTab('needs-you')}>
          <Glyph tone="waiting" />
          {waiting === 1 ? '1 needs you' : `${waiting} need you`}
        </Button>
      )}
      <SettingsButton />
    </Top>
  )
}

export function SettingsButton() {
  const stores = useStores()
  return (
    <Button
      look="quiet"
      icon
      aria-label="Settings"
      title={`Settings ${useKeyHint('settings') ?? ''}`}
      onClick={() => stores.window.getState().go({ name: 'settings' })}
    >
      <Icon name="settings" />
    </Button>
  )
}

function ProjectMenu() {
  const stores = useStores()
  const project = useWindow((state) => state.project)
  const recent = useWindow((state) => state.recent)
  const items: MenuItem[] = recent.map((known) => ({
    id: known.path,
    label: known.name,
    mark: known.path === project?.path ? <Icon name="check" /> : null,
    note: known.path,
    whyNot: known.exists ? null : `${known.path} is not there any more`,
    run: () => void openProject(stores, known.path),
  }))
  items.push({ id: 'reveal', label: 'Reveal in file manager', run: () => void reveal(stores) })
  items.push({ id: 'open', label: 'Open a project…', hint: showKey('Mod+O'), run: () => void chooseProject(stores) })
  return (
    <Menu
      items={items}
      trigger={
        <Button look="quiet">
          <span className="heard">Project </span>
          {project?.name ?? 'No project'}
          <Icon name="down" />
        </Button>
      }
    />
  )
}
