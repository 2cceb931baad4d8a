/** The bar on the app's icon: the share of declared phases that the live runs have behind them. */
import type { RunView } from '../shared/run/view.ts'
import type { LiveRuns } from './live-runs.ts'

/** No bar at all. */
const NONE = -1

/** @param show takes 0 to 1, or -1 for no bar; called only when that changes */
export function followProgress(live: LiveRuns, show: (share: number) => void): void {
  let shown = NONE
  const update = (): void => {
    const share = progressOf(live.entries.flatMap(({ view }) => (view === null ? [] : [view])))
    if (share === shown) return
    shown = share
    show(share)
  }
  live.event.on(({ event }) => {
    if (event.type === 'phase.started' || event.type === 'phase.ended' || event.type === 'run.started') update()
  })
  live.changed.on(update)
}

/** From 0 to 1 over all runs together; -1 when none of them declares a phase. */
export function progressOf(views: readonly RunView[]): number {
  const declared = views.flatMap(({ phases }) => phases.filter((phase) => phase.declared))
  if (declared.length === 0) return NONE
  return declared.filter(({ status }) => status === 'ended').length / declared.length
}
