/** One window: the page, what lies over it, and what is said aloud. */
import { useEffect } from 'react'
import { assertNever } from '../shared/assert-never.ts'
import type { AppCommand } from '../shared/contract/events.ts'
import { needsYou } from '../shared/run/status.ts'
import { importRun, openPlace, openProject, refuse, showProject } from './commands/actions.ts'
import { COMMANDS } from './commands/commands.ts'
import { useCommands, useControls } from './commands/use-commands.ts'
import { Home } from './routes/home/home.tsx'
import { RunPage } from './routes/run/run-page.tsx'
import { SettingsPage } from './routes/settings/settings-page.tsx'
import { WorkflowPage } from './routes/workflow/workflow-page.tsx'
import { Sheets } from './sheets/sheets.tsx'
import { useHistory, useRun, useStores, useWindow } from './store/stores.ts'
import type { Page } from './store/window-store.ts'
import { DropOverlay } from './ui/drop-overlay.tsx'
import { LiveRegions } from './ui/live-regions.tsx'
import { ToastLine } from './ui/toast.tsx'

export function App() {
  const ready = useWindow((state) => state.ready)
  const page = useWindow((state) => state.page)
  useStart()
  useAppearance()
  useTitle()
  useCommands()
  return (
    <>
      {ready && <Shown page={page} />}
      <Sheets />
      <ToastLine />
      <DropOverlay />
      <LiveRegions />
    </>
  )
}

function Shown({ page }: { page: Page }) {
  switch (page.name) {
    case 'home':
      return <Home />
    case 'run':
      return <RunPage runId={page.runId} />
    case 'settings':
      return <SettingsPage />
    case 'workflow':
      return <WorkflowPage key={page.path} path={page.path} line={page.line} />
    default:
      return assertNever(page)
  }
}

/** Menu items of the app are commands of the window. */
const COMMAND_OF: Record<AppCommand, string> = {
  'new-run': 'new-run',
  home: 'home',
  back: 'back',
  find: 'filter',
  commands: 'commands',
  settings: 'settings',
  keys: 'keys',
  'reveal-project': 'reveal',
}

/** Loads what the window shows first, and listens to what the app brings. */
function useStart(): void {
  const stores = useStores()
  const controls = useControls()
  useEffect(() => {
    const start = async () => {
      await stores.window.getState().load()
      if (stores.window.getState().project !== null) await stores.history.getState().load()
    }
    void start()
    const offOpen = stores.bridge.app.onOpen((open) => {
      switch (open.kind) {
        case 'project':
          return open.project.exists ? showProject(stores, open.project) : void openProject(stores, open.project.path)
        case 'script':
          return stores.window.getState().openSheet({ name: 'new-run', target: { path: open.path }, agent: open.agent })
        case 'bundle':
          return void importRun(stores, open.path)
        case 'run':
          return void openPlace(stores, open)
        case 'refused':
          return refuse(stores, open.message)
      }
    })
    const offCommand = stores.bridge.app.onCommand((name) => {
      COMMANDS.find((command) => command.id === COMMAND_OF[name])?.run({ stores, controls })
    })
    const offSettings = stores.bridge.settings.onChange((settings) => stores.window.setState({ settings }))
    return () => {
      offSettings()
      offOpen()
      offCommand()
    }
  }, [stores, controls])
}

/** The window's title: where one is, and how many runs wait for somebody. */
function useTitle(): void {
  const page = useWindow((state) => state.page.name)
  const project = useWindow((state) => state.project?.name)
  const run = useRun((state) => (state.view === null ? null : `${state.view.title} #${state.view.number}`))
  const waiting = useHistory((state) => state.runs.filter((one) => needsYou(one)).length)
  useEffect(() => {
    const place = page === 'run' ? run : project
    document.title = [waiting > 0 ? `(${waiting})` : null, place ?? null, 'Reprise'].filter((part) => part !== null).join(' · ')
  }, [page, project, run, waiting])
}

/** Theme, motion and density of the settings, as attributes that the tokens read. */
function useAppearance(): void {
  const theme = useWindow((state) => state.settings.theme)
  const motion = useWindow((state) => state.settings.reduceMotion)
  const density = useWindow((state) => state.settings.density)
  useEffect(() => {
    const { dataset } = document.documentElement
    if (theme === 'system') delete dataset.theme
    else dataset.theme = theme
    if (motion === 'on') dataset.motion = 'reduce'
    else delete dataset.motion
    dataset.density = density
  }, [theme, motion, density])
}
