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
): { virtual: Virtualizer<HTMLDivElement, Element>; focusRow: (id: string) => void } {
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.kind === 'phase' ? 33 : 28),
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 10,
    // The axis lies over the first pixels of the scroller and scrolls with nothing.
    scrollMargin: AXIS_PX,
    scrollPaddingStart: AXIS_PX,
    rangeExtractor: (range) => {
      const near = defaultRangeExtractor(range)
      return near.includes(focusIndex) || focusIndex >= rows.length ? near : [...near, focusIndex].sort((a, b) => a - b)
    },
  })
  // A row can be wanted before it is there: its lane opens first.
  const [wanted, setWanted] = useState<string | null>(null)
  useEffect(() => {
    const index = wanted === null ? -1 : rows.findIndex((row) => row.id === wanted)
    if (wanted === null || index === -1) return
    virtual.scrollToIndex(index)
    setWanted(null)
    requestAnimationFrame(() => {
      scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(wanted)}"]`)?.focus({ preventScroll: true })
    })
  }, [wanted, rows, virtual, scroller])
  return { virtual, focusRow: setWanted }
}
