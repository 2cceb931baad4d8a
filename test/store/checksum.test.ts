import { expect, test } from 'vitest'
import { sealed, sealOf } from '../../main/store/checksum.ts'

const value = { schemaVersion: 1, title: 'review', limits: { concurrency: 4 }, args: ['a } b', null] }
const texts = [JSON.stringify(value), `${JSON.stringify(value)}\n`, `${JSON.stringify(value, null, 2)}\n`]

test('a sealed text is the same JSON, with its sum as the last member', () => {
  for (const text of texts) {
    const seal = sealed(text)
    expect(sealOf(seal)).toBe('whole')
    const { crc, ...rest } = JSON.parse(seal)
    expect(rest).toEqual(value)
    expect(crc).toMatch(/^[0-9a-f]{8}$/)
    expect(Object.keys(JSON.parse(seal)).at(-1)).toBe('crc')
  }
})

test('no flipped bit of a sealed text gives another value under a right sum', () => {
  for (const text of texts) {
    const bytes = Buffer.from(sealed(text))
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes)
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const harmed = flipped.toString()
      if (sealOf(harmed) === 'altered') continue
      let read: unknown
      try {
        const { schemaVersion, title, limits, args } = JSON.parse(harmed)
        read = { schemaVersion, title, limits, args }
      } catch {
        continue
      }
      expect(read).toEqual(value)
    }
  }
})

test('a text of an earlier version has no sum and is not refused for it', () => {
  expect(sealOf('{"a":1}')).toBe('unsealed')
  expect(sealOf('')).toBe('unsealed')
})
