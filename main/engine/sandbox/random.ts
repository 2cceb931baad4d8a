/** Chance that replays: a generator seeded with the run's seed, so that every attempt draws the same numbers. */
import { createHash } from 'node:crypto'

export interface SeededRandom {
  /** In [0, 1), like `Math.random()`. */
  next(): number
  /** A version 4 UUID in form; it is drawn, not measured. */
  uuid(): string
}

/** The sfc32 generator (Doty-Humphrey, PractRand), seeded from a sha-256 of the text. */
export function seededRandom(seed: string): SeededRandom {
  const bytes = createHash('sha256').update(seed).digest()
  let a = bytes.readInt32LE(0)
  let b = bytes.readInt32LE(4)
  let c = bytes.readInt32LE(8)
  let counter = bytes.readInt32LE(12)

  function word(): number {
    const t = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + t
    return t >>> 0
  }

  return {
    next: () => word() / 4294967296,
    uuid: () => {
      const hex = [word(), word(), word(), word()].map((w) => w.toString(16).padStart(8, '0')).join('')
      const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
    },
  }
}
