/** Page zoom, kept in the settings: the menu steps through fixed steps, and the page is always drawn at the one that is set. */
import type { WebContents } from 'electron'
import { type Settings, ZOOMS } from '../shared/contract/settings.ts'
import type { AppSettings } from './settings.ts'

type Zoom = Settings['zoom']

/** The next step up or down; at the end it stays. */
export function stepZoom(zoom: Zoom, by: 1 | -1): Zoom {
  return ZOOMS[ZOOMS.indexOf(zoom) + by] ?? zoom
}

/** Draws the page at the zoom of the settings, now and whenever they change or the page is loaded anew. */
export function followZoom(page: WebContents, settings: AppSettings): void {
  const apply = () => {
    if (!page.isDestroyed()) page.setZoomFactor(settings.value.zoom / 100)
  }
  page.on('did-finish-load', apply)
  settings.changed.on(apply)
}
