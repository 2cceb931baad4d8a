/** Home: the project's runs, what needs somebody above everything. */
import { useRef } from 'react'
import { Foot } from '../../ui/foot.tsx'
import { useWindow } from '../../store/stores.ts'
import { HomeNav } from './home-nav.tsx'
import { HomeTop } from './home-top.tsx'
import { RunsMain } from './runs-main.tsx'
import { FirstRun } from './first-run.tsx'

export function Home() {
  const project = useWindow((state) => state.project)
  const frame = useRef<HTMLDivElement>(null)
  if (project === null) return <FirstRun />
  return (
    <div className="window" ref={frame}>
      <HomeTop />
      <HomeNav />
      <RunsMain frame={frame} />
      <Foot place="list">{project.name}</Foot>
    </div>
  )
}
