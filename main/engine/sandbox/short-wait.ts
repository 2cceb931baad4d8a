/**
 * Waits for the other thread with open eyes, for a moment. To be woken costs a thread more than a whole call of an agent that
 * answers at once, so while answers come fast the event loop goes on turning instead of falling asleep.
 */

/** An answer that came sooner than this makes it worth to stay awake for the next one as long. */
const MOMENT_MS = 0.5

export class ShortWait {
  #since = 0
  #isWaiting = false
  #isWorthIt = false
  readonly #later = setImmediate
  readonly #turn = (): void => {
    if (this.#isWaiting && performance.now() - this.#since < MOMENT_MS) this.#later(this.#turn)
  }

  /** Something was said that the other thread answers. */
  begin(): void {
    this.#since = performance.now()
    if (this.#isWaiting) return
    this.#isWaiting = true
    if (this.#isWorthIt) this.#later(this.#turn)
  }

  /** The other thread has said something. */
  end(): void {
    if (!this.#isWaiting) return
    this.#isWaiting = false
    this.#isWorthIt = performance.now() - this.#since < MOMENT_MS
  }
}
