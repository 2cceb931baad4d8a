/**
 * The timeline: a treegrid whose right side is drawn. Rows are virtual, bars are placed by one transform each, panning moves
 * one track a row.
 */
import clsx from 'clsx'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { LaneRow, PhaseRow } from '../../../shared/run/lanes.ts'
import { attemptMs, splitPinned } from '../../../shared/run/lanes.ts'
import { isLive } from '../../../shared/run/status.ts'
import { findFolds, paperMs, workSpans } from '../../../shared/run/timeline.ts'
import type { RunView } from '../../../shared/run/view.ts'
import { useRun, useStores } from '../../store/stores.ts'
import { Button } from '../../ui/button.tsx'
import { Axis, type Ending } from './axis.tsx'
import { ending } from './ending.ts'
import { Row } from './lane-rows.tsx'
import { MiniMap } from './mini-map.tsx'
import { Over, Under } from './paper.tsx'
import { useKeptFocus, useLaneControls } from './use-lane-controls.ts'
import { AXIS_PX, useRows } from './use-rows.ts'
import { useHeight, useWidth } from './use-size.ts'
import { useViewport } from './use-viewport.ts'
import { useWheel } from './use-wheel.ts'

const NO_FOLDS: never[] = []
const NO_MEASURE = () => {}
/** While updates are missing nobody knows where now is. */
const LAST_READ: Ending = { state: { tone: 'waiting', word: 'Not updating' }, label: 'last read' }

export function LanesMain({ view, all, now }: { view: RunView; all: readonly PhaseRow[]; now: number }) {
  const { run: store } = useStores()
  const selected = useRun((state) => state.selected)
  const unfolded = useRun((state) => state.unfolded)
  const scroller = useRef<HTMLDivElement>(null)
  const width = useWidth(() => scroller.current?.querySelector('.axis-live'))
  const replayWidth = useWidth(() => scroller.current?.querySelector('.axis-replay'))
  const pinned = useRun((state) => state.pinned)
  const { top, rest } = useMemo(() => splitPinned(all, pinned), [all, pinned])
  const rows: LaneRow[] = useMemo(() => [...top, ...rest], [top, rest])
  const above = useHeight(() => scroller.current?.querySelector('.lanes-pinned'), top.length) + AXIS_PX
  const calls = useMemo(() => all.flatMap((lane) => lane.calls), [all])
  const endMs = attemptMs(view, now)
  const stale = useRun((state) => state.staleSince !== null)
  const running = isLive(view.status) && !stale
  const found = useMemo(() => (unfolded ? NO_FOLDS : findFolds(workSpans(all), endMs)), [all, endMs, unfolded])
  const spanMs = paperMs(endMs, running, found)
  const viewport = useViewport({ spanMs, folds: found, width, endMs })
  const replayed = calls.filter((row) => row.replayedMs !== null)
  const longest = Math.max(0, ...replayed.map((row) => row.replayedMs ?? 0))
  const drawing = useMemo(() => ({ scale: viewport.scale, endMs, longest, replayWidth }), [viewport.scale, endMs, longest, replayWidth])
  const end = stale ? LAST_READ : ending(view)
  const focusIndex = Math.max(
    0,
    rows.findIndex((row) => row.id === selected),
  )
  const { virtual, focusRow } = useRows(scroller, rest, focusIndex - top.length, above)
  useLaneControls({ rows, all, calls, selected, focusRow, viewport })
  useWheel(scroller, viewport)
  useKeptFocus(selected, focusRow)

  const rowProps = (row: LaneRow, at: number) => ({
    row,
    index: at + 2,
    first: at === 0,
    focusable: at === focusIndex,
    selected: row.id === selected,
    drawing,
    onSelect: store.getState().select,
    onToggle: store.getState().toggle,
  })

  // Panning moves the tracks by hand: as an inherited property it would restyle every row of every frame.
  useLayoutEffect(() => {
    const tracks = scroller.current?.querySelectorAll<HTMLElement>('.track') ?? []
    for (const track of tracks) track.style.transform = `translateX(${-viewport.pan}px)`
  })

  // What is selected stays in sight when its row goes: its lane takes over.
  useEffect(() => {
    if (selected === null || rows.some((row) => row.id === selected)) return
    const lane = all.find((one) => one.calls.some((call) => call.id === selected))
    store.getState().select(lane?.id ?? null)
  }, [selected, rows, all, store])

  return (
    <main className={clsx('main lanes', replayed.length === 0 && 'lanes--all-live')} aria-label="Timeline">
      <div className="lanes-scroll" ref={scroller} data-place="run">
        <div
          role="treegrid"
          className="lanes-grid"
          aria-label={`Calls of ${view.title} ${view.number}, attempt ${view.attempt}`}
          aria-rowcount={rows.length + 1}
          aria-colcount={3}
        >
          <Axis
            viewport={viewport}
            endMs={endMs}
            running={running}
            attempt={view.attempt}
            replayedCalls={replayed.length}
            ending={end}
            onUnfold={() => store.getState().setUnfolded(true)}
          />
          {top.length > 0 && (
            <div className="lanes-pinned" role="presentation">
              <Under viewport={viewport} endMs={endMs} />
              {top.map((row, place) => (
                <Row key={row.id} {...rowProps(row, place)} pinned measure={NO_MEASURE} place={place} top={null} />
              ))}
              <Over viewport={viewport} endMs={endMs} running={running} ending={end} barline={replayed.length > 0} />
            </div>
          )}
          <div className="lanes-body" role="presentation" style={{ minHeight: virtual.getTotalSize() }}>
            <Under viewport={viewport} endMs={endMs} />
            {virtual.getVirtualItems().map((place) => {
              const row = rest[place.index]
              if (row === undefined) return null
              const shown = rowProps(row, place.index + top.length)
              return (
                <Row
                  key={row.id}
                  {...shown}
                  first={place.index === 0}
                  pinned={false}
                  measure={virtual.measureElement}
                  place={place.index}
                  top={place.start - above}
                />
              )
            })}
            <Over viewport={viewport} endMs={endMs} running={running} ending={end} barline={replayed.length > 0} />
          </div>
        </div>
      </div>
      <MiniMap rows={calls} viewport={viewport} folds={found} spanMs={spanMs} endMs={endMs} drawing={drawing} />
      {running && !viewport.follows && (
        <Button className="follow" hint="L" onClick={viewport.follow}>
          Follow now
        </Button>
      )}
    </main>
  )
}
