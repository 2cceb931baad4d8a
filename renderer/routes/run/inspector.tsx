/** Right pane: the selected call or lane, or the run as a whole; never blank. */
import { useEffect } from 'react'
import type { PhaseRow } from '../../../shared/run/lanes.ts'
import type { RunView } from '../../../shared/run/view.ts'
import { useRun, useStores, useWindow } from '../../store/stores.ts'
import { CallInspector } from './call-inspector.tsx'
import { PhaseInspector } from './phase-inspector.tsx'
import { RunInspector } from './run-inspector.tsx'

/** `--inspector` of the tokens. */
const DEFAULT_WIDTH = 336

interface Props {
  view: RunView
  all: readonly PhaseRow[]
  now: number
}

export function Inspector({ view, all, now }: Props) {
  const { window: frame } = useStores()
  const selected = useRun((state) => state.selected)
  const width = useWindow((state) => state.inspectorWidth)
  const row = all.flatMap((lane) => lane.calls).find((call) => call.id === selected)
  const lane = all.find((one) => one.id === selected)
  return (
    <aside className="side" aria-label="Inspector" style={width === null ? undefined : { '--inspector': `${width}px` }}>
      <Resizer width={width ?? DEFAULT_WIDTH} onWidth={frame.getState().setInspectorWidth} />
      <div className="inspector">
        {row !== undefined ? (
          <CallInspector key={row.id} row={row} view={view} now={now} />
        ) : lane !== undefined ? (
          <PhaseInspector lane={lane} />
        ) : (
          <RunInspector view={view} now={now} />
        )}
      </div>
    </aside>
  )
}

function Resizer({ width, onWidth }: { width: number; onWidth: (px: number) => void }) {
  useEffect(() => {
    const release = () => {
      document.documentElement.style.cursor = ''
    }
    return release
  }, [])
  return (
    <div
      role="separator"
      tabIndex={0}
      className="resizer"
      aria-label="Width of the inspector"
      aria-orientation="vertical"
      aria-valuemin={320}
      aria-valuemax={560}
      aria-valuenow={width}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
        event.preventDefault()
        event.stopPropagation()
        onWidth(width + (event.key === 'ArrowLeft' ? 24 : -24))
      }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && onWidth(innerWidth - event.clientX)}
    />
  )
}
