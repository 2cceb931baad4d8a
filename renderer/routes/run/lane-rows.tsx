/** Rows of the timeline: text on the left says everything, the drawing on the right is for the eye alone. */
import clsx from 'clsx'
import { memo } from 'react'
import type { CallRow, LaneRow, PhaseRow } from '../../../shared/run/lanes.ts'
import type { Scale } from '../../../shared/run/timeline.ts'
import { State } from '../../ui/glyph.tsx'
import { Icon } from '../../ui/icon.tsx'
import { duration, spokenDuration } from '../../words/quantity.ts'
import { Bracket, CallBars, Density, ReplayedBar, ReplayedBracket, replayedX } from './bars.tsx'

export interface Drawing {
  scale: Scale
  /** Where now is, or where the attempt ended. */
  endMs: number
  /** The longest original time of a replayed call, and the width of their region; 0 without any. */
  longest: number
  replayWidth: number
}

interface Props<R extends LaneRow> {
  row: R
  index: number
  first: boolean
  focusable: boolean
  selected: boolean
  drawing: Drawing
  measure: (element: HTMLElement | null) => void
  place: number
  /** Pixels from the top of the rows; null where rows follow each other by themselves. */
  top: number | null
  /** Its lane stays on top. */
  pinned: boolean
  onSelect: (id: string) => void
  onToggle: (id: string, open: boolean) => void
}

export function callName(row: CallRow): string {
  return row.call.label ?? row.call.title
}

/** What a screen reader hears for a call: name, lane, state with its time, source. */
export function spokenCall(row: CallRow): string {
  const { call, state } = row
  const time = row.replayedMs ?? row.workedMs
  const parts = [callName(row), call.phase, `${state.word}${time === null ? '' : ` ${spokenDuration(time)}`}`]
  if (call.source === 'live' && state.tone !== 'next') parts.push('live')
  return parts.filter((part) => part !== null).join(', ')
}

function spokenPhase(row: PhaseRow): string {
  const time = row.workedMs === null ? '' : `, worked ${spokenDuration(row.workedMs)}`
  return `${row.title}, ${row.calls.length === 0 ? row.state.word : `${row.state.word} ${row.calls.length === 1 ? 'call' : 'calls'}`}${time}`
}

/** Panning and the selection of other rows leave a row alone: a thousand calls must not cost a frame. */
export const Row = memo(function Row(props: Props<LaneRow>) {
  const { row } = props
  return row.kind === 'phase' ? <Phase {...props} row={row} /> : <Call {...props} row={row} />
})

function rowProps({ row, index, focusable, selected, measure, place, top, onSelect }: Props<LaneRow>) {
  return {
    ref: measure,
    'data-index': place,
    'data-row': row.id,
    'aria-level': row.level,
    'aria-rowindex': index,
    'aria-selected': selected,
    tabIndex: focusable ? 0 : -1,
    style: top === null ? undefined : { transform: `translateY(${top}px)` },
    onFocus: () => onSelect(row.id),
    onClick: () => onSelect(row.id),
  } as const
}

function Phase(props: Props<PhaseRow>) {
  const { row, drawing, first, onToggle } = props
  const replayed = row.calls.filter((call) => call.replayedMs !== null)
  const live = row.calls.filter((call) => call.replayedMs === null)
  return (
    <div
      {...rowProps(props)}
      role="row"
      aria-expanded={row.expandable ? row.open : undefined}
      aria-label={props.pinned ? `${spokenPhase(row)}, pinned` : spokenPhase(row)}
      className={clsx('lane-row lane-row--phase', first && 'lane-row--first', !row.expandable && 'lane-row--leaf')}
      onDoubleClick={() => row.expandable && onToggle(row.id, !row.open)}
    >
      <div className="lane-text" role="presentation">
        <span role="rowheader">
          {row.expandable && (
            <button type="button" className="twist" tabIndex={-1} aria-hidden="true" onClick={() => onToggle(row.id, !row.open)}>
              <Icon name={row.open ? 'down' : 'right'} />
            </button>
          )}
          <span className="clip">{row.title}</span>
          {props.pinned && <Icon name="pin" />}
        </span>
        <span role="gridcell">
          <State tone={row.state.tone}>{row.state.word}</State>
        </span>
        <Worked ms={row.workedMs} />
      </div>
      <div className="lane lane--replay" aria-hidden="true">
        {row.replayedMs !== null &&
          (row.open ? (
            <ReplayedBracket ms={row.replayedMs} longest={drawing.longest} width={drawing.replayWidth} />
          ) : (
            <Density rows={replayed} toX={replayedX(drawing.longest, drawing.replayWidth)} />
          ))}
      </div>
      <div className="lane lane--live" aria-hidden="true">
        <div className="track">
          {row.open ? <Bracket lane={row} scale={drawing.scale} /> : <Density rows={live} toX={drawing.scale.toX} />}
        </div>
      </div>
    </div>
  )
}

function Call(props: Props<CallRow>) {
  const { row, drawing, first } = props
  return (
    <div
      {...rowProps(props)}
      role="row"
      aria-label={spokenCall(row)}
      className={clsx('lane-row', row.level === 1 && 'lane-row--leaf', first && 'lane-row--first')}
    >
      <div className="lane-text" role="presentation">
        <span role="rowheader">
          <span className="clip">{callName(row)}</span>
        </span>
        <span role="gridcell">
          <State tone={row.state.tone}>{row.state.word}</State>
        </span>
        <Worked ms={row.workedMs} />
      </div>
      <div className="lane lane--replay" aria-hidden="true">
        {row.replayedMs !== null && <ReplayedBar ms={row.replayedMs} longest={drawing.longest} width={drawing.replayWidth} />}
      </div>
      <div className="lane lane--live" aria-hidden="true">
        <div className="track">
          <CallBars row={row} scale={drawing.scale} endMs={drawing.endMs} />
        </div>
      </div>
    </div>
  )
}

function Worked({ ms }: { ms: number | null }) {
  return (
    <span role="gridcell" className="worked">
      {ms === null ? <span className="quiet">–</span> : duration(ms)}
    </span>
  )
}
