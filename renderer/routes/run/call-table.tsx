/** The same rows as a plain table: for reading, for copying out, and for everybody who does not see the drawing. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef } from 'react'
import type { CallRow, PhaseRow } from '../../../shared/run/lanes.ts'
import { clock } from '../../../shared/run/timeline.ts'
import type { RunView } from '../../../shared/run/view.ts'
import { useRun, useStores } from '../../store/stores.ts'
import { State } from '../../ui/glyph.tsx'
import { duration, grouped } from '../../words/quantity.ts'
import { callName } from './lane-rows.tsx'
import { useKeptFocus, useLaneControls } from './use-lane-controls.ts'

const COLUMNS = ['Phase', 'Call', 'State', 'Source', 'Start', 'Time', 'Tokens out'] as const
const RIGHT = new Set<string>(['Start', 'Time', 'Tokens out'])

export function CallTable({ view, all }: { view: RunView; all: readonly PhaseRow[] }) {
  const { run: store } = useStores()
  const selected = useRun((state) => state.selected)
  const scroller = useRef<HTMLElement>(null)
  const calls = useMemo(() => all.flatMap((lane) => lane.calls), [all])
  const focusIndex = Math.max(
    0,
    calls.findIndex((row) => row.id === selected),
  )
  const virtual = useVirtualizer({
    count: calls.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 28,
    getItemKey: (index) => calls[index]?.id ?? index,
    overscan: 20,
    scrollPaddingStart: 30,
  })
  const focusRow = (id: string) => {
    virtual.scrollToIndex(calls.findIndex((row) => row.id === id))
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)?.focus({ preventScroll: true }),
    )
  }
  useKeptFocus(selected, focusRow)
  useLaneControls({ rows: calls, all, calls, selected, focusRow, viewport: null })
  const shown = virtual.getVirtualItems()
  const before = shown[0]?.start ?? 0
  const after = virtual.getTotalSize() - (shown.at(-1)?.end ?? 0)
  const earlier = calls.some((row) => row.replayedMs !== null)
  return (
    <main className="main call-table-scroll" aria-label="Table of calls" ref={scroller} data-place="run">
      <table
        className="call-table"
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows can be chosen, which makes the table a grid
        role="grid"
        aria-label={`Calls of ${view.title} ${view.number}, attempt ${view.attempt}`}
        aria-rowcount={calls.length + 1}
      >
        <thead>
          <tr>
            {COLUMNS.map((name) => (
              <th key={name} scope="col" className={RIGHT.has(name) ? 'right' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Spacer height={before} />}
          {shown.map((place) => {
            const row = calls[place.index]
            if (row === undefined) return null
            const opens = place.index > 0 && calls[place.index - 1]?.call.phase !== row.call.phase
            return (
              <tr
                key={row.id}
                ref={virtual.measureElement}
                data-index={place.index}
                data-row={row.id}
                className={opens ? 'opens-phase' : undefined}
                aria-rowindex={place.index + 2}
                aria-selected={row.id === selected}
                tabIndex={place.index === focusIndex ? 0 : -1}
                onFocus={() => store.getState().select(row.id)}
                onClick={() => store.getState().select(row.id)}
              >
                <Cells row={row} view={view} />
              </tr>
            )
          })}
          {after > 0 && <Spacer height={after} />}
        </tbody>
      </table>
      {earlier && <p className="table-note">Times in brackets were spent in an earlier attempt; in this one those calls took none.</p>}
    </main>
  )
}

function Spacer({ height }: { height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a stretch of paper that takes no focus
    <tr aria-hidden="true">
      <td colSpan={COLUMNS.length} style={{ height, padding: 0 }} />
    </tr>
  )
}

function Cells({ row, view }: { row: CallRow; view: RunView }) {
  const { call, state } = row
  const source =
    call.source === 'replayed'
      ? call.fromAttempt === null
        ? 'Replayed'
        : `Replayed from attempt ${call.fromAttempt}`
      : call.startedAt === null
        ? '–'
        : 'Live'
  const time = row.replayedMs !== null ? `(${duration(row.replayedMs)})` : row.workedMs === null ? '–' : duration(row.workedMs)
  return (
    <>
      <td className="secondary">{call.phase ?? '–'}</td>
      <td className="name">{callName(row)}</td>
      <td>
        <State tone={state.tone}>{state.word}</State>
      </td>
      <td>{source}</td>
      <td className="right">
        {call.source === 'replayed' || call.startedAt === null ? '–' : clock(call.startedAt - view.attemptStartedAt)}
      </td>
      <td className="right">{time}</td>
      <td className="right">{call.outputTokens === 0 ? '–' : grouped(call.outputTokens)}</td>
    </>
  )
}
