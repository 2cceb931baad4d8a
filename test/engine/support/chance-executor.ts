/** Executors whose agents finish in an order drawn by chance, or exactly in the order of an earlier run. */
import { fingerprint } from '../../../main/engine/fingerprint.ts'
import type { CallExecutor, CallTask, Outcome, TaskId, TaskListener } from '../../../main/engine/ports.ts'

type Draw = () => number

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
  #openings = 0

  async accept(tasks: CallTask[]): Promise<void> {
    for (const task of tasks) {
      this.started.push(task.call)
      this.running.set(task.id, { task, on: null })
    }
    if (!this.#isTurning) void this.#turn()
  }

  /** Resolves when it is the turn of a child to be opened, as an agent's turn to finish comes. */
  opening(name: string): Promise<void> {
    this.#openings += 1
    const id = `RUN.open.${fingerprint('open-child', { name }).slice(0, 8)}.${this.#openings}`
    const rest = { attempt: 1, generation: 1, request: null, needs: [], workspace: null, timeoutMs: null, repeatable: true }
    const task: CallTask = { id, runId: 'RUN', call: 1_000_000 + this.#openings, kind: 'agent', ...rest }
    if (!this.#isTurning) void this.#turn()
    const ignored = (): void => undefined
    return new Promise((resolve) => {
      this.running.set(id, {
        task,
        on: { started: ignored, event: ignored, asked: ignored, answered: ignored, ended: () => resolve() },
      })
    })
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
  output: string | null
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
