/** What is drawn in a lane: bars, their labels, phase brackets, the thin lines of a closed lane. Words are in the row itself. */
import clsx from 'clsx'
import { memo } from 'react'
import type { Bar, CallRow, PhaseRow } from '../../../shared/run/lanes.ts'
import type { Shown } from '../../../shared/run/status.ts'
import { idleMs, STATUS } from '../../../shared/run/status.ts'
import type { Scale } from '../../../shared/run/timeline.ts'
import { Glyph } from '../../ui/glyph.tsx'
import { textWidth } from '../../ui/text-width.ts'
import { diedBriefly } from '../../words/died.ts'
import { idleWords } from '../../words/idle.ts'
import { duration } from '../../words/quantity.ts'
import { segments } from './segments.ts'

const GLYPH_PX = 15
const DENSITY_LINES = 4
const INSIDE_LEAST = 69
const INSIDE_LEAST_GLYPH = 104
/** The longest replayed bar leaves the rest of its region to its time. */
const REPLAY_SHARE = 0.52
/** A queued time shorter than this on screen would only smear the bar after it. */
const QUEUED_LEAST = 3

function fillClass(shown: Shown, bar: Bar, row: CallRow): string {
  if (bar.kind === 'queued') return 'bar--queued'
  if (row.call.kind === 'gate' && row.call.status === 'ok') return 'bar--outline bar--answered'
  const { fill } = STATUS[shown.tone]
  switch (fill) {
    case 'open':
      return bar.open ? 'bar--open' : ''
    case 'notch':
      return 'bar--notch'
    case 'cut':
      return 'bar--cut'
    case 'outline':
      return 'bar--outline'
    case 'dash':
      return 'bar--dash'
    case 'dotted':
    case 'hatch':
    case 'solid':
    case 'none':
      return ''
  }
}

/** What the columns can't say: a short result, why it died, what it does now. */
export function barLabel(row: CallRow): string {
  const { call } = row
  if (call.status === 'dead') return diedBriefly(call.reason)
  if (call.endedAt === null) return call.lastProgress ?? ''
  return call.summary
}

type Spot = 'inside' | 'right' | 'left' | null

/** Inside if it fits whole, else right, else left, else nowhere: the row still says it. */
export function labelSpot(
  label: string,
  glyph: boolean,
  x: number,
  width: number,
  room: { from: number; to: number },
  folds: readonly { x: number }[],
): Spot {
  if (label === '') return null
  const text = textWidth(label) + (glyph ? GLYPH_PX : 0)
  const crosses = (from: number, to: number) => folds.some((fold) => fold.x < to && fold.x + 40 > from)
  const least = glyph ? INSIDE_LEAST_GLYPH : INSIDE_LEAST
  if (width >= least && text + 20 <= width && !crosses(x, x + text + 12)) return 'inside'
  if (x + width + text + 10 <= room.to && !crosses(x + width, x + width + text + 14)) return 'right'
  if (x - text - 14 >= room.from && !crosses(x - text - 14, x)) return 'left'
  return null
}

export const CallBars = memo(function CallBars({ row, scale, endMs }: { row: CallRow; scale: Scale; endMs: number }) {
  const endX = scale.toX(endMs)
  return row.bars.map((bar) => {
    const x = scale.toX(bar.from)
    const width = Math.max(0, scale.toX(bar.to) - x)
    if (bar.kind === 'queued' && width < QUEUED_LEAST) return null
    const tone = bar.kind === 'queued' ? (row.state.tone === 'next' ? 'next' : 'queued') : row.state.tone
    const died = tone === 'failed'
    const label = bar.kind === 'work' && !bar.open ? barLabel(row) : ''
    const queued = row.bars.find((other) => other.kind === 'queued')
    const from = queued !== undefined && scale.toX(queued.to) - scale.toX(queued.from) >= QUEUED_LEAST ? x : 0
    const spot = labelSpot(label, died, x, width, { from, to: x + width < endX - 2 ? endX : scale.width }, scale.folds)
    const at = (row.call.startedAt ?? 0) - bar.from + endMs
    const idle = bar.kind === 'work' && bar.open ? idleMs(row.call, at) : null
    const silent = idle === null ? 0 : Math.min(width, endX - scale.toX(endMs - idle))
    const cap = bar.kind === 'work' && (tone === 'waiting' || row.call.kind === 'gate')
    return (
      <div
        key={bar.kind}
        className={clsx('bar', fillClass(row.state, bar, row))}
        data-tone={tone}
        style={{ transform: `translateX(${x}px)`, width }}
      >
        {silent > 0 && <Silence px={silent} words={idleWords(row.call, at)} room={width} />}
        {cap && <Cap />}
        {spot !== null && (
          <span className={clsx('bar-label', spot === 'inside' && 'bar-label--inside', spot === 'left' && 'bar-label--left')}>
            {died && <Glyph tone="failed" />}
            {label}
          </span>
        )}
      </div>
    )
  })
})

/** The end of a bar at work for as long as nothing was heard of it. */
function Silence({ px, words, room }: { px: number; words: string | null; room: number }) {
  const text = words ?? ''
  return (
    <span className="bar-silence" style={{ width: px }}>
      {textWidth(text) + 20 <= room && <span>{text}</span>}
    </span>
  )
}

function Cap() {
  return (
    <svg className="bar-cap" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M8 1.6 14.4 8 8 14.4 1.6 8z" fill="var(--raised)" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  )
}

/** A replayed call: as long as it once took, measured against the longest of them. */
export function ReplayedBar({ ms, longest, width }: { ms: number; longest: number; width: number }) {
  const px = Math.max(4, (ms / Math.max(1, longest)) * width * REPLAY_SHARE)
  return (
    <div className="bar bar--replayed" data-tone="replayed" style={{ transform: 'translateX(4px)', width: px }}>
      <span className="bar-label">
        <Glyph tone="replayed" />
        {duration(ms)}
      </span>
    </div>
  )
}

/** An open lane: a bracket over its calls. */
export function Bracket({ lane, scale }: { lane: PhaseRow; scale: Scale }) {
  if (lane.span === null) return null
  const x = scale.toX(lane.span.from)
  return (
    <div
      className={clsx('bracket', lane.span.open && 'bracket--open')}
      style={{ transform: `translateX(${x}px)`, width: Math.max(2, scale.toX(lane.span.to) - x) }}
    />
  )
}

export function ReplayedBracket({ ms, longest, width }: { ms: number; longest: number; width: number }) {
  return (
    <div
      className="bracket"
      style={{ transform: 'translateX(4px)', width: Math.max(4, (ms / Math.max(1, longest)) * width * REPLAY_SHARE) }}
    />
  )
}

/** A closed lane: all its calls at once, in up to four thin lines. */
export const Density = memo(function Density({ rows, toX }: { rows: readonly CallRow[]; toX: (ms: number) => number }) {
  return segments(rows, toX, DENSITY_LINES).map(({ id, line, tone, x, width }) => (
    <div
      key={id}
      className="thin"
      data-tone={tone}
      style={{ top: 6 + line * 5, transform: `translateX(${x}px)`, width: Math.max(2, width - 1) }}
    />
  ))
})

/** Pixels of the replayed region for a time, for the thin lines of a closed lane. */
export function replayedX(longest: number, width: number): (ms: number) => number {
  return (ms) => 4 + (ms / Math.max(1, longest)) * width * REPLAY_SHARE
}
