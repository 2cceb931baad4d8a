/**
 * Pictures of every scene of the gallery, light and dark, at 100 % and 200 %, into `out/screenshots/gallery/`.
 * SCENES=home,gate takes only those; THEMES and ZOOMS likewise.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from '../gallery-page.ts'

const OUT = resolve('out/screenshots/gallery')
const wanted = (name: string): string[] | null => process.env[name]?.split(',') ?? null

test('pictures of every scene of the gallery', async ({ gallery }) => {
  test.setTimeout(600_000)
  mkdirSync(OUT, { recursive: true })
  const only = wanted('SCENES')
  for (const scene of only ?? (await gallery.scenes())) {
    for (const theme of ['light', 'dark'] as const) {
      for (const zoom of [1, 2] as const) {
        if (wanted('THEMES')?.includes(theme) === false || wanted('ZOOMS')?.includes(String(zoom)) === false) continue
        await gallery.show(scene, theme, zoom)
        const png = await gallery.app.evaluate(async ({ BrowserWindow }) => {
          const image = await BrowserWindow.getAllWindows()[0]?.webContents.capturePage()
          return image?.toPNG().toString('base64') ?? ''
        })
        writeFileSync(join(OUT, `${scene}-${theme}${zoom === 2 ? '-200' : ''}.png`), Buffer.from(png, 'base64'))
      }
    }
  }
})
