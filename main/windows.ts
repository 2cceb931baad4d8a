/** The one window: sandboxed, without Node, without navigation. It comes back where it was, and hides instead of closing when asked to. */
import { join } from 'node:path'
import { BrowserWindow, type Rectangle, type Session, screen } from 'electron'
import * as z from 'zod'
import { AppFile } from './app-file.ts'
import { APP_ORIGIN } from './app-scheme.ts'

const DEFAULT_SIZE = { width: 1280, height: 820 }
const SMALLEST = { minWidth: 720, minHeight: 480 }
/** The page's own backgrounds, so that a slow first paint is no flash. */
const BACKGROUND = { light: '#FAFAF8', dark: '#161618' }

const WindowState = z.object({
  bounds: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }).nullable(),
  isMaximized: z.boolean(),
})

export interface MainWindowOptions {
  dataFolder: string
  preload: string
  /** Where the page is served in development; null for the built one. */
  devUrl: string | null
  isDark: boolean
  /** True: a close only hides the window. */
  hidesOnClose(): boolean
}

export class MainWindow {
  readonly browser: BrowserWindow
  readonly #state: AppFile<z.infer<typeof WindowState>>
  #mayClose = false

  constructor(options: MainWindowOptions) {
    this.#state = new AppFile(join(options.dataFolder, 'window-state.json'), WindowState, { bounds: null, isMaximized: false })
    const { bounds, isMaximized } = this.#state.value
    this.browser = new BrowserWindow({
      ...DEFAULT_SIZE,
      ...SMALLEST,
      ...(bounds !== null && isOnScreen(bounds) ? bounds : {}),
      show: false,
      autoHideMenuBar: true,
      backgroundColor: options.isDark ? BACKGROUND.dark : BACKGROUND.light,
      webPreferences: {
        preload: options.preload,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        webSecurity: true,
        webviewTag: false,
        spellcheck: false,
      },
    })
    if (isMaximized) this.browser.maximize()
    this.browser.once('ready-to-show', () => this.browser.show())
    keepInside(this.browser)
    denyPermissions(this.browser.webContents.session)
    this.#rememberPlace()
    this.browser.on('close', (event) => {
      if (this.#mayClose || !options.hidesOnClose()) return
      event.preventDefault()
      this.browser.hide()
    })
    void this.browser.loadURL(options.devUrl ?? `${APP_ORIGIN}/index.html`)
  }

  show(): void {
    if (this.browser.isDestroyed()) return
    if (this.browser.isMinimized()) this.browser.restore()
    this.browser.show()
    this.browser.focus()
  }

  /** The app is about to quit: from now on a close is a close. */
  allowClose(): void {
    this.#mayClose = true
  }

  flush(): Promise<void> {
    return this.#state.flush()
  }

  #rememberPlace(): void {
    const remember = () => {
      if (this.browser.isDestroyed() || this.browser.isMinimized()) return
      this.#state.set({ bounds: this.browser.getNormalBounds(), isMaximized: this.browser.isMaximized() })
    }
    this.browser.on('resize', remember)
    this.browser.on('move', remember)
    this.browser.on('maximize', remember)
    this.browser.on('unmaximize', remember)
  }
}

/** A screen that was unplugged must not keep the window out of sight. */
function isOnScreen(bounds: Rectangle): boolean {
  const { workArea } = screen.getDisplayMatching(bounds)
  const visibleWidth = Math.min(bounds.x + bounds.width, workArea.x + workArea.width) - Math.max(bounds.x, workArea.x)
  const isTopVisible = bounds.y >= workArea.y - 1 && bounds.y < workArea.y + workArea.height - 40
  return visibleWidth > 100 && isTopVisible
}

/** No navigation, no other windows, no embedded guests. A reload of the same page is let through. */
function keepInside(browser: BrowserWindow): void {
  const { webContents } = browser
  webContents.setWindowOpenHandler(() => ({ action: 'deny' }))
  webContents.on('will-attach-webview', (event) => event.preventDefault())
  webContents.on('will-navigate', (event) => {
    if (event.url !== webContents.getURL()) event.preventDefault()
  })
  webContents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame) event.preventDefault()
  })
}

function denyPermissions(session: Session): void {
  // Writing what a person asks to copy; never reading.
  const isCopying = (permission: string) => permission === 'clipboard-sanitized-write'
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(isCopying(permission)))
  session.setPermissionCheckHandler((_contents, permission) => isCopying(permission))
  session.setDevicePermissionHandler(() => false)
}
