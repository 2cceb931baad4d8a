/** Rows of text in aligned columns, fitted to the width of the terminal. */
import { cut, pad, width } from './printable.ts'

export interface Column {
  title: string
  align?: 'right'
  /** The columns that give way when the terminal is narrow, to no less than this many cells. */
  shrinksTo?: number
}

export interface Cell {
  text: string
  paint?: (text: string) => string
}

const GAP = 2

/** @param columns width of the terminal, or null when the table may be as wide as it likes */
export function table(head: readonly Column[], rows: readonly (readonly Cell[])[], columns: number | null): string[] {
  const widths = head.map((column, i) => Math.max(width(column.title), ...rows.map((row) => width(row[i]?.text ?? ''))))
  if (columns !== null) shrink(head, widths, columns)
  const line = (cells: readonly Cell[]) =>
    cells
      .map((cell, i) => {
        const cellWidth = widths[i] ?? 0
        const text = cut(cell.text, cellWidth)
        const filled =
          head[i]?.align === 'right' ? ' '.repeat(cellWidth - width(text)) + text : i === head.length - 1 ? text : pad(text, cellWidth)
        return cell.paint === undefined ? filled : cell.paint(filled)
      })
      .join(' '.repeat(GAP))
      .trimEnd()
  return [line(head.map(({ title }) => ({ text: title }))), ...rows.map(line)]
}

function shrink(head: readonly Column[], widths: number[], columns: number): void {
  let excess = widths.reduce((sum, cellWidth) => sum + cellWidth + GAP, -GAP) - columns
  while (excess > 0) {
    // The widest of those that can give way gives one cell, so that two long columns end up alike.
    let widest = -1
    for (const [i, column] of head.entries()) {
      const least = column.shrinksTo ?? Number.POSITIVE_INFINITY
      if ((widths[i] ?? 0) > least && (widest < 0 || (widths[i] ?? 0) > (widths[widest] ?? 0))) widest = i
    }
    if (widest < 0) return
    widths[widest] = (widths[widest] ?? 0) - 1
    excess -= 1
  }
}
