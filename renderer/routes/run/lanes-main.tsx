/**
 * The timeline: a treegrid whose right side is drawn. Rows are virtual, bars are placed by one transform each, panning moves
 * one track a row.
 */
import clsx from 'clsx'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { LaneRow, PhaseRow } from '../../../shared/run/lanes.ts'
import { attemptMs, visibleRows } from '../../../shared/run/lanes.ts'
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
import { useWidth } from './use-size.ts'
import { useViewport } from './use-viewport.ts'
import { useWheel } from './use-wheel.ts'

const NO_FOLDS: never[] = []
/** While updates are missing nobody knows where now is. */
const LAST_READ: Ending = { state: { tone: 'waiting', word: 'Not updating' }, label: 'last read' }

export function LanesMain({ view, all, now }: { view: RunView; all: readonly PhaseRow[]; now: number }) {
  const { run: store } = useStores()
  const selected = useRun((state) => state.selected)
  const unfolded = useRun((state) => state.unfolded)
  const scroller = useRef<HTMLDivElement>(null)
  const width = useWidth(() => scroller.current?.querySelector('.axis-live'))
  const replayWidth = useWidth(() => scroller.current?.querySelector('.axis-replay'))
  const rows: LaneRow[] = useMemo(() => visibleRows(all), [all])
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
  const { virtual, focusRow } = useRows(scroller, rows, focusIndex)
  useLaneControls({ rows, all, calls, selected, focusRow, viewport })
  useWheel(scroller, viewport)
  useKeptFocus(selected, focusRow)

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
          <div className="lanes-body" role="presentation" style={{ minHeight: virtual.getTotalSize() }}>
            <Under viewport={viewport} endMs={endMs} />
            {virtual.getVirtualItems().map((place) => {
              const row = rows[place.index]
              if (row === undefined) return null
              return (
                <Row
                  key={row.id}
                  row={row}
                  index={place.index + 2}
                  first={place.index === 0}
                  focusable={place.index === focusIndex}
                  selected={row.id === selected}
                  drawing={drawing}
                  measure={virtual.measureElement}
                  place={place.index}
                  top={place.start - AXIS_PX}
                  onSelect={store.getState().select}
                  onToggle={store.getState().toggle}
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
