/** Answers about the app itself and about what was dropped on it. */
import { app } from 'electron'
import { type Openings, sortPaths } from '../../openings.ts'
import type { Handlers } from '../validated-ipc.ts'

export function appHandlers(openings: Openings): Pick<Handlers, 'app.info' | 'app.inspectDrop'> {
  return {
    'app.info': () => ({
      version: app.getVersion(),
      platform: process.platform,
      electron: process.versions.electron,
      chrome: process.versions.chrome,
      node: process.versions.node,
    }),
    'app.inspectDrop': ({ paths }) => {
      const sorted = sortPaths(paths)
      if (sorted.kind === 'script') openings.openProjectOf(sorted.path)
      return sorted
    },
  }
}
