/** Wakes a reader when a file or folder may have changed: by the system's notice, and by a look every 250 ms where there is none. */

import type { FSWatcher } from 'node:fs'
import { watch } from 'node:fs'

const LOOK_MS = 250

/** Yields at once and then at each possible change, until the signal. A change during the caller's work is not missed. */
export async function* changes(path: string, signal: AbortSignal): AsyncGenerator<void> {
  let watcher: FSWatcher | null = null
  let noticed = false
  let wake = (): void => undefined
  const notice = (): void => {
    noticed = true
    wake()
  }
  signal.addEventListener('abort', notice)
  try {
    watcher = watch(path, { persistent: false }, notice)
    watcher.on('error', () => watcher?.close())
  } catch {
    // Not there yet, or no notices on this file system: the regular look finds it.
  }
  try {
    while (!signal.aborted) {
      noticed = false
      yield
      if (!noticed) await lookOrNotice((woken) => (wake = woken))
    }
  } finally {
    signal.removeEventListener('abort', notice)
    watcher?.close()
  }
}

function lookOrNotice(onWake: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LOOK_MS)
    onWake(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
