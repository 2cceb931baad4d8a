/** The system's open dialogs, beginning where the person works. Used by the page and by the menu. */
import { join } from 'node:path'
import { app, type BrowserWindow, dialog } from 'electron'
import type { AppError } from '../../../shared/errors.ts'
import type { Openings } from '../../openings.ts'
import type { Projects } from '../../projects.ts'
import { lostWords } from '../../run-words.ts'
import type { Handlers } from '../validated-ipc.ts'

type Chosen = { path: string } | null
export type DialogHandlers = Pick<Handlers, 'dialogs.openScript' | 'dialogs.openProject'>

export interface Dialogs {
  openScript(): Promise<Chosen>
  /** An exported run. */
  openBundle(): Promise<Chosen>
  openProject(): Promise<Chosen>
  /** Where to save a run, with a name to begin from; null when nothing was chosen. */
  savePath(name: string): Promise<string | null>
  /** The service of the app ended by itself, with so many runs at work. */
  tellLost(error: AppError, runs: number): Promise<void>
}

export function createDialogs(window: BrowserWindow, projects: Projects): Dialogs {
  const defaultPath = () => (projects.current?.exists === true ? { defaultPath: projects.current.path } : {})
  return {
    openScript: async () => {
      const filters = [{ name: 'Workflow scripts', extensions: ['ts', 'js', 'mjs'] }]
      const { filePaths } = await dialog.showOpenDialog(window, {
        title: 'Open script',
        properties: ['openFile'],
        filters,
        ...defaultPath(),
      })
      return chosen(filePaths)
    },
    openBundle: async () => {
      const { filePaths } = await dialog.showOpenDialog(window, {
        title: 'Import run',
        properties: ['openFile'],
        filters: [{ name: 'Exported runs', extensions: ['reprise'] }],
        ...defaultPath(),
      })
      return chosen(filePaths)
    },
    openProject: async () => {
      const { filePaths } = await dialog.showOpenDialog(window, {
        title: 'Open project',
        properties: ['openDirectory'],
        ...defaultPath(),
      })
      return chosen(filePaths)
    },
    savePath: async (name) => {
      const filters = [{ name: 'Runs', extensions: ['reprise'] }]
      const { filePath } = await dialog.showSaveDialog(window, {
        title: 'Export run',
        filters,
        defaultPath: join(app.getPath('documents'), name),
      })
      return filePath === '' ? null : filePath
    },
    tellLost: async (error, runs) => {
      await dialog.showMessageBox(window, { type: 'error', ...lostWords(error, runs), buttons: ['OK'], noLink: true })
    },
  }
}

export function dialogHandlers(dialogs: Dialogs, openings: Openings): DialogHandlers {
  return {
    'dialogs.openScript': async () => {
      const script = await dialogs.openScript()
      if (script !== null) openings.openProjectOf(script.path)
      return script
    },
    'dialogs.openProject': () => dialogs.openProject(),
  }
}

function chosen([path]: string[]): Chosen {
  return path === undefined ? null : { path }
}
