/** The live calls of an attempt: a queue in call order, slots, and what happens to all of them when the run ends. */
import { LiveCall, type LiveCallWorld, type Settled } from './live-call.ts'
import type { AskedCall } from './sandbox/protocol.ts'

export interface LiveCallsOptions extends LiveCallWorld {
  slots: number
  /** Asked in the slot, before a start: may this call begin? False once, and nothing is started any more. */
  mayStart(asked: AskedCall): boolean
  /** Saves the outcome; does not reject. */
  onSettled(call: LiveCall, settled: Settled): Promise<void>
  /** A slot is free again. */
  onFreed(): void
}

export class LiveCalls {
  readonly #options: LiveCallsOptions
  readonly #queue = new Set<LiveCall>()
  readonly #working = new Set<LiveCall>()
  #closed = false

  constructor(options: LiveCallsOptions) {
    this.#options = options
  }

  /** Nothing of it is at work: neither running, nor waiting for its next try. */
  get isIdle(): boolean {
    return this.#working.size === 0
  }

  /** Nothing is at work, and nothing waits for a slot. */
  get isDone(): boolean {
    return this.isIdle && this.#queue.size === 0
  }

  /** Started and not settled, in no order. */
  get working(): Iterable<LiveCall> {
    return this.#working
  }

  get queued(): Iterable<LiveCall> {
    return this.#queue
  }

  add(asked: AskedCall, generation: number): void {
    const call = new LiveCall(asked, generation, this.#options)
    this.#queue.add(call)
    void this.#follow(call)
  }

  /** The slot is held until the result is saved, so that a crash never costs more calls than there are slots. */
  async #follow(call: LiveCall): Promise<void> {
    const settled = await call.settled
    this.#queue.delete(call)
    this.#working.add(call)
    await this.#options.onSettled(call, settled)
    this.#working.delete(call)
    this.#options.onFreed()
    this.pump()
  }

  /** Fills the free slots. */
  pump(): void {
    while (!this.#closed && this.#working.size < this.#options.slots) {
      const [call] = this.#queue
      if (call === undefined || !this.#options.mayStart(call.asked)) return
      this.#queue.delete(call)
      this.#working.add(call)
      call.start().catch((error: unknown) => this.#options.onBroken(error))
    }
  }

  /** From now on nothing is started, no next try either; what is running goes on. */
  close(): void {
    this.#closed = true
    for (const call of this.#working) call.lastTry()
  }

  find(callId: number): LiveCall | undefined {
    for (const call of this.#working) if (call.asked.call === callId && call.state !== 'settled') return call
    for (const call of this.#queue) if (call.asked.call === callId) return call
    return undefined
  }

  /** Answers an open permission, whichever call asked. False when there is none of this name. */
  answer(question: string, answer: 'allow-once' | 'deny', by: string): boolean {
    for (const call of this.#working) if (call.answer(question, answer, by)) return true
    return false
  }

  cancelAll(): void {
    this.#closed = true
    for (const call of [...this.#queue, ...this.#working]) call.cancel('stop')
  }
}
