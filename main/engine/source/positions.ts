/** Lines and columns, counted from 1 as editors and stack traces do, and the way back from prepared code to the file. */
import type { PreparedScript } from './check-script.ts'
import type { Shift } from './text-edits.ts'

export interface Position {
  line: number
  column: number
}

const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/g

/** Offsets at which the lines of a text begin; the first is 0. */
function lineStarts(text: string): number[] {
  const starts = [0]
  for (const found of text.matchAll(LINE_BREAK)) starts.push(found.index + found[0].length)
  return starts
}

function traced(starts: readonly number[], shifts: readonly Shift[], line: number, offset: number): Position {
  const lineStart = starts[line - 1] ?? 0
  let moved = 0
  for (const { at, added } of shifts) {
    if (at < lineStart) continue
    if (at > offset) break
    // A place inside inserted text stands for the place where it was inserted.
    if (offset < at + added) return { line, column: at - moved - lineStart + 1 }
    moved += added
  }
  return { line, column: Math.max(1, offset - moved - lineStart + 1) }
}

/** Turns offsets of one text into positions of the text it was made from. */
export class PositionTable {
  readonly #starts: number[]
  readonly #shifts: readonly Shift[]

  constructor(text: string, shifts: readonly Shift[] = []) {
    this.#starts = lineStarts(text)
    this.#shifts = shifts
  }

  at(offset: number): Position {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return traced(this.#starts, this.#shifts, low + 1, offset)
  }
}

/** Stacks are read at each call of a hook; the text is not. */
const knownStarts = new WeakMap<PreparedScript, number[]>()

/**
 * Where a place of the prepared code (as a stack trace names it, both counted from 1) stands in the file as written.
 * Lines never differ; a place behind the last line of the file comes back unchanged.
 */
export function originalPosition(prepared: PreparedScript, line: number, column: number): Position {
  const starts = knownStarts.get(prepared) ?? lineStarts(prepared.code)
  knownStarts.set(prepared, starts)
  const start = starts[line - 1]
  return start === undefined ? { line, column } : traced(starts, prepared.edits, line, start + column - 1)
}
