/** The page of one run: what it does, what it cost, what failed, what can be done next. */
import { useEffect, useMemo } from 'react'
import { lanes } from '../../../shared/run/lanes.ts'
import { isLive } from '../../../shared/run/status.ts'
import { shownView } from '../../store/run-store.ts'
import { useRun, useStores, useWindow } from '../../store/stores.ts'
import { useNow } from '../../store/use-now.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Foot } from '../../ui/foot.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Top } from '../../ui/top.tsx'
import { exactTime, relativeDay, when } from '../../words/quantity.ts'
import { CallTable } from './call-table.tsx'
import { Inspector } from './inspector.tsx'
import { LanesMain } from './lanes-main.tsx'
import { LogMain } from './log-main.tsx'
import { QuestionDock } from './question-dock.tsx'
import { RunTop } from './run-top.tsx'
import { Summary } from './summary.tsx'
import { useAnnouncements } from './use-announcements.ts'

export function RunPage({ runId }: { runId: string }) {
  const stores = useStores()
  const view = useRun(shownView)
  const error = useRun((state) => state.error)
  const toggled = useRun((state) => state.toggled)
  const face = useRun((state) => state.face)
  const stale = useRun((state) => state.staleSince)
  const inspector = useWindow((state) => state.inspector)
  const live = view !== null && isLive(view.status) && stale === null
  const now = useNow(live)
  useEffect(() => {
    void stores.run.getState().open(runId)
  }, [runId, stores])
  useAnnouncements()
  // While updates are missing the clock stands too: a bar that grew would be a claim.
  const shownAt = stale ?? now
  const all = useMemo(() => (view === null ? [] : lanes(view, { now: shownAt, toggled })), [view, shownAt, toggled])

  if (view === null) {
    return (
      <div className="window window--page">
        <Top>
          <Button look="quiet" onClick={() => stores.window.getState().go({ name: 'home' })}>
            <Icon name="left" />
            Runs
          </Button>
        </Top>
        <main className="main" aria-label="Run">
          {error !== null && <Failure error={error} retry={() => void stores.run.getState().refetch()} />}
        </main>
        <Foot place="anywhere" />
      </div>
    )
  }
  return (
    <div className="window window--run">
      <RunTop view={view} now={shownAt} />
      <Summary view={view} now={shownAt} />
      {face === 'lanes' && <LanesMain view={view} all={all} now={shownAt} />}
      {face === 'table' && <CallTable view={view} all={all} />}
      {face === 'log' && <LogMain view={view} />}
      {inspector && <Inspector view={view} all={all} now={shownAt} />}
      <QuestionDock view={view} />
      <Foot place="run">Saved {relativeDay(view.updatedAt, now) === 'Today' ? exactTime(view.updatedAt) : when(view.updatedAt, now)}</Foot>
    </div>
  )
}
