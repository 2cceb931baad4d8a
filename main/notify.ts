/**
 * Tells of a run's end when nobody may be looking: one notification an end, none for what the person stopped here. Only ends
 * of runs of this process come here, so history is never announced.
 */
import { Notification } from 'electron'
import type { Settings } from '../shared/contract/settings.ts'
import { RunId } from '../shared/ids.ts'
import type { RunView } from '../shared/run/view.ts'
import type { LiveRuns } from './live-runs.ts'
import { endSentence, nameOf } from './run-words.ts'

export interface NotifyOptions {
  live: LiveRuns
  settings(): Settings
  /** The person looks at the app right now. */
  isInFront(): boolean
  open(runId: RunId): void
}

export function notifyOfEnds({ live, settings, isInFront, open }: NotifyOptions): void {
  // Kept while on screen: a collected notification hears no click.
  const shown = new Set<Notification>()
  const show = (view: RunView) => {
    const notification = new Notification({ title: nameOf(view), body: endSentence(view) })
    const forget = () => void shown.delete(notification)
    shown.add(notification)
    notification.on('click', () => {
      forget()
      open(RunId.parse(view.runId))
    })
    notification.on('close', forget)
    notification.on('failed', (_event, error) => {
      forget()
      console.error(`The end of ${nameOf(view)} could not be told: ${error}`)
    })
    notification.show()
  }
  live.ended.on(({ entry, view }) => {
    if (entry.isStoppedByUser || view.status === 'killed' || !Notification.isSupported()) return
    const when = settings().notifyRunEnded
    if (when === 'always' || (when === 'in-background' && !isInFront())) show(view)
  })
}
