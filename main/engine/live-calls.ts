/** The live calls of an attempt: a queue in call order, slots, and what happens to all of them when the run ends. */
import { LiveCall, type LiveCallWorld, type Settled } from './live-call.ts'
import type { CallExecutor, PermissionAnswer } from './ports.ts'
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

/** Calls of one agent that does not do as many at once as the run has slots. */
type Lane = NonNullable<ReturnType<NonNullable<CallExecutor['lane']>>>

export class LiveCalls {
  readonly #options: LiveCallsOptions
  readonly #queue = new Set<LiveCall>()
  readonly #working = new Set<LiveCall>()
  /** How many calls are at work in each lane. */
  readonly #busy = new Map<string, number>()
  readonly #lanes = new WeakMap<LiveCall, Lane>()
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

  /** @param session the agent's own, when the call goes on with it */
  add(asked: AskedCall, generation: number, session?: string): void {
    const call = new LiveCall(asked, generation, this.#options, session)
    const lane = asked.kind === 'agent' ? (this.#options.executor.lane?.(asked.request) ?? null) : null
    if (lane !== null) this.#lanes.set(call, lane)
    this.#queue.add(call)
    void this.#follow(call)
  }

  /** The slot is held until the result is saved, so that a crash never costs more calls than there are slots. */
  async #follow(call: LiveCall): Promise<void> {
    const settled = await call.settled
    this.#queue.delete(call)
    this.#working.add(call)
    await this.#options.onSettled(call, settled)
    if (this.#working.delete(call)) this.#count(call, -1)
    this.#options.onFreed()
    this.pump()
  }

  /** Fills the free slots. A call whose agent is busy is passed over by those of other agents. */
  pump(): void {
    for (const call of this.#queue) {
      if (this.#closed || this.#working.size >= this.#options.slots) return
      if (!this.#hasRoom(call)) continue
      if (!this.#options.mayStart(call.asked)) return
      this.#queue.delete(call)
      this.#working.add(call)
      this.#count(call, 1)
      call.start().catch((error: unknown) => this.#options.onBroken(error))
    }
  }

  #hasRoom(call: LiveCall): boolean {
    const lane = this.#lanes.get(call)
    return lane === undefined || (this.#busy.get(lane.name) ?? 0) < lane.slots
  }

  #count(call: LiveCall, by: 1 | -1): void {
    const lane = this.#lanes.get(call)
    if (lane !== undefined) this.#busy.set(lane.name, (this.#busy.get(lane.name) ?? 0) + by)
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
  answer(question: string, answer: PermissionAnswer, by: string): boolean {
    for (const call of this.#working) if (call.answer(question, answer, by)) return true
    return false
  }

  cancelAll(): void {
    this.#closed = true
    for (const call of [...this.#queue, ...this.#working]) call.cancel('stop')
  }
}
