/** A clock that stands until the test moves it; it remembers how long it was asked to wait. */
import type { Clock } from '../../../main/engine/ports.ts'

export class FakeClock implements Clock {
  #now = 1_000
  readonly #waits = new Set<{ due: number; done: () => void }>()
  /** Milliseconds of every wait that was asked for, in order. */
  readonly asked: number[] = []

  now(): number {
    return this.#now
  }

  after(ms: number, signal: AbortSignal): Promise<void> {
    this.asked.push(ms)
    return new Promise((resolve, reject) => {
      const wait = { due: this.#now + ms, done: resolve }
      this.#waits.add(wait)
      signal.addEventListener('abort', () => {
        this.#waits.delete(wait)
        reject(signal.reason)
      })
    })
  }

  get waiting(): number {
    return this.#waits.size
  }

  advance(ms: number): void {
    this.#now += ms
    for (const wait of this.#waits) {
      if (wait.due > this.#now) continue
      this.#waits.delete(wait)
      wait.done()
    }
  }
}

/** When every promise that could go on has gone on, in this thread. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
