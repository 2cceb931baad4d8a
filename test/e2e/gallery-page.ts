/** The gallery of screens, built by itself and shown in the app's own window, so that a picture needs no run. */
import { resolve } from 'node:path'
import { test as base, type ElectronApplication, type Page } from '@playwright/test'
import { build, type PreviewServer, preview } from 'vite'
import { type Folders, openApp } from './fixtures.ts'

const config = resolve('vite.renderer.config.ts')

export interface GalleryWindow {
  app: ElectronApplication
  page: Page
  /** Names of all scenes, in the gallery's order. */
  scenes(): Promise<string[]>
  /** Shows one scene and waits until it stands still. */
  show(scene: string, theme: 'light' | 'dark', zoom: 1 | 2): Promise<void>
}

/** @param address of the gallery's server */
function galleryWindow(app: ElectronApplication, page: Page, address: string): GalleryWindow {
  return {
    app,
    page,
    async scenes() {
      await page.goto(`${address}?gallery`)
      return page.getByRole('link').allTextContents()
    },
    async show(scene, theme, zoom) {
      await app.evaluate(
        ({ nativeTheme, BrowserWindow }, [source, factor]) => {
          nativeTheme.themeSource = source
          BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(factor)
        },
        [theme, zoom] as const,
      )
      await page.goto(`${address}?gallery=${scene}&theme=${theme}`)
      await page.locator('main').first().waitFor()
      await page.mouse.move(1, 1)
      // Zoom belongs to the address in Chromium, so it is set once more when the page is there.
      await app.evaluate(({ BrowserWindow }, factor) => BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(factor), zoom)
      await page.waitForFunction((factor) => devicePixelRatio === factor, zoom)
      await page.evaluate(async () => {
        for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame)
        const ending = document
          .getAnimations()
          .filter((animation) => animation.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
        await Promise.all(ending.map((animation) => animation.finished.catch(() => undefined)))
        for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame)
      })
    },
  }
}

interface Workers {
  address: string
}

export const test = base.extend<{ gallery: GalleryWindow }, Workers>({
  address: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads a fixture's needs from this pattern
    async ({}, use) => {
      const outDir = resolve('out/gallery')
      await build({ configFile: config, mode: 'gallery', logLevel: 'error', build: { outDir, emptyOutDir: true, minify: false } })
      const server: PreviewServer = await preview({ configFile: config, logLevel: 'error', build: { outDir }, preview: { port: 0 } })
      await use(server.resolvedUrls?.local[0] ?? '')
      await server.close()
    },
    { scope: 'worker' },
  ],
  gallery: async ({ address }, use, info) => {
    const top = info.outputPath('app')
    const folders: Folders = { data: `${top}/data`, home: `${top}/home`, project: `${top}/project` }
    const { app, page } = await openApp(folders, [], { ELECTRON_RENDERER_URL: `${address}?gallery` })
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1280, 800))
    await use(galleryWindow(app, page, address))
    await app.close()
  },
})
