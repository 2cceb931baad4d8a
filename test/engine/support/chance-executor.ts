/** Executors whose agents finish in an order drawn by chance, or exactly in the order of an earlier run. */
import { fingerprint } from '../../../main/engine/fingerprint.ts'
import type { CallExecutor, CallTask, Clock, Outcome, TaskId, TaskListener } from '../../../main/engine/ports.ts'
import { systemClock } from '../../../main/host/system-clock.ts'
import type { Json } from '../../../shared/json.ts'

type Draw = () => number

/** Programs sleep for less; what is longer is the engine's own. */
const LONGEST_SLEEP_MS = 1000

const usage = { inputTokens: 1, outputTokens: 10 }

/** Runs when every promise that could go on has gone on, in this thread. */
const quiet = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export abstract class QueueExecutor implements CallExecutor {
  readonly slots = 64
  readonly outlivesOwner = false
  /** Calls that were really started, by number. */
  readonly started: number[] = []
  protected readonly running = new Map<TaskId, { task: CallTask; on: TaskListener | null }>()
  #isTurning = false
  #others = 0
  #now = 1000

  async accept(tasks: CallTask[]): Promise<void> {
    for (const task of tasks) {
      this.started.push(task.call)
      this.running.set(task.id, { task, on: null })
    }
    if (!this.#isTurning) void this.#turn()
  }

  /** Resolves when it is the turn of a call that no executor is given, as an agent's turn to finish comes; with what it is to give. */
  turnOf(fp: string, signal?: AbortSignal): Promise<Json> {
    this.#others += 1
    const id = `RUN.other.${fp.slice(0, 8)}.${this.#others}`
    const rest = { attempt: 1, generation: 1, request: null, needs: [], workspace: null, timeoutMs: null, repeatable: true }
    const task: CallTask = { id, runId: 'RUN', call: 1_000_000 + this.#others, kind: 'agent', ...rest }
    if (!this.#isTurning) void this.#turn()
    const ignored = (): void => undefined
    return new Promise((resolve, reject) => {
      const gone = (): void => {
        this.running.delete(id)
        reject(signal?.reason)
      }
      const ended = (outcome: Outcome): void => {
        signal?.removeEventListener('abort', gone)
        resolve(outcome.kind === 'ok' && 'inline' in outcome.output ? outcome.output.inline : null)
      }
      signal?.addEventListener('abort', gone)
      this.running.set(id, { task, on: { started: ignored, event: ignored, asked: ignored, answered: ignored, ended } })
    })
  }

  /**
   * Time that stands, so that a sleep always asks for all of its time, and passes for a sleep alone when its turn has come. What
   * the engine itself waits for takes real time.
   */
  readonly clock: Clock = {
    now: () => this.#now,
    after: async (ms, signal) => {
      if (ms > LONGEST_SLEEP_MS) return systemClock.after(ms, signal)
      await this.turnOf(fingerprint('sleep', { ms }), signal)
      this.#now += ms
      setImmediate(() => {
        this.#now -= ms
      })
    },
  }

  attach(id: TaskId, on: TaskListener): { tell(): Promise<void> } {
    const entry = this.running.get(id)
    if (entry !== undefined) entry.on = on
    on.started({ worker: 'memory', streams: true })
    return {
      tell: async () => {
        if (this.running.delete(id)) on.ended({ kind: 'cancelled' })
      },
    }
  }

  /** One agent finishes at a time, each after the script has gone on from the one before. */
  async #turn(): Promise<void> {
    this.#isTurning = true
    for (;;) {
      for (let i = 0; i < this.patience; i += 1) await quiet()
      const attached = [...this.running.values()].filter((entry) => entry.on !== null)
      const next = this.choose(attached.map((entry) => entry.task))
      const entry = next === null ? undefined : this.running.get(next.id)
      if (next === null || entry === undefined) break
      this.running.delete(next.id)
      entry.on?.ended(this.answer(next))
    }
    this.#isTurning = false
  }

  protected abstract readonly patience: number
  /** Who finishes next; null: nobody ever does. */
  protected abstract choose(running: CallTask[]): CallTask | null
  protected abstract answer(task: CallTask): Outcome
}

export class ChanceExecutor extends QueueExecutor {
  readonly #draw: Draw
  readonly #dies: number

  constructor(draw: Draw, dies: number) {
    super()
    this.#draw = draw
    this.#dies = dies
  }

  protected get patience(): number {
    return 1 + Math.floor(this.#draw() * 3)
  }

  protected choose(running: CallTask[]): CallTask | null {
    return running[Math.floor(this.#draw() * running.length)] ?? null
  }

  protected answer(task: CallTask): Outcome {
    if (this.#draw() < this.#dies)
      return { kind: 'dead', reason: 'agent-error', detail: 'died', retryable: false, usage, cost: null, backend: 'real' }
    return {
      kind: 'ok',
      output: { inline: `r${task.call}.${Math.floor(this.#draw() * 1e6).toString(36)}` },
      usage,
      cost: null,
      backend: 'real',
    }
  }
}

export interface Recorded {
  fp: string
  rank: number
  output: Json
}

/** Gives the n-th call with a fingerprint the n-th recorded answer, in the recorded order; one without an answer never ends. */
export class RecordedExecutor extends QueueExecutor {
  protected readonly patience = 4
  readonly #recorded = new Map<string, Recorded[]>()
  readonly #matched = new Map<number, Recorded>()

  constructor(recorded: readonly Recorded[]) {
    super()
    for (const one of recorded) this.#recorded.set(one.fp, [...(this.#recorded.get(one.fp) ?? []), one])
  }

  protected choose(running: CallTask[]): CallTask | null {
    for (const task of running.toSorted((a, b) => a.call - b.call)) {
      const fp = task.id.split('.')[2] ?? ''
      const next = this.#matched.has(task.call) ? undefined : this.#recorded.get(fp)?.shift()
      if (next !== undefined) this.#matched.set(task.call, next)
    }
    const answered = running.filter((task) => Number.isFinite(this.#rank(task)))
    return answered.toSorted((a, b) => this.#rank(a) - this.#rank(b))[0] ?? null
  }

  protected answer(task: CallTask): Outcome {
    const output = this.#matched.get(task.call)?.output ?? null
    if (output === null)
      return { kind: 'dead', reason: 'agent-error', detail: 'died', retryable: false, usage, cost: null, backend: 'real' }
    return { kind: 'ok', output: { inline: output }, usage, cost: null, backend: 'real' }
  }

  #rank(task: CallTask): number {
    return this.#matched.get(task.call)?.rank ?? Number.POSITIVE_INFINITY
  }
}
