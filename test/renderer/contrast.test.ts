import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { STATUS, TONES } from '../../shared/run/status.ts'

const css = readFileSync(resolve(import.meta.dirname, '../../renderer/styles/tokens.css'), 'utf8')
const THEMES = ['light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const tokens = new Map<string, Record<Theme, string>>()
for (const [, name, light, dark] of css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/gi)) {
  if (name !== undefined && light !== undefined && dark !== undefined) tokens.set(name, { light, dark })
}

function token(name: string, theme: Theme): string {
  const found = tokens.get(name)
  if (found === undefined) throw new Error(`tokens.css has no colour --${name}`)
  return found[theme]
}

function luminance(hex: string): number {
  const channel = (from: number) => {
    const value = Number.parseInt(hex.slice(from, from + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

function contrast(a: string, b: string): number {
  const [one, other] = [luminance(a), luminance(b)]
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

const SURFACES = ['bg', 'raised', 'sunken', 'hover']
const lowest = (ink: string, theme: Theme) => Math.min(...SURFACES.map((surface) => contrast(token(ink, theme), token(surface, theme))))
const inks = [...new Set(TONES.map((tone) => STATUS[tone].ink))].filter((ink) => ink !== 'quiet')

/** Lowest contrast of each ink over all four surfaces (light, dark), then of the ink on its own tint. */
const DESIGNED: Record<string, [number, number, number, number]> = {
  queued: [5.0, 5.8, 5.1, 5.7],
  running: [5.0, 6.7, 5.1, 6.7],
  waiting: [5.4, 8.0, 5.6, 7.9],
  completed: [5.2, 7.4, 5.3, 7.1],
  replayed: [5.6, 7.2, 5.7, 7.2],
  failed: [5.5, 6.5, 5.5, 6.9],
  stopped: [5.5, 7.0, 5.5, 6.9],
  interrupted: [5.5, 7.4, 5.5, 7.4],
  skipped: [4.7, 4.9, 4.9, 5.1],
}

test('every ink of the status table is measured here', () => {
  expect(inks.toSorted()).toEqual(Object.keys(DESIGNED).toSorted())
})

describe.each(Object.entries(DESIGNED))('%s', (ink, [light, dark, lightTint, darkTint]) => {
  test('has the contrast it was designed with on every surface', () => {
    expect(lowest(ink, 'light')).toBeCloseTo(light, 0.6)
    expect(lowest(ink, 'dark')).toBeCloseTo(dark, 0.6)
    expect(lowest(ink, 'light')).toBeGreaterThanOrEqual(4.5)
    expect(lowest(ink, 'dark')).toBeGreaterThanOrEqual(4.5)
  })
  test('has it on its own tint too', () => {
    expect(contrast(token(ink, 'light'), token(`${ink}-tint`, 'light'))).toBeCloseTo(lightTint, 0.6)
    expect(contrast(token(ink, 'dark'), token(`${ink}-tint`, 'dark'))).toBeCloseTo(darkTint, 0.6)
  })
  test('carries readable text on a solid bar', () => {
    expect(contrast(token(ink, 'light'), token('on-ink', 'light'))).toBeGreaterThanOrEqual(5)
    expect(contrast(token(ink, 'dark'), token('on-ink', 'dark'))).toBeGreaterThanOrEqual(5)
  })
})

describe.each(THEMES)('in the %s theme', (theme) => {
  test('text of all three strengths is readable on every surface', () => {
    for (const ink of ['text', 'secondary', 'quiet']) expect(lowest(ink, theme)).toBeGreaterThanOrEqual(4.5)
  })
  test('the focus ring stands out by at least 12.6', () => {
    expect(lowest('text', theme)).toBeGreaterThanOrEqual(12.6)
  })
  test('borders of controls stand out by at least 3.3', () => {
    expect(lowest('control', theme)).toBeGreaterThanOrEqual(3.3)
  })
  test('the primary button is readable', () => {
    expect(contrast(token('on-ink', theme), token('text', theme))).toBeGreaterThanOrEqual(15)
  })
})

test('no style sheet but the tokens names a colour', () => {
  const names = ['base', 'frame', 'controls', 'status', 'history', 'run', 'lanes', 'inspector', 'sheets', 'pages', 'modes']
  for (const name of names) {
    const sheet = readFileSync(resolve(import.meta.dirname, `../../renderer/styles/${name}.css`), 'utf8')
    expect(sheet.match(/#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(/gi), `${name}.css`).toBeNull()
  }
})
