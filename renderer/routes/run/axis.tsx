/** The head of the timeline: names of the regions over ticks; dragging over the ruler shows that range. */
import { useState } from 'react'
import type { Shown } from '../../../shared/run/status.ts'
import { ticks } from '../../../shared/run/timeline.ts'
import { duration } from '../../words/quantity.ts'
import type { Viewport } from './use-viewport.ts'

export interface Ending {
  state: Shown
  label: string
}

/** Room of “Live, attempt 2”, and of half a fold's label to either side. */
const HEAD_PX = 96
const FOLD_PX = 28

interface Props {
  viewport: Viewport
  endMs: number
  running: boolean
  attempt: number
  replayedCalls: number
  ending: Ending | null
  onUnfold: () => void
}

export function Axis({ viewport, endMs, running, attempt, replayedCalls, ending, onUnfold }: Props) {
  const { scale, pan, width } = viewport
  const endX = scale.toX(endMs) - pan
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null)
  const endLabel = running
    ? { from: endX + pan - 18, to: endX + pan + 18 }
    : { from: endX + pan - (ending?.label.length ?? 0) * 6.5 - 20, to: endX + pan }
  const headFits = scale.folds.every((fold) => fold.x - pan + FOLD_PX < 0 || fold.x - pan - FOLD_PX > HEAD_PX)
  const at = (event: React.PointerEvent) => event.clientX - event.currentTarget.getBoundingClientRect().left
  return (
    <div className="axis" role="row" aria-rowindex={1}>
      <div className="axis-columns" role="presentation">
        <span role="columnheader">Call</span>
        <span role="columnheader">State</span>
        <span role="columnheader">Worked</span>
      </div>
      <div className="axis-replay" data-tone="replayed" aria-hidden="true">
        {replayedCalls > 0 && (
          <>
            <b>Replayed</b>
            {`, ${replayedCalls} ${replayedCalls === 1 ? 'call' : 'calls'}`}
          </>
        )}
      </div>
      <div
        className="axis-live"
        aria-hidden="true"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          setDrag({ from: at(event), to: at(event) })
        }}
        onPointerMove={(event) => drag !== null && setDrag({ ...drag, to: at(event) })}
        onPointerUp={() => {
          if (drag !== null && Math.abs(drag.to - drag.from) > 6) {
            const [from, to] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)]
            viewport.showRange({ from: scale.toMs(pan + from), to: scale.toMs(pan + to) })
          }
          setDrag(null)
        }}
        onPointerCancel={() => setDrag(null)}
      >
        {headFits && (
          <>
            <b>Live</b>, attempt {attempt}
          </>
        )}
        {ticks(scale, { from: pan, to: pan + width, endMs: scale.toMs(pan + width) }, [endLabel])
          .filter((tick) => tick.x - pan > -60 && tick.ms <= Math.max(endMs, 1))
          .map((tick) => (
            <span key={tick.ms} className="tick" style={{ transform: `translateX(${tick.x - pan}px)` }}>
              {tick.label}
            </span>
          ))}
        {scale.folds.map((fold) => (
          <button
            key={fold.from}
            type="button"
            tabIndex={-1}
            className="axis-label axis-label--fold"
            style={{ transform: `translateX(${fold.x - pan}px)` }}
            onPointerDown={(event) => event.stopPropagation()}
            onClick={onUnfold}
          >
            {duration(fold.to - fold.from)}
            <span>folded</span>
          </button>
        ))}
        {running && (
          <span className="axis-label axis-label--now" style={{ transform: `translateX(${endX}px)` }}>
            now
          </span>
        )}
        {!running && ending !== null && (
          <span className="axis-label axis-label--end" data-tone={ending.state.tone} style={{ transform: `translateX(${endX}px)` }}>
            {ending.label}
          </span>
        )}
        {drag !== null && (
          <div className="axis-select" style={{ left: Math.min(drag.from, drag.to), width: Math.abs(drag.to - drag.from) }} />
        )}
      </div>
      {replayedCalls > 0 && <div className="barline barline--axis" aria-hidden="true" />}
    </div>
  )
}
