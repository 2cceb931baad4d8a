/** The tray icon: what runs, and the ways back to the window, to a new run and out. */
import { app, Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron'
import type { RunId } from '../shared/ids.ts'
import type { LiveRuns } from './live-runs.ts'
import { liveSentence } from './run-words.ts'

/** The menu is made anew at most so often: its lines count calls. */
const REFRESH_MS = 1_000

export interface TrayOptions {
  icon: string
  live: LiveRuns
  show(): void
  openRun(runId: RunId): void
  newRun(): void
}

/** @returns takes the icon away */
export function createTray(options: TrayOptions): () => void {
  const tray = new Tray(nativeImage.createFromPath(options.icon))
  let timer: NodeJS.Timeout | undefined
  const refresh = () => {
    const template = trayMenu(options)
    tray.setContextMenu(Menu.buildFromTemplate(template))
    const count = options.live.entries.length
    tray.setToolTip(count === 0 ? 'Reprise' : `Reprise · ${count} running`)
  }
  const refreshSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      refresh()
    }, REFRESH_MS)
  }
  const stopChanged = options.live.changed.on(refresh)
  const stopEvents = options.live.event.on(refreshSoon)
  tray.on('click', options.show)
  refresh()
  return () => {
    clearTimeout(timer)
    stopChanged()
    stopEvents()
    tray.destroy()
  }
}

function trayMenu({ live, show, openRun, newRun }: TrayOptions): MenuItemConstructorOptions[] {
  const running = live.entries.map(
    ({ run, view }): MenuItemConstructorOptions => ({
      label: view === null ? `#${run.number} starts` : liveSentence(view),
      click: () => openRun(run.runId),
    }),
  )
  const rule: MenuItemConstructorOptions[] = running.length > 0 ? [{ type: 'separator' }] : []
  return [
    ...running,
    ...rule,
    { label: 'Show', click: show },
    { label: 'New run', click: newRun },
    { type: 'separator' },
    { label: 'Quit', click: () => app.quit() },
  ]
}
