/** From the start of a process to what its window shows first: of the app, and of a window with nothing in it. */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { _electron as electron } from '@playwright/test'
import { closeApp, type Folders, openApp, type Started } from '../../e2e/fixtures.ts'

/** Milliseconds. */
async function paintedAfter(began: number, { page }: Pick<Started, 'page'>): Promise<number> {
  const painted = await page.evaluate(async () => {
    const found = performance.getEntriesByName('first-paint')[0]
    if (found !== undefined) return performance.timeOrigin + found.startTime
    return new Promise<number>((done) => {
      new PerformanceObserver((list) => {
        for (const entry of list.getEntriesByName('first-paint')) done(performance.timeOrigin + entry.startTime)
      }).observe({ type: 'paint', buffered: true })
    })
  })
  return painted - began
}

export async function appPaint(folders: Folders): Promise<number> {
  const began = Date.now()
  const started = await openApp(folders, [folders.project])
  const ms = await paintedAfter(began, started)
  await closeApp(started)
  return ms
}

/** @param folder for its data */
export async function emptyPaint(folder: string): Promise<number> {
  mkdirSync(folder, { recursive: true })
  const began = Date.now()
  const app = await electron.launch({
    executablePath: join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? '', 'electron'),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      `--user-data-dir=${folder}`,
      resolve('test/bench/app/empty'),
    ],
    chromiumSandbox: process.getuid?.() !== 0,
  })
  const ms = await paintedAfter(began, { page: await app.firstWindow() })
  await app.close()
  return ms
}
