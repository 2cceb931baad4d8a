/** Which rows are in the document, and how the focus gets to one that is not yet. */
import type { Virtualizer } from '@tanstack/react-virtual'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useState } from 'react'
import type { LaneRow } from '../../../shared/run/lanes.ts'

/** Height of the axis, `--lane-axis`. */
export const AXIS_PX = 44

export function useRows(
  scroller: React.RefObject<HTMLDivElement | null>,
  rows: readonly LaneRow[],
  focusIndex: number,
  /** Pixels of the scroller above the first row: the axis and the pinned lanes. */
  above: number,
): { virtual: Virtualizer<HTMLDivElement, Element>; focusRow: (id: string) => void } {
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.kind === 'phase' ? 33 : 28),
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 10,
    // Axis and pinned lanes lie over the first pixels of the scroller and scroll with nothing.
    scrollMargin: above,
    scrollPaddingStart: above,
    rangeExtractor: (range) => {
      const near = defaultRangeExtractor(range)
      return near.includes(focusIndex) || focusIndex < 0 || focusIndex >= rows.length ? near : [...near, focusIndex].sort((a, b) => a - b)
    },
  })
  // A row can be wanted before it is there: its lane opens first.
  const [wanted, setWanted] = useState<string | null>(null)
  useEffect(() => {
    if (wanted === null) return
    const index = rows.findIndex((row) => row.id === wanted)
    const pinned = index === -1 && scroller.current?.querySelector(`.lanes-pinned [data-row="${CSS.escape(wanted)}"]`) != null
    if (index === -1 && !pinned) return
    if (!pinned) virtual.scrollToIndex(index)
    setWanted(null)
    requestAnimationFrame(() => {
      scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(wanted)}"]`)?.focus({ preventScroll: true })
    })
  }, [wanted, rows, virtual, scroller])
  return { virtual, focusRow: setWanted }
}
