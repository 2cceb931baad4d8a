/** Answers about the app itself and about what was dropped on it. */
import { app } from 'electron'
import { type Openings, sortPaths } from '../../openings.ts'
import { makeSample } from '../../sample.ts'
import type { MessageLog } from '../message-log.ts'
import type { Handlers } from '../validated-ipc.ts'

type AppHandlers = Pick<Handlers, Extract<keyof Handlers, `app.${string}`>>

export function appHandlers(openings: Openings, dataFolder: string, log: MessageLog): AppHandlers {
  return {
    'app.ipcLog': () => log.lines,
    'app.info': () => ({
      version: app.getVersion(),
      platform: process.platform,
      electron: process.versions.electron,
      chrome: process.versions.chrome,
      node: process.versions.node,
    }),
    'app.openSample': () => {
      const path = makeSample(dataFolder)
      openings.openProjectOf(path)
      openings.push({ kind: 'script', path, agent: 'simulated' })
      return null
    },
    'app.inspectDrop': ({ paths }) => {
      const sorted = sortPaths(paths)
      if (sorted.kind === 'script') openings.openProjectOf(sorted.path)
      return sorted
    },
  }
}
