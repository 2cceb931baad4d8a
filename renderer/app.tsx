/** One window: the page, what lies over it, and what is said aloud. */
import { useEffect } from 'react'
import { openProject, openRun, refuse, reveal, showProject } from './commands/actions.ts'
import { COMMANDS } from './commands/commands.ts'
import { useCommands, useControls } from './commands/use-commands.ts'
import { Home } from './routes/home/home.tsx'
import { RunPage } from './routes/run/run-page.tsx'
import { Sheets } from './sheets/sheets.tsx'
import { useStores, useWindow } from './store/stores.ts'
import { DropOverlay } from './ui/drop-overlay.tsx'
import { LiveRegions } from './ui/live-regions.tsx'
import { ToastLine } from './ui/toast.tsx'

export function App() {
  const ready = useWindow((state) => state.ready)
  const page = useWindow((state) => state.page)
  useStart()
  useAppearance()
  useCommands()
  return (
    <>
      {ready && (page.name === 'run' ? <RunPage runId={page.runId} /> : <Home />)}
      <Sheets />
      <ToastLine />
      <DropOverlay />
      <LiveRegions />
    </>
  )
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
          return stores.window.getState().openSheet({ name: 'new-run', target: { path: open.path } })
        case 'run':
          openRun(stores, open.runId)
          if (open.call !== null) stores.run.getState().select(`call:${open.call}`)
          return
        case 'refused':
          return refuse(stores, open.message)
      }
    })
    const offCommand = stores.bridge.app.onCommand((name) => {
      const id = {
        'new-run': 'new-run',
        home: 'home',
        back: 'home',
        find: 'filter',
        commands: 'commands',
        keys: 'keys',
        settings: null,
        'reveal-project': null,
      }[name]
      if (name === 'reveal-project') void reveal(stores)
      COMMANDS.find((command) => command.id === id)?.run({ stores, controls })
    })
    return () => {
      offOpen()
      offCommand()
    }
  }, [stores, controls])
}

/** Theme and motion of the settings, as attributes that the tokens read. */
function useAppearance(): void {
  const theme = useWindow((state) => state.settings.theme)
  const motion = useWindow((state) => state.settings.reduceMotion)
  useEffect(() => {
    const { dataset } = document.documentElement
    if (theme === 'system') delete dataset.theme
    else dataset.theme = theme
    if (motion === 'on') dataset.motion = 'reduce'
    else delete dataset.motion
  }, [theme, motion])
}
