/** Home: the project's runs, what needs somebody above everything. */
import { useState } from 'react'
import { useHistory, useWindow } from '../../store/stores.ts'
import { useNow } from '../../store/use-now.ts'
import { Foot } from '../../ui/foot.tsx'
import { exactTime, relativeDay, when } from '../../words/quantity.ts'
import { FirstRun } from './first-run.tsx'
import { HomeNav } from './home-nav.tsx'
import { HomeTop } from './home-top.tsx'
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
      <Foot place="list">
        <LastSaved />
      </Foot>
    </div>
  )
}

function LastSaved() {
  const error = useHistory((state) => state.error)
  const at = useHistory((state) => Math.max(0, ...state.runs.map((run) => run.updatedAt)))
  const now = useNow(false)
  if (error !== null) return 'Not updating'
  if (at === 0) return null
  return <>Saved {relativeDay(at, now) === 'Today' ? exactTime(at) : when(at, now)}</>
}
