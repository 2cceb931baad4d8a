/** Random numbers that come again with the same seed (mulberry32), so that a failure can be looked for again. */

export interface Chance {
  /** From 0 up to, not including, 1. */
  next(): number
  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number
}

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return { next, below: (end) => Math.floor(next() * end) }
}
