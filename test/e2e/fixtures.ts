/** The app as a person has it: a real window on a real Electron, with a data folder, a home and a project of its own a test. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test as base, type ElectronApplication, _electron as electron, expect, type Page } from '@playwright/test'
import type {} from '../../shared/contract/bridge.ts'
import { FakeDesktop } from '../desktop/fake-desktop.ts'

export { expect } from '@playwright/test'

const root = resolve(import.meta.dirname, '../..')
const isRoot = process.getuid?.() === 0
/** The same tests on a packaged app: REPRISE_PACKAGED=dist/linux-unpacked/reprise. */
const packaged = process.env.REPRISE_PACKAGED
const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH
if (!packaged && !dist) throw new Error('Run these tests with: npm run e2e')
const executablePath = packaged ? resolve(root, packaged) : join(dist ?? '', 'electron')

const CLOSE_MS = 10_000

export interface Started {
  app: ElectronApplication
  /** The main process; known also after its end. */
  process: ChildProcess
  page: Page
  /** What the page logged as an error, or threw. A test that expects some takes them out; at its end there must be none. */
  errors: string[]
}

export interface Folders {
  data: string
  home: string
  project: string
}

interface Fixtures {
  folders: Folders
  /** Writes a script into the project's workflows and returns its path. */
  workflow(name: string, text: string): string
  desktop: FakeDesktop
  /** Starts the app with these words, as from a terminal in the project's folder. */
  start(...words: string[]): Promise<Started>
  /** Starts the app once more on the same data folder and waits for its end; the exit code. */
  startAgain(...words: string[]): Promise<number>
  /** Runs the `reprise` command in the project's folder, on the same data; its exit code. */
  command(...words: string[]): Promise<number>
}

function words(more: readonly string[]): string[] {
  return [...(isRoot ? ['--no-sandbox'] : []), '--disable-gpu', ...(packaged ? [] : [root]), ...more]
}

function environment({ data, home }: Folders): Record<string, string> {
  const own = {
    REPRISE_USER_DATA: data,
    REPRISE_HOME: data,
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
  }
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { ...Object.fromEntries(inherited), ...own }
}

/** @param env besides what keeps its data apart from the person's */
export async function openApp(folders: Folders, more: readonly string[], env: Record<string, string> = {}): Promise<Started> {
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true })
  const app = await electron.launch({
    executablePath,
    args: words(more),
    cwd: folders.project,
    env: { ...environment(folders), ...env },
    chromiumSandbox: !isRoot,
    // The page sees the theme that the app sets, not one of the test driver's.
    colorScheme: null,
  })
  const process = app.process()
  const errors: string[] = []
  const page = await app.firstWindow()
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  await page.waitForLoadState('load')
  await expect.poll(() => isWindowVisible(app)).toBe(true)
  return { app, process, page, errors }
}

/** Ends the app as a person does; one that asks or hangs, because a test left it so, is killed. */
export async function closeApp({ app, process }: Started): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return
  const late = setTimeout(() => process.kill('SIGKILL'), CLOSE_MS)
  await app.close()
  clearTimeout(late)
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads a fixture's needs from this pattern
  folders: async ({}, use) => {
    const top = mkdtempSync(join(tmpdir(), 'reprise-e2e-'))
    const folders = { data: join(top, 'data'), home: join(top, 'home'), project: join(top, 'project') }
    for (const folder of Object.values(folders)) mkdirSync(folder)
    mkdirSync(join(folders.project, '.claude', 'workflows'), { recursive: true })
    await use(folders)
    rmSync(top, { recursive: true, force: true })
  },
  workflow: async ({ folders }, use) => {
    await use((name, text) => {
      const path = join(folders.project, '.claude', 'workflows', name)
      writeFileSync(path, text)
      return path
    })
  },
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads a fixture's needs from this pattern
  desktop: async ({}, use) => {
    const desktop = await FakeDesktop.start()
    await use(desktop)
    await desktop.stop()
  },
  start: async ({ folders }, use) => {
    const started: Started[] = []
    await use(async (...more) => {
      const one = await openApp(folders, more)
      started.push(one)
      return one
    })
    for (const one of started) await closeApp(one)
    for (const { errors } of started) expect(errors).toEqual([])
  },
  startAgain: async ({ folders }, use) => {
    await use(async (...more) => {
      const child = spawn(executablePath, words(more), { cwd: folders.project, env: environment(folders), stdio: 'ignore' })
      const [code] = await once(child, 'exit')
      return code
    })
  },
  command: async ({ folders }, use) => {
    await use(async (...more) => {
      const child = spawn(process.execPath, [join(root, 'out', 'cli', 'reprise.mjs'), ...more], {
        cwd: folders.project,
        env: environment(folders),
        stdio: 'ignore',
      })
      const [code] = await once(child, 'exit')
      return code
    })
  },
})

/** Drops real files in the middle of the page, as the system would; their paths are found by `pathForFile`. */
export async function dropFiles(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) if (!existsSync(path)) throw new Error(`${path} isn't there to be dropped`)
  const { width, height } = await page.evaluate(() => ({ width: innerWidth, height: innerHeight }))
  const cdp = await page.context().newCDPSession(page)
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    const data = { items: [], files: [...paths], dragOperationsMask: 1 }
    await cdp.send('Input.dispatchDragEvent', { type, x: width / 2, y: height / 2, data })
  }
  await cdp.detach()
}

/** The preferences that the window really runs with; Electron tells them by a method that its types leave out. */
export function webPreferences(app: ElectronApplication): Promise<Record<string, unknown>> {
  return app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    if (window === undefined) throw new Error('the app has no window')
    const contents = window.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> }
    return contents.getLastWebPreferences()
  })
}

/** Is the app's window on screen right now? */
export function isWindowVisible(app: ElectronApplication): Promise<boolean> {
  return app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() ?? false)
}
