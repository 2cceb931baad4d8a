/** Home: the project's runs, what needs somebody above everything. */
import { useState } from 'react'
import { useHistory, useWindow } from '../../store/stores.ts'
import { useNow } from '../../store/use-now.ts'
import { Foot } from '../../ui/foot.tsx'
import { exactTime, relativeDay, when } from '../../words/quantity.ts'
import { FirstRun } from './first-run.tsx'
import { HomeNav } from './home-nav.tsx'
import { HomeTop } from './home-top.tsx'
import { Peek } from './peek.tsx'
import { RunsMain } from './runs-main.tsx'

export function Home() {
  const project = useWindow((state) => state.project)
  const [frame, setFrame] = useState<HTMLDivElement | null>(null)
  if (project === null) return <FirstRun />
  return (
    <div className="window" ref={setFrame}>
      <HomeTop />
      <HomeNav />
      <RunsMain frame={frame} />
      <PeekPane />
      <Foot place="list">
        <LastSaved />
      </Foot>
    </div>
  )
}

/** Beside the list while it is wanted and there is a run to look at. */
function PeekPane() {
  const peek = useHistory((state) => state.peek)
  const run = useHistory((state) => state.runs.find((one) => one.runId === state.focused) ?? state.runs[0])
  return peek && run !== undefined ? <Peek run={run} /> : null
}

function LastSaved() {
  const error = useHistory((state) => state.error)
  const at = useHistory((state) => Math.max(0, ...state.runs.map((run) => run.updatedAt)))
  const now = useNow(false)
  if (error !== null) return 'Not updating'
  if (at === 0) return null
  return <>Live · saved {relativeDay(at, now) === 'Today' ? exactTime(at) : when(at, now)}</>
}
