/** Every scene of the gallery: nothing that axe objects to in either theme, nothing that runs off the page at 100 % or 200 %. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { test } from './gallery-page.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult {
  violations: { id: string; help: string; nodes: { target: unknown; failureSummary?: string }[] }[]
}

/** What axe finds wrong, a line each. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: { run(): Promise<AxeResult> } }).axe.run())
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map((node) => `${id}: ${String(node.target)} ${node.failureSummary ?? ''}`),
  )
}

/** Pixels by which the page is wider than its window. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

for (const theme of ['light', 'dark'] as const) {
  for (const zoom of [1, 2] as const) {
    test(`every screen can be read and used by everybody: ${theme}, ${zoom * 100} %`, async ({ gallery }) => {
      test.setTimeout(300_000)
      const found: string[] = []
      for (const scene of await gallery.scenes()) {
        await gallery.show(scene, theme, zoom)
        // Zoom changes no colour and no name: what axe looks at is the same at 200 %.
        if (zoom === 1) for (const one of await violations(gallery.page)) found.push(`${scene}: ${one}`)
        const wider = await overflow(gallery.page)
        if (wider > 0) found.push(`${scene}: ${wider} pixels wider than the window`)
      }
      expect(found).toEqual([])
    })
  }
}

/** Screens of each kind: the rest is made of the same parts. */
const TELLING = ['home', 'run-running', 'run-question', 'gate', 'settings', 'workflow']

for (const media of [{ contrast: 'more' }, { forcedColors: 'active' }, { reducedMotion: 'reduce' }] as const) {
  test(`the screens hold with ${JSON.stringify(media)}`, async ({ gallery }) => {
    await gallery.page.emulateMedia(media)
    const found: string[] = []
    for (const scene of TELLING) {
      await gallery.show(scene, 'light', 1)
      for (const one of await violations(gallery.page)) found.push(`${scene}: ${one}`)
      const moving = await gallery.page.evaluate(
        () => document.getAnimations().filter((one) => Number(one.effect?.getComputedTiming().duration) > 0).length,
      )
      if ('reducedMotion' in media && moving > 0) found.push(`${scene}: ${moving} animations`)
    }
    expect(found).toEqual([])
  })
}
