/** An executor whose outcomes are told by the test: at once by a function, or by hand. */
import type { CallExecutor, CallTask, Outcome, TaskId, TaskListener, ToTask } from '../../../main/engine/ports.ts'
import type { Json } from '../../../shared/json.ts'

/** Null: it runs until the test ends it. */
export type Answer = (task: CallTask, nth: number) => Outcome | null

export class FakeExecutor implements CallExecutor {
  readonly slots: number
  readonly outlivesOwner = false
  /** Every task that was really started, in order. */
  readonly tasks: CallTask[] = []
  readonly #running = new Map<TaskId, { task: CallTask; on: TaskListener | null }>()
  readonly #answer: Answer
  lane?: (request: Json) => { name: string; slots: number } | null
  /** Most tasks at once. */
  most = 0
  /** How a task ends that is told to: another outcome than `cancelled` was under way already. Null: it takes its time. */
  onCancel: () => Outcome | null = () => ({ kind: 'cancelled' })

  constructor(answer: Answer = () => null, slots = 64) {
    this.#answer = answer
    this.slots = slots
  }

  get prompts(): string[] {
    return this.tasks.map(promptOf)
  }

  get running(): number[] {
    return Array.from(this.#running.values(), ({ task }) => task.call)
  }

  async accept(tasks: CallTask[]): Promise<void> {
    for (const task of tasks) {
      this.tasks.push(task)
      this.#running.set(task.id, { task, on: null })
      this.most = Math.max(this.most, this.#running.size)
    }
  }

  attach(id: TaskId, on: TaskListener): { tell(message: ToTask): Promise<void> } {
    const entry = this.#running.get(id)
    if (entry === undefined) throw new Error(`no task ${id}`)
    entry.on = on
    on.started({ worker: 'fake', streams: true })
    const outcome = this.#answer(entry.task, this.tasks.filter(({ call }) => call === entry.task.call).length)
    if (outcome !== null) setImmediate(() => this.#end(id, outcome))
    return {
      tell: async (message) => {
        if (message.t !== 'cancel') return void this.answers.push(message)
        const outcome = this.onCancel()
        if (outcome !== null) this.#end(id, outcome)
      },
    }
  }

  /** What was told to running tasks, apart from cancels. */
  readonly answers: ToTask[] = []

  /** Something that the running task of a call tells. */
  say(call: number, told: (on: TaskListener) => void): void {
    for (const { task, on } of this.#running.values()) if (task.call === call && on !== null) told(on)
  }

  /** Ends the running task of a call. */
  end(call: number, outcome: Outcome): void {
    for (const [id, { task }] of this.#running) if (task.call === call) return this.#end(id, outcome)
    throw new Error(`call ${call} is not running`)
  }

  #end(id: TaskId, outcome: Outcome): void {
    const entry = this.#running.get(id)
    if (!this.#running.delete(id)) return
    entry?.on?.ended(outcome)
  }
}

export function promptOf(task: CallTask): string {
  const request = task.request
  return typeof request === 'object' && request !== null && !Array.isArray(request) ? String(request['prompt']) : ''
}

const usage = { inputTokens: 1, outputTokens: 100 }

export function ok(output: Json, outputTokens = 100): Outcome {
  return { kind: 'ok', output: { inline: output }, usage: { ...usage, outputTokens }, cost: 0.5, backend: 'real' }
}

export function dead(
  reason: Extract<Outcome, { kind: 'dead' }>['reason'],
  more: { retryable?: boolean; retryAfterMs?: number } = {},
): Outcome {
  return { kind: 'dead', reason, detail: `it died of ${reason}`, retryable: true, usage, cost: 0.5, backend: 'real', ...more }
}
