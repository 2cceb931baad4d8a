/** The machine's own time. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../engine/ports.ts'

export const systemClock: Clock = {
  now: () => Date.now(),
  /** Rejects with the signal's reason when it is aborted first. */
  async after(ms, signal) {
    await wait(ms, undefined, { signal })
  },
}
