/** Right pane: the selected call or lane, or the run as a whole; never blank. */
import { useEffect } from 'react'
import type { PhaseRow } from '../../../shared/run/lanes.ts'
import type { RunView } from '../../../shared/run/view.ts'
import { useRun, useStores, useWindow } from '../../store/stores.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { CallInspector } from './call-inspector.tsx'
import { PhaseInspector } from './phase-inspector.tsx'
import { RunInspector } from './run-inspector.tsx'

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
    <aside className="side" aria-label="Inspector" style={{ width }}>
      <Resizer width={width} onWidth={frame.getState().setInspectorWidth} />
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

export function InspectorHead({ title, children }: { title: string; children: React.ReactNode }) {
  const { window: frame } = useStores()
  return (
    <header className="inspector-head">
      <h2 tabIndex={-1}>{title}</h2>
      <Button look="quiet" icon aria-label="Close inspector" title="Close inspector" onClick={() => frame.getState().setInspector(false)}>
        <Icon name="close" />
      </Button>
      <p>{children}</p>
    </header>
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
    // biome-ignore lint/a11y/useSemanticElements: a separator that can be moved is no rule line
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
