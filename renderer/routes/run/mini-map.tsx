/** The whole attempt at a glance under the timeline, with the part in view framed; both edges can be moved by mouse and arrows. */
import { useMemo, useRef } from 'react'
import type { CallRow, Span } from '../../../shared/run/lanes.ts'
import type { Scale } from '../../../shared/run/timeline.ts'
import { clock, makeScale } from '../../../shared/run/timeline.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { duration } from '../../words/quantity.ts'
import { replayedX } from './bars.tsx'
import type { Drawing } from './lane-rows.tsx'
import { segments } from './segments.ts'
import { useWidth } from './use-size.ts'
import type { Viewport } from './use-viewport.ts'

const LINES = 8

/** One path a tone: a thousand calls are a handful of elements. */
function paths(rows: readonly CallRow[], toX: (ms: number) => number): [string, string][] {
  const byTone = new Map<string, string>()
  for (const { line, tone, x, width } of segments(rows, toX, LINES))
    byTone.set(tone, `${byTone.get(tone) ?? ''}M${x.toFixed(1)} ${7 + line * 4}h${width.toFixed(1)}v3h-${width.toFixed(1)}z`)
  return [...byTone]
}

interface Props {
  rows: readonly CallRow[]
  viewport: Viewport
  folds: readonly Span[]
  spanMs: number
  endMs: number
  drawing: Drawing
}

export function MiniMap({ rows, viewport, folds, spanMs, endMs, drawing }: Props) {
  const paper = useRef<HTMLDivElement>(null)
  const width = useWidth(() => paper.current)
  const whole = useMemo(() => makeScale({ spanMs, folds, width, zoom: 1 }), [spanMs, folds, width])
  const live = useMemo(
    () =>
      paths(
        rows.filter((row) => row.replayedMs === null),
        whole.toX,
      ),
    [rows, whole],
  )
  const replayed = useMemo(
    () =>
      paths(
        rows.filter((row) => row.replayedMs !== null),
        replayedX(drawing.longest, drawing.replayWidth),
      ),
    [rows, drawing.longest, drawing.replayWidth],
  )
  return (
    <div className="map">
      <div className="map-tools">
        <span className="clip">Whole attempt, {duration(endMs)}</span>
        <Button look="quiet" icon className="push" aria-label="Zoom out" onClick={() => viewport.zoomBy(1 / 1.5)}>
          <Icon name="minus" />
        </Button>
        <Button look="quiet" icon aria-label="Zoom in" onClick={() => viewport.zoomBy(1.5)}>
          <Icon name="plus" />
        </Button>
        <Button look="quiet" hint="0" onClick={viewport.fit}>
          Fit
        </Button>
      </div>
      <div className="map-ground" aria-hidden="true">
        <Drawn parts={replayed} />
      </div>
      <div className="map-paper" ref={paper}>
        <Drawn parts={live} />
        <View viewport={viewport} whole={whole} paper={paper} spanMs={spanMs} />
      </div>
    </div>
  )
}

function Drawn({ parts }: { parts: readonly [string, string][] }) {
  return (
    <svg className="map-drawing" aria-hidden="true">
      {parts.map(([tone, d]) => (
        <path key={tone} data-tone={tone} d={d} />
      ))}
    </svg>
  )
}

interface ViewProps {
  viewport: Viewport
  whole: Scale
  paper: React.RefObject<HTMLDivElement | null>
  spanMs: number
}

function View({ viewport, whole, paper, spanMs }: ViewProps) {
  const from = viewport.scale.toMs(viewport.pan)
  const to = Math.min(spanMs, viewport.scale.toMs(viewport.pan + viewport.width))
  const left = whole.toX(from)
  const least = spanMs / 400
  const set = (edge: 'from' | 'to', ms: number) =>
    edge === 'from'
      ? viewport.showRange({ from: Math.min(Math.max(0, ms), to - least), to })
      : viewport.showRange({ from, to: Math.max(Math.min(spanMs, ms), from + least) })
  const handle = (edge: 'from' | 'to', label: string) => (
    <div
      role="slider"
      tabIndex={0}
      className={`map-handle map-handle--${edge}`}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.round(spanMs / 1000)}
      aria-valuenow={Math.round((edge === 'from' ? from : to) / 1000)}
      aria-valuetext={clock(edge === 'from' ? from : to)}
      onKeyDown={(event) => {
        const by =
          event.key === 'ArrowRight' || event.key === 'ArrowUp' ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowDown' ? -1 : 0
        if (by === 0) return
        event.preventDefault()
        event.stopPropagation()
        set(edge, (edge === 'from' ? from : to) + (by * spanMs) / 50)
      }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId) || paper.current === null) return
        set(edge, whole.toMs(event.clientX - paper.current.getBoundingClientRect().left))
      }}
    />
  )
  return (
    <div className="map-view" style={{ left, width: Math.max(4, whole.toX(to) - left) }}>
      {handle('from', 'View starts')}
      {handle('to', 'View ends')}
    </div>
  )
}
