/** Rows of text in aligned columns, fitted to the width of the terminal. */
import { cut, pad, width } from './printable.ts'

export interface Column {
  title: string
  align?: 'right'
  /** The columns that give way when the terminal is narrow, to no less than this many cells. */
  shrinksTo?: number
  /** Left out when that is not enough: the column with the lowest number first. */
  leaves?: number
}

export interface Cell {
  text: string
  paint?: (text: string) => string
}

const GAP = 2

/** @param columns width of the terminal, or null when the table may be as wide as it likes */
export function table(head: readonly Column[], rows: readonly (readonly Cell[])[], columns: number | null): string[] {
  const full = head.map((column, i) => Math.max(width(column.title), ...rows.map((row) => width(row[i]?.text ?? ''))))
  const widths = columns === null ? full : fitted(head, full, columns)
  const last = widths.findLastIndex((cellWidth) => cellWidth > 0)
  const line = (cells: readonly Cell[]) =>
    cells
      .map((cell, i) => {
        const cellWidth = widths[i] ?? 0
        if (cellWidth === 0) return null
        const text = cut(cell.text, cellWidth)
        const filled = head[i]?.align === 'right' ? ' '.repeat(cellWidth - width(text)) + text : i === last ? text : pad(text, cellWidth)
        return cell.paint === undefined ? filled : cell.paint(filled)
      })
      .filter((text) => text !== null)
      .join(' '.repeat(GAP))
      .trimEnd()
  return [line(head.map(({ title }) => ({ text: title }))), ...rows.map(line)]
}

/** Widths that fit, 0 for a column that is left out. Columns are shrunk first, then one after the other is left out. */
function fitted(head: readonly Column[], full: readonly number[], columns: number): number[] {
  const leaving = [...head.entries()]
    .flatMap(([i, { leaves }]) => (leaves === undefined ? [] : [{ i, leaves }]))
    .sort((a, b) => a.leaves - b.leaves)
  const there = [...full]
  for (let next = 0; ; next++) {
    const widths = [...there]
    if (shrink(head, widths, columns)) return widths
    const column = leaving[next]
    if (column === undefined) return widths
    there[column.i] = 0
  }
}

/** True when the columns fit now. */
function shrink(head: readonly Column[], widths: number[], columns: number): boolean {
  const used = widths.filter((cellWidth) => cellWidth > 0)
  let excess = used.reduce((sum, cellWidth) => sum + cellWidth + GAP, -GAP) - columns
  while (excess > 0) {
    // The widest of those that can give way gives one cell, so that two long columns end up alike.
    let widest = -1
    for (const [i, column] of head.entries()) {
      const least = column.shrinksTo ?? Number.POSITIVE_INFINITY
      if ((widths[i] ?? 0) > least && (widest < 0 || (widths[i] ?? 0) > (widths[widest] ?? 0))) widest = i
    }
    if (widest < 0) return false
    widths[widest] = (widths[widest] ?? 0) - 1
    excess -= 1
  }
  return true
}
