/**
 * Looks at a script while it works: how long it has given no sign, and what the process has gained in memory since. It stops
 * looking when the script is at rest, which it stays until it is told something.
 */
import type { FromScript } from './sandbox/protocol.ts'

export interface WatchLimits {
  /** Memory that the process may gain while the script gives no sign. */
  memoryMb: number
  /** Memory that the script's own thread may keep from turn to turn. */
  keptMb: number
  /** A turn longer than this ends the script. */
  unresponsiveMs: number
  /** Time between two looks. */
  lookMs: number
}

export interface WatchVerdicts {
  ping(): void
  tooMuchMemory(mb: number): void
  unresponsive(): void
}

/** Looks at a resting script before it is left alone: what it was told last may have crossed with its word that it rests. */
const LOOKS_AT_REST = 10

export class ScriptWatch {
  readonly #limits: WatchLimits
  readonly #to: WatchVerdicts
  #timer: NodeJS.Timeout | null = null
  #isHeard = false
  #isAtRest = false
  #memory = 0
  #looksUnheard = 0
  #looksAtRest = 0

  constructor(limits: WatchLimits, to: WatchVerdicts) {
    this.#limits = limits
    this.#to = to
  }

  /** The script was started, or told something: it works now. */
  told(): void {
    this.#looksAtRest = 0
    if (this.#timer !== null) return
    this.#isHeard = true
    this.#timer = setInterval(() => this.#look(), this.#limits.lookMs)
    this.#memory = process.memoryUsage.rss()
    this.#to.ping()
  }

  heard(batch: readonly FromScript[]): void {
    this.#isHeard = true
    for (const message of batch)
      if (message.t === 'pong' && message.memory > this.#limits.keptMb * 2 ** 20) return this.#tooMuch(this.#limits.keptMb)
    const last = batch.at(-1)
    if (last !== undefined && last.t !== 'pong') this.#isAtRest = isRest(last)
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  /** Looks are counted, not time: a machine that slept does not make the script look dead. */
  #look(): void {
    const memory = process.memoryUsage.rss()
    if (!this.#isHeard) {
      this.#looksUnheard += 1
      if (memory - this.#memory > this.#limits.memoryMb * 2 ** 20) return this.#tooMuch(this.#limits.memoryMb)
      if (this.#looksUnheard * this.#limits.lookMs > this.#limits.unresponsiveMs) return this.#unresponsive()
      return
    }
    this.#isHeard = false
    this.#memory = memory
    this.#looksUnheard = 0
    this.#looksAtRest = this.#isAtRest ? this.#looksAtRest + 1 : 0
    if (this.#looksAtRest > LOOKS_AT_REST) this.stop()
    else this.#to.ping()
  }

  #tooMuch(mb: number): void {
    this.stop()
    this.#to.tooMuchMemory(mb)
  }

  #unresponsive(): void {
    this.stop()
    this.#to.unresponsive()
  }
}

function isRest(message: FromScript): boolean {
  return message.t === 'idle' || message.t === 'need' || message.t === 'settled' || message.t === 'stuck'
}
