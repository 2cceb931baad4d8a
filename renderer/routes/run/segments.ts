/** Calls as thin pieces in a few lines. Pieces too narrow to be told apart become one: ten thousand calls are some hundred pieces. */
import type { CallRow } from '../../../shared/run/lanes.ts'
import { densityLines } from '../../../shared/run/lanes.ts'
import type { Tone } from '../../../shared/run/status.ts'

export interface Segment {
  /** Of its first call. */
  id: string
  line: number
  tone: Tone
  /** Pixels. */
  x: number
  width: number
}

const LEAST_PX = 2
/** A piece this wide is told from its neighbour. */
const TOLD_APART_PX = 4

export function segments(rows: readonly CallRow[], toX: (ms: number) => number, lines: number): Segment[] {
  const made: Segment[] = []
  const last = new Map<number, Segment>()
  for (const { line, row, span } of densityLines(rows, lines)) {
    const x = toX(span.from)
    const width = Math.max(LEAST_PX, toX(span.to) - x)
    const before = last.get(line)
    const tone = row.state.tone
    if (before !== undefined && before.tone === tone && width < TOLD_APART_PX && x >= before.x && x <= before.x + before.width + 1) {
      before.width = Math.max(before.width, x + width - before.x)
      continue
    }
    const segment = { id: row.id, line, tone, x, width }
    last.set(line, segment)
    made.push(segment)
  }
  return made
}
