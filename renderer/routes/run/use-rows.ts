/** Which rows are in the document, and how the focus gets to one that is not yet. */
import type { Virtualizer } from '@tanstack/react-virtual'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { useCallback } from 'react'
import type { LaneRow } from '../../../shared/run/lanes.ts'

const AXIS_PX = 44

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
    scrollPaddingStart: AXIS_PX,
    rangeExtractor: (range) => {
      const near = defaultRangeExtractor(range)
      return near.includes(focusIndex) || focusIndex >= rows.length ? near : [...near, focusIndex].sort((a, b) => a - b)
    },
  })
  const focusRow = useCallback(
    (id: string) => {
      const focus = () => scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)?.focus({ preventScroll: true })
      const index = rows.findIndex((row) => row.id === id)
      if (index !== -1) virtual.scrollToIndex(index)
      // A row of a lane that opens only now is in the document from the next frame on.
      requestAnimationFrame(() => requestAnimationFrame(focus))
    },
    [rows, virtual, scroller],
  )
  return { virtual, focusRow }
}
