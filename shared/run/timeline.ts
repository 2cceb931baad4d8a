/** Geometry of the timeline's live region: milliseconds to pixels and back, folded waits, ticks. Pure. */
import type { LaneRow, Span } from './lanes.ts'

/** Width on screen of a folded wait. */
export const FOLD_PX = 40
const TICK_PX = 76
const FOLD_FACTOR = 10
/** A wait shorter than this is never folded: the eye can bear half a minute of paper. */
const FOLD_LEAST_MS = 30_000

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const STEPS = [
  10,
  20,
  50,
  100,
  200,
  500,
  SECOND,
  2 * SECOND,
  5 * SECOND,
  10 * SECOND,
  20 * SECOND,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  20 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
]

export interface FoldMark extends Span {
  x: number
}

export interface Scale {
  /** Pixels from the left of the whole drawing, panning not included. */
  toX(ms: number): number
  toMs(x: number): number
  /** Width of the whole drawing at this zoom. */
  width: number
  pxPerMs: number
  folds: FoldMark[]
}

export interface Tick {
  ms: number
  x: number
  label: string
}

/** Waits in which nothing worked and that are more than ten times the usual gap between two events. */
export function findFolds(work: readonly Span[], endMs: number): Span[] {
  const moments = [...new Set([0, ...work.flatMap((span) => [span.from, span.to]), endMs])].sort((a, b) => a - b)
  const gaps = moments.slice(1).map((at, index) => at - (moments[index] ?? at))
  const median = [...gaps].sort((a, b) => a - b)[Math.floor((gaps.length - 1) / 2)] ?? 0
  const least = Math.max(FOLD_LEAST_MS, FOLD_FACTOR * median)
  const folds: Span[] = []
  let idleFrom = 0
  for (const span of [...work].sort((a, b) => a.from - b.from)) {
    addFold(folds, idleFrom, span.from, least, median)
    idleFrom = Math.max(idleFrom, span.to)
  }
  addFold(folds, idleFrom, endMs, least, median)
  return folds
}

/** Both shores of a fold stay visible, so that what stands before and after it keeps its end. */
function addFold(folds: Span[], from: number, to: number, least: number, median: number): void {
  const shore = Math.min(median, (to - from) * 0.05)
  if (to - from > least) folds.push({ from: from + shore, to: to - shore })
}

/** The work that folds must not hide: bars of calls that are neither gates nor sleeps. */
export function workSpans(rows: readonly LaneRow[]): Span[] {
  return rows.flatMap((row) => {
    const calls = row.kind === 'phase' ? row.calls : [row]
    return calls.flatMap(({ call, bars }) =>
      call.kind === 'gate' || call.kind === 'sleep' ? [] : bars.filter((bar) => bar.kind === 'work').map(({ from, to }) => ({ from, to })),
    )
  })
}

/**
 * How much time the drawing shows: a little more than has passed, rounded up to a tick, so that a running bar grows
 * into free paper and the rest stands still until it is used up.
 */
export function paperMs(endMs: number, running: boolean, folds: readonly Span[] = []): number {
  const folded = folds.reduce((sum, fold) => sum + fold.to - fold.from, 0)
  const drawn = Math.max(endMs - folded, 100) * (running ? 1.1 : 1.06)
  const step = stepFor(drawn / 12)
  return Math.ceil(drawn / step) * step + folded
}

function stepFor(ms: number): number {
  return STEPS.find((step) => step >= ms) ?? Math.ceil(ms / (24 * HOUR)) * 24 * HOUR
}

/**
 * @param input.width pixels of the region at zoom 1
 * @param input.zoom 1 = everything fits
 */
export function makeScale(input: { spanMs: number; folds: readonly Span[]; width: number; zoom: number }): Scale {
  const folds = input.folds.filter((fold) => fold.to <= input.spanMs)
  const folded = folds.reduce((sum, fold) => sum + fold.to - fold.from, 0)
  const paper = Math.max(1, input.spanMs - folded)
  const room = Math.max(1, input.width - folds.length * FOLD_PX)
  const pxPerMs = (room * input.zoom) / paper
  const marks: FoldMark[] = []
  let before = 0
  for (const fold of folds) {
    marks.push({ ...fold, x: (fold.from - before) * pxPerMs + marks.length * FOLD_PX })
    before += fold.to - fold.from
  }
  const toX = (ms: number) => {
    let saved = 0
    let passed = 0
    for (const fold of marks) {
      if (ms <= fold.from) break
      if (ms < fold.to) return fold.x + (FOLD_PX * (ms - fold.from)) / (fold.to - fold.from)
      saved += fold.to - fold.from
      passed += 1
    }
    return (ms - saved) * pxPerMs + passed * FOLD_PX
  }
  const toMs = (x: number) => {
    let saved = 0
    let passed = 0
    for (const fold of marks) {
      if (x <= fold.x) break
      if (x < fold.x + FOLD_PX) return fold.from + ((x - fold.x) / FOLD_PX) * (fold.to - fold.from)
      saved += fold.to - fold.from
      passed += 1
    }
    return (x - passed * FOLD_PX) / pxPerMs + saved
  }
  return { toX, toMs, pxPerMs, folds: marks, width: room * input.zoom + folds.length * FOLD_PX }
}

/**
 * Ticks between two pixel positions, far enough apart for their labels.
 * @param taken positions of other labels; a tick whose label would touch one is left out
 */
export function ticks(scale: Scale, view: { from: number; to: number; endMs: number }, taken: readonly Span[]): Tick[] {
  const step = stepFor(TICK_PX / scale.pxPerMs)
  const first = Math.max(0, Math.floor(scale.toMs(view.from) / step) * step)
  const last = Math.min(view.endMs, scale.toMs(view.to))
  const found: Tick[] = []
  for (let ms = first; ms <= last; ms += step) {
    const fold = scale.folds.find((mark) => ms > mark.from && ms < mark.to)
    if (fold !== undefined) {
      ms = Math.max(ms, Math.floor(fold.to / step) * step) // nothing inside a fold has a place of its own
      if (ms < fold.to) continue
    }
    const label = clock(ms, step)
    const x = scale.toX(ms)
    const touches = taken.some((span) => x < span.to + 6 && x + 8 + label.length * 6.5 > span.from)
    const onFold = scale.folds.some((mark) => x < mark.x && x + 8 + label.length * 6.5 > mark.x)
    if (!touches && !onFold) found.push({ ms, x, label })
  }
  return found
}

/** A moment of the attempt as a clock: `0:20`, `1:53:20`; with tenths or hundredths where the step is finer than a second. */
export function clock(ms: number, step = SECOND): string {
  const seconds = Math.floor(ms / SECOND)
  const pad = (n: number) => String(n).padStart(2, '0')
  const rest = `${pad(seconds % 60)}`
  const fine =
    step >= SECOND
      ? ''
      : `.${String(Math.round(ms % SECOND))
          .padStart(3, '0')
          .slice(0, step >= 100 ? 1 : 2)}`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes}:${rest}${fine}` : `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${rest}${fine}`
}

/** The pan that keeps the drawing in view: never past its ends. */
export function clampPan(pan: number, scale: Scale, width: number): number {
  return Math.min(Math.max(0, pan), Math.max(0, scale.width - width))
}

/** The zoom at which `range` fills the region. Folds keep their width, so they take it from the rest. */
export function zoomTo(range: Span, input: { spanMs: number; folds: readonly Span[]; width: number }): number {
  const inside = input.folds.filter((fold) => fold.from >= range.from && fold.to <= range.to)
  const hidden = inside.reduce((sum, fold) => sum + fold.to - fold.from, 0)
  const paper = Math.max(1, range.to - range.from - hidden)
  const room = Math.max(1, input.width - inside.length * FOLD_PX)
  const fit = makeScale({ ...input, zoom: 1 })
  return clampZoom(room / paper / fit.pxPerMs)
}

const MOST_ZOOM = 400

export function clampZoom(zoom: number): number {
  return Math.min(MOST_ZOOM, Math.max(1, zoom))
}
