/**
 * The list as a grid with one tab stop: rows under day headings, only those near the view in the document. The row with the
 * focus stays in it wherever the list is scrolled to.
 */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { RunSummary } from '../../../shared/run/view.ts'
import { useControls } from '../../commands/use-commands.ts'
import { useHistory, useStores } from '../../store/stores.ts'
import { useNow } from '../../store/use-now.ts'
import { longDate, midnight, relativeDay } from '../../words/quantity.ts'
import { COLUMNS, RunRow } from './run-row.tsx'

type Item = { kind: 'day'; at: number } | { kind: 'run'; run: RunSummary }

/** Rows with a heading before the first run of each day. */
export function withDays(runs: readonly RunSummary[]): Item[] {
  let day = Number.NaN
  return runs.flatMap((run): Item[] => {
    const own = midnight(run.startedAt)
    const item: Item = { kind: 'run', run }
    if (own === day) return [item]
    day = own
    return [{ kind: 'day', at: own }, item]
  })
}

interface Props {
  runs: readonly RunSummary[]
  scroller: HTMLElement | null
  filter: React.RefObject<HTMLInputElement | null>
}

export function RunList({ runs, scroller, filter }: Props) {
  const { history } = useStores()
  const controls = useControls()
  const focused = useHistory((state) => state.focused)
  const grid = useRef<HTMLDivElement>(null)
  const items = useMemo(() => withDays(runs), [runs])
  const focusIndex = Math.max(
    items.findIndex((item) => item.kind === 'run'),
    items.findIndex((item) => item.kind === 'run' && item.run.runId === focused),
  )
  const margin = useOffset(grid, scroller, runs)
  const stuck = useRef(0)
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller,
    estimateSize: (index) => (items[index]?.kind === 'day' ? 36 : 36),
    getItemKey: (index) => {
      const item = items[index]
      return item === undefined ? index : item.kind === 'day' ? `day:${item.at}` : item.run.runId
    },
    overscan: 6,
    scrollMargin: margin,
    scrollPaddingStart: 92,
    scrollPaddingEnd: 8,
    rangeExtractor: (range) => {
      for (let index = range.startIndex; index >= 0; index--) {
        if (items[index]?.kind !== 'day') continue
        stuck.current = index
        break
      }
      return [...new Set([stuck.current, focusIndex, ...defaultRangeExtractor(range)])].filter((index) => index >= 0).sort((a, b) => a - b)
    },
  })

  useEffect(() => {
    const focusAt = (index: number) => {
      const item = items[index]
      if (item?.kind !== 'run') return
      history.getState().setFocused(item.run.runId)
      virtual.scrollToIndex(index)
      // The row is in the document from the next frame on.
      requestAnimationFrame(() => grid.current?.querySelector<HTMLElement>(`[data-run="${CSS.escape(item.run.runId)}"]`)?.focus())
    }
    const next = (from: number, by: number) => {
      for (let index = from + by; index >= 0 && index < items.length; index += by) if (items[index]?.kind === 'run') return index
      return from
    }
    controls.list = {
      current: () => {
        const item = items[focusIndex]
        return item?.kind === 'run' ? item.run : null
      },
      focus: () => focusAt(focusIndex),
      move: (by) => focusAt(grid.current?.contains(document.activeElement) === true ? next(focusIndex, by) : focusIndex),
      edge: (where) => focusAt(where === 'first' ? next(-1, 1) : next(items.length, -1)),
      focusFilter: () => filter.current?.focus(),
    }
    return () => {
      controls.list = null
    }
  }, [items, focusIndex, virtual, history, controls, filter])

  return (
    <div
      role="grid"
      className="runs-grid"
      aria-label="Runs"
      aria-rowcount={items.length + 1}
      aria-colcount={COLUMNS.length}
      onFocus={() => history.getState().setReading(true)}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && history.getState().setReading(false)}
    >
      <div role="row" className="heard" aria-rowindex={1}>
        {COLUMNS.map((name) => (
          <span key={name} role="columnheader">
            {name}
          </span>
        ))}
      </div>
      <div className="runs" role="presentation" ref={grid} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((place) => {
          const item = items[place.index]
          if (item === undefined) return null
          const sticky = place.index === stuck.current
          return (
            <div
              key={place.key}
              role="presentation"
              ref={virtual.measureElement}
              data-index={place.index}
              className={sticky ? 'runs-item--stuck' : 'runs-item'}
              style={sticky ? undefined : { transform: `translateY(${place.start - margin}px)` }}
            >
              {item.kind === 'day' ? (
                <Day at={item.at} index={place.index + 2} />
              ) : (
                <RunRow run={item.run} index={place.index + 2} focusable={place.index === focusIndex} />
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function Day({ at, index }: { at: number; index: number }) {
  const now = useNow(false)
  const near = relativeDay(at, now)
  return (
    <div role="row" aria-rowindex={index}>
      <div role="gridcell" className="day" aria-colspan={COLUMNS.length}>
        <h2>{near ?? longDate(at, now)}</h2>
        {near !== null && <span>{longDate(at, now)}</span>}
      </div>
    </div>
  )
}

/** Where the grid begins inside its scroller: what stands above it can grow and shrink. */
function useOffset(grid: React.RefObject<HTMLElement | null>, scroller: HTMLElement | null, runs: unknown): number {
  const [offset, setOffset] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other runs mean another block above the grid
  useLayoutEffect(() => {
    const measure = () => {
      const [inner, outer] = [grid.current, scroller]
      if (inner === null || outer === null) return
      setOffset(Math.round(inner.getBoundingClientRect().top - outer.getBoundingClientRect().top + outer.scrollTop))
    }
    measure()
    const observer = new ResizeObserver(measure)
    if (scroller !== null) observer.observe(scroller)
    return () => observer.disconnect()
  }, [runs, grid, scroller])
  return offset
}
