/**
 * The way out. Quitting with live runs asks once; a shutdown of the system and a signal do not ask. Then every run is stopped
 * in order, everything is flushed, and only then the app goes.
 */
import { app, dialog, powerMonitor } from 'electron'
import type { LiveRuns } from './live-runs.ts'
import { quitQuestion } from './run-words.ts'
import type { MainWindow } from './windows.ts'

/** Running calls may end in order for so long, then they are killed. */
const GRACE_MS = 10_000
/** Nothing on the way out may keep the app longer. */
const LAST_MS = 15_000

export interface LifecycleOptions {
  live: LiveRuns
  window: MainWindow
  /** Writes what is still in memory. */
  flush(): Promise<void>
}

type Stage = 'running' | 'asking' | 'leaving' | 'ready'

export class Lifecycle {
  readonly #options: LifecycleOptions
  #stage: Stage = 'running'

  constructor(options: LifecycleOptions) {
    this.#options = options
    app.on('before-quit', (event) => {
      if (this.#stage === 'ready') return
      event.preventDefault()
      if (this.#stage === 'running') void this.#ask()
    })
    app.on('window-all-closed', () => {
      if (process.platform !== 'darwin') app.quit()
    })
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      // The system's handler of a signal is set with its first listener. Electron sets its own (an ordinary quit, which would
      // ask) after listeners that came before the app was ready, so those have to go for ours to be the one.
      process.removeAllListeners(signal)
      process.on(signal, () => void this.#leave())
    }
    powerMonitor.on('shutdown', () => void this.#leave())
    options.window.browser.on('session-end', () => void this.#leave())
  }

  async #ask(): Promise<void> {
    const { live, window } = this.#options
    const { atWork } = live
    if (atWork.length === 0) return this.#leave()
    this.#stage = 'asking'
    const views = atWork.flatMap((entry) => entry.view ?? [])
    window.show()
    const { response } = await dialog.showMessageBox(window.browser, {
      type: 'question',
      message: quitQuestion(views),
      buttons: ['Quit', 'Stay'],
      defaultId: 1,
      cancelId: 1,
      noLink: true,
    })
    // A shutdown may have come while the question stood.
    if (this.#stage !== 'asking') return
    this.#stage = 'running'
    if (response === 0) await this.#leave()
  }

  async #leave(): Promise<void> {
    if (this.#stage === 'leaving' || this.#stage === 'ready') return
    this.#stage = 'leaving'
    const late = setTimeout(() => app.exit(1), LAST_MS)
    await this.#options.live.stopAll(GRACE_MS)
    await this.#options.flush()
    clearTimeout(late)
    this.#stage = 'ready'
    this.#options.window.allowClose()
    app.quit()
  }
}
