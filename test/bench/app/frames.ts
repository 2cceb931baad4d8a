/** Frame times of the real app: a busy run, a huge run, a long history. Written down, not judged. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import type { ElectronApplication, Page } from '@playwright/test'
import { expect, test } from '../../e2e/fixtures.ts'
import { appPaint, emptyPaint } from './first-paint.ts'
import { endOf, makeHistory, makeRun } from './load.ts'

const OUT = resolve('test/bench/out')
const SECONDS = 10
/** Batches a second, and events in each: what the app sends at most, times what makes 500 events a second. */
const BATCHES = 10
const EVENTS_A_BATCH = 50

interface Frames {
  frames: number
  p50: number
  p95: number
  p99: number
  max: number
  /** Share of frames that took longer than two at 60 Hz. */
  late: number
}

/** Kept in the file between tests: a test that fails starts the runner anew. */
const path = join(OUT, `app-${new Date().toISOString().slice(0, 10)}.json`)
const results: Record<string, Frames | number> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).results : {}

/** Records the time between frames while `during` is done. */
async function frames(page: Page, during: (page: Page) => Promise<void>): Promise<Frames> {
  await page.evaluate(() => {
    const times: number[] = []
    let last = performance.now()
    const tick = (now: number) => {
      times.push(now - last)
      last = now
      if ((globalThis as { measuring?: boolean }).measuring === true) requestAnimationFrame(tick)
    }
    Object.assign(globalThis, { measuring: true, frameTimes: times })
    requestAnimationFrame(tick)
  })
  await during(page)
  const times = await page.evaluate(() => {
    Object.assign(globalThis, { measuring: false })
    return (globalThis as unknown as { frameTimes: number[] }).frameTimes
  })
  const sorted = times.slice(1).sort((a, b) => a - b)
  const at = (share: number) => Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10
  const late = Math.round((1000 * sorted.filter((ms) => ms > 33.4).length) / Math.max(1, sorted.length)) / 1000
  return { frames: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1), late }
}

/** Scrolls an element to its end and back within so many seconds, a step each frame. */
function scroll(page: Page, selector: string, seconds: number): Promise<void> {
  return page.evaluate(
    async ([selector, seconds]) => {
      const element = document.querySelector(selector)
      if (element === null) throw new Error(`nothing scrolls at ${selector}`)
      const from = performance.now()
      for (let share = 0; share < 1; share = (performance.now() - from) / (seconds * 1000)) {
        const there = share < 0.5 ? share * 2 : 2 - share * 2
        element.scrollTop = there * (element.scrollHeight - element.clientHeight)
        await new Promise(requestAnimationFrame)
      }
    },
    [selector, seconds] as const,
  )
}

/** Pans and zooms the timeline by its keys for so many seconds. */
async function panAndZoom(page: Page, seconds: number): Promise<void> {
  await page.keyboard.press('Alt+3')
  const until = Date.now() + seconds * 1000
  for (const key of ['+', '+', '+', '+']) await page.keyboard.press(key)
  while (Date.now() < until) {
    for (const key of ['d', 'd', 'd', 'a', 'a', 'a']) await page.keyboard.press(key)
  }
}

async function openRun(page: Page, runId: string): Promise<number> {
  const from = Date.now()
  await page.locator(`[data-run="${runId}"]`).first().click()
  await expect(page.getByRole('treegrid')).toBeVisible({ timeout: 120_000 })
  return Date.now() - from
}

/** Sends what the app itself would send of a run that works at full speed: calls start, tell and end, 500 events a second. */
function stream(
  app: ElectronApplication,
  given: { runId: string; seq: number; calls: number; ends: Record<string, unknown> },
): Promise<void> {
  return app.evaluate(
    async ({ BrowserWindow }, { runId, seq, calls, ends, batches, size, seconds }) => {
      const page = BrowserWindow.getAllWindows()[0]?.webContents
      let next = seq
      let turn = 0
      for (let batch = 0; batch < batches * seconds; batch += 1) {
        const events = Array.from({ length: size }, () => {
          turn += 1
          const callId = (Math.floor(turn / 5) % calls) + 1
          const kind = turn % 5
          next += 1
          const base = { seq: next, at: Date.now(), runId, attempt: 1, callId }
          if (kind === 0) return { ...base, type: 'call.started', generation: 1, worker: 'local' }
          if (kind < 4) return { ...base, type: 'call.progress', kind: 'text', text: `step ${turn}` }
          return { ...ends, ...base }
        })
        page?.send('runs.changed', { runId, seq: next, events })
        await new Promise((resolve) => setTimeout(resolve, 1000 / batches))
      }
    },
    { ...given, batches: BATCHES, size: EVENTS_A_BATCH, seconds: SECONDS },
  )
}

test('the first thing that is seen, beside an empty window', async ({ folders }) => {
  const ratios: number[] = []
  for (let round = 0; round < 3; round += 1) {
    results.emptyPaintMs = await emptyPaint(join(folders.data, `empty-${round}`))
    results.firstPaintMs = await appPaint({ ...folders, data: join(folders.data, `app-${round}`) })
    ratios.push(results.firstPaintMs / results.emptyPaintMs)
  }
  results.firstPaintRatio = ratios.sort((a, b) => a - b)[1] ?? 0
})

test('1,000 calls live at 500 events a second', async ({ start, folders }) => {
  const { runId, lastSeq } = await makeRun(folders.project, 1000, 'live')
  const { app, page } = await start(folders.project)
  await openRun(page, runId)
  await page.getByRole('row', { name: /^Review/ }).dblclick()
  results.live = await frames(page, () => stream(app, { runId, seq: lastSeq, calls: 1000, ends: endOf(1) }))
  results.liveWhilePanned = await frames(page, async () => {
    const seq = lastSeq + BATCHES * SECONDS * EVENTS_A_BATCH
    await Promise.all([stream(app, { runId, seq, calls: 1000, ends: endOf(1) }), panAndZoom(page, SECONDS)])
  })
})

test('a run of 10,000 calls is opened, scrolled and panned', async ({ start, folders }) => {
  const { runId } = await makeRun(folders.project, 10_000, 'done')
  const { page } = await start(folders.project)
  results.openedMs = await openRun(page, runId)
  const limits: { parseJournal(file: string): number } = await import(new URL('../limits.mjs', import.meta.url).href)
  results.parseMs = limits.parseJournal(join(folders.project, '.claude', 'workflow-runs', runId, 'journal.jsonl'))
  await page.getByRole('row', { name: /^Review/ }).dblclick()
  results.hugeScrolled = await frames(page, () => scroll(page, '.lanes-scroll', SECONDS))
  results.hugePanned = await frames(page, () => panAndZoom(page, SECONDS))
  const from = Date.now()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('complementary', { name: 'Inspector' }).getByText('Fingerprint')).toBeVisible()
  results.selectedMs = Date.now() - from
})

test('a history of 10,000 runs is scrolled', async ({ start, folders }) => {
  await makeHistory(folders.project, 10_000)
  const { page } = await start(folders.project)
  await expect(page.locator('[data-run]').first()).toBeVisible()
  for (let loaded = 1000; loaded < 10_000; loaded += 1000) {
    await page.getByRole('button', { name: 'Show older runs' }).click()
    await expect.poll(() => page.getByRole('grid', { name: 'Runs' }).getAttribute('aria-rowcount').then(Number)).toBeGreaterThan(loaded)
  }
  results.historyScrolled = await frames(page, () => scroll(page, 'main', SECONDS))
})

test.afterAll(() => {
  mkdirSync(OUT, { recursive: true })
  const machine = { cpus: cpus().length, model: cpus()[0]?.model ?? '', load: loadavg()[0] }
  writeFileSync(path, `${JSON.stringify({ at: new Date().toISOString(), machine, unit: 'ms between frames', results }, null, 2)}\n`)
  console.log(`${path}\n${JSON.stringify(results, null, 2)}`)
})
