/** Keeps the machine awake while runs are live, when the person wants that. */
import { powerSaveBlocker } from 'electron'
import type { LiveRuns } from './live-runs.ts'
import type { AppSettings } from './settings.ts'

export function keepAwake(live: LiveRuns, settings: AppSettings): void {
  let blocker: number | null = null
  const update = () => {
    const isWanted = settings.value.keepAwake && live.entries.length > 0
    if (isWanted && blocker === null) blocker = powerSaveBlocker.start('prevent-app-suspension')
    if (!isWanted && blocker !== null) {
      powerSaveBlocker.stop(blocker)
      blocker = null
    }
  }
  live.changed.on(update)
  settings.changed.on(update)
}
