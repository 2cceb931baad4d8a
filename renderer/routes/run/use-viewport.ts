/** Which part of the drawing is on screen: zoom, pan, and whether it follows now. One state, moved by keys, wheel and sliders. */
import { useCallback, useMemo, useState } from 'react'
import type { Span } from '../../../shared/run/lanes.ts'
import type { Scale } from '../../../shared/run/timeline.ts'
import { clampPan, clampZoom, makeScale, zoomTo } from '../../../shared/run/timeline.ts'

export interface Viewport {
  scale: Scale
  /** Pixels of the drawing that lie left of the view. */
  pan: number
  zoom: number
  width: number
  /** True while the view goes along with now. */
  follows: boolean
  /** @param x pixel of the view that keeps its time; the middle when absent */
  zoomBy(factor: number, x?: number): void
  panBy(px: number): void
  showRange(range: Span): void
  centreOn(ms: number): void
  fit(): void
  follow(): void
}

interface Place {
  zoom: number
  pan: number
  follows: boolean
}

const WHOLE: Place = { zoom: 1, pan: 0, follows: true }
/** Now stands here while the view follows it. */
const NOW_AT = 0.85

export function useViewport(input: { spanMs: number; folds: readonly Span[]; width: number; endMs: number }): Viewport {
  const { spanMs, folds, width, endMs } = input
  const [place, setPlace] = useState(WHOLE)
  const scaleAt = useCallback((zoom: number) => makeScale({ spanMs, folds, width, zoom }), [spanMs, folds, width])
  const scale = useMemo(() => scaleAt(place.zoom), [scaleAt, place.zoom])
  const pan = clampPan(place.follows ? scale.toX(endMs) - width * NOW_AT : place.pan, scale, width)

  const zoomBy = useCallback(
    (factor: number, x = width / 2) => {
      const zoom = clampZoom(place.zoom * factor)
      const next = scaleAt(zoom)
      setPlace({ zoom, pan: clampPan(next.toX(scale.toMs(pan + x)) - x, next, width), follows: place.follows && zoom === 1 })
    },
    [place, scale, pan, width, scaleAt],
  )
  const panBy = useCallback(
    (px: number) => setPlace({ zoom: place.zoom, pan: clampPan(pan + px, scale, width), follows: place.zoom === 1 }),
    [place.zoom, pan, scale, width],
  )
  const showRange = useCallback(
    (range: Span) => {
      const zoom = zoomTo(range, { spanMs, folds, width })
      const next = scaleAt(zoom)
      setPlace({ zoom, pan: clampPan(next.toX(range.from), next, width), follows: zoom === 1 })
    },
    [spanMs, folds, width, scaleAt],
  )
  const centreOn = useCallback(
    (ms: number) => setPlace({ zoom: place.zoom, pan: clampPan(scale.toX(ms) - width / 2, scale, width), follows: false }),
    [place.zoom, scale, width],
  )
  const fit = useCallback(() => setPlace(WHOLE), [])
  const follow = useCallback(() => setPlace((now) => ({ ...now, follows: true })), [])
  return { scale, pan, zoom: place.zoom, width, follows: place.follows, zoomBy, panBy, showRange, centreOn, fit, follow }
}
