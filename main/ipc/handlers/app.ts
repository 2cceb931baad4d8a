/** Answers about the app itself and about what was dropped on it. */
import { app } from 'electron'
import { sortPaths } from '../../openings.ts'
import type { Handlers } from '../validated-ipc.ts'

export function appHandlers(): Pick<Handlers, 'app.info' | 'app.inspectDrop'> {
  return {
    'app.info': () => ({
      version: app.getVersion(),
      platform: process.platform,
      electron: process.versions.electron,
      chrome: process.versions.chrome,
      node: process.versions.node,
    }),
    'app.inspectDrop': ({ paths }) => sortPaths(paths),
  }
}
