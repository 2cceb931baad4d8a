/** Difference of two texts line by line: the shortest script of kept, removed and added lines. */

export interface DiffLine {
  kind: 'same' | 'old' | 'new'
  text: string
}

/** More cells than this and the texts are shown one after the other. */
const MOST_CELLS = 400_000

export function lineDiff(before: string, after: string): DiffLine[] {
  const a = before.split('\n')
  const b = after.split('\n')
  if (a.length * b.length > MOST_CELLS) {
    return [...a.map((text): DiffLine => ({ kind: 'old', text })), ...b.map((text): DiffLine => ({ kind: 'new', text }))]
  }
  // common[i][j]: longest common run of lines of a from i and b from j
  const common = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1))
  const at = (i: number, j: number) => common[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = common[i]
      if (row !== undefined) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i] ?? '' })
      i += 1
      j += 1
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) lines.push({ kind: 'old', text: a[i++] ?? '' })
    else lines.push({ kind: 'new', text: b[j++] ?? '' })
  }
  return lines
}
