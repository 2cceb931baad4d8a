/** What lies under and over the rows: grid lines, the paper after the end, folds, the barline, now. Nothing to hear here. */
import { useId } from 'react'
import { ticks } from '../../../shared/run/timeline.ts'
import type { Ending } from './axis.tsx'
import type { Viewport } from './use-viewport.ts'

interface Props {
  viewport: Viewport
  endMs: number
}

export function Under({ viewport, endMs }: Props) {
  const { scale, pan, width } = viewport
  return (
    <div className="lanes-under" aria-hidden="true">
      <div className="ground" />
      <div className="paper">
        <div className="after" style={{ transform: `translateX(${Math.max(-width, scale.toX(endMs) - pan)}px)` }} />
        {ticks(scale, { from: pan, to: pan + width, endMs: scale.toMs(pan + width) }, []).map((tick) => (
          <div key={tick.ms} className="grid-line" style={{ transform: `translateX(${tick.x - pan}px)` }} />
        ))}
      </div>
    </div>
  )
}

export function Over({ viewport, endMs, running, ending, barline }: Props & { running: boolean; ending: Ending | null; barline: boolean }) {
  const { scale, pan } = viewport
  const endX = scale.toX(endMs) - pan
  return (
    <div className="lanes-over" aria-hidden="true">
      {barline && <div className="barline" />}
      <div className="paper">
        {scale.folds.map((fold) => (
          <div key={fold.from} className="fold" style={{ transform: `translateX(${fold.x - pan}px)` }}>
            <Zigzag />
          </div>
        ))}
        {running && <div className="now-line" style={{ transform: `translateX(${endX}px)` }} />}
        {!running && ending !== null && (
          <div className="end-line" data-tone={ending.state.tone} style={{ transform: `translateX(${endX}px)` }} />
        )}
      </div>
    </div>
  )
}

function Zigzag() {
  const id = useId()
  return (
    <svg aria-hidden="true">
      <pattern id={id} width="7" height="14" patternUnits="userSpaceOnUse">
        <path d="M1 0 6 3.5 1 7l5 3.5L1 14" fill="none" stroke="currentColor" strokeWidth="1.1" />
      </pattern>
      <rect width="7" height="100%" fill={`url(#${id})`} />
      <svg x="33" aria-hidden="true">
        <rect width="7" height="100%" fill={`url(#${id})`} />
      </svg>
    </svg>
  )
}
