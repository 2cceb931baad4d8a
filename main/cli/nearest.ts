/** Finds what somebody probably meant to type. */

/** Edits between two words: insert, delete, replace, swap of neighbours. */
export function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  const cell = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i++) {
    rows.push([i])
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let least = Math.min(cell(i - 1, j) + 1, cell(i, j - 1) + 1, cell(i - 1, j - 1) + (same ? 0 : 1))
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, cell(i - 2, j - 2) + 1)
      rows[i]?.push(least)
    }
  }
  return cell(a.length, b.length)
}

/** The nearest of the known words, or null when none is near: at most a third of the letters differ, or it begins alike. */
export function nearest(word: string, known: readonly string[]): string | null {
  let best: { word: string; distance: number } | null = null
  for (const candidate of known) {
    const begins = word.length >= 2 && candidate.startsWith(word)
    const distance = begins ? 0.5 : editDistance(word.toLowerCase(), candidate)
    const near = begins || distance <= Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3))
    if (near && (best === null || distance < best.distance)) best = { word: candidate, distance }
  }
  return best?.word ?? null
}
