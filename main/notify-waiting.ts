/**
 * Tells of gates and questions that wait while nobody looks: one notification each, and a count on the app's icon of the runs
 * that wait for somebody.
 */
import { app, Notification } from 'electron'
import type { Settings } from '../shared/contract/settings.ts'
import { RunId } from '../shared/ids.ts'
import type { RunView } from '../shared/run/view.ts'
import type { LiveRuns } from './live-runs.ts'
import { nameOf } from './run-words.ts'

export interface NotifyWaitingOptions {
  live: LiveRuns
  settings(): Settings
  /** The person looks at the app right now. */
  isInFront(): boolean
  open(runId: RunId, callId: number): void
}

export function notifyOfWaiting({ live, settings, isInFront, open }: NotifyWaitingOptions): void {
  // Kept while on screen: a collected notification hears no click.
  const shown = new Set<Notification>()
  const tell = (view: RunView, callId: number, body: string) => {
    if (!settings().notifyWaiting || isInFront() || !Notification.isSupported()) return
    const notification = new Notification({ title: `${nameOf(view)} waits for you`, body })
    const forget = () => void shown.delete(notification)
    shown.add(notification)
    notification.on('click', () => {
      forget()
      open(RunId.parse(view.runId), callId)
    })
    notification.on('close', forget)
    notification.on('failed', (_event, error) => {
      forget()
      console.error(`${nameOf(view)} waits, which could not be told: ${error}`)
    })
    notification.show()
  }
  const count = () => {
    const waiting = live.entries.filter(({ view }) => view !== null && waitsForSomebody(view)).length
    app.setBadgeCount(settings().badge ? waiting : 0)
  }
  live.event.on(({ entry: { view }, event }) => {
    if (view === null) return
    if (event.type === 'gate.opened') tell(view, event.callId, event.question)
    if (event.type === 'permission.asked') tell(view, event.callId, `Asks to use ${event.tool}: ${event.title}`)
    if (/^(gate|permission|call|run)\./.test(event.type)) count()
  })
  live.changed.on(count)
}

export function waitsForSomebody(view: RunView): boolean {
  return view.calls.some((call) => call.status === 'waiting' && call.kind !== 'sleep')
}
