/** An executor that plays its agents: the second implementation of the suite. */
import type { CallExecutor, CallTask, Outcome, TaskId, TaskListener } from '../../../main/engine/ports.ts'

type Said = (on: TaskListener) => void

export class MemoryExecutor implements CallExecutor {
  readonly slots = 4
  readonly outlivesOwner = true
  readonly #play: (task: CallTask, stopped: AbortSignal, say: (text: string) => void) => Promise<Outcome>
  readonly #tasks = new Map<TaskId, { said: Said[]; on: Set<TaskListener>; stop: AbortController }>()

  constructor(play: (task: CallTask, stopped: AbortSignal, say: (text: string) => void) => Promise<Outcome>) {
    this.#play = play
  }

  async accept(tasks: CallTask[]): Promise<void> {
    for (const task of tasks) {
      if (this.#tasks.has(task.id)) continue
      const state = { said: [] as Said[], on: new Set<TaskListener>(), stop: new AbortController() }
      this.#tasks.set(task.id, state)
      const tell = (said: Said): void => {
        state.said.push(said)
        for (const on of state.on) said(on)
      }
      tell((on) => on.started({ worker: 'memory', streams: true }))
      const talk = (text: string): void => tell((on) => on.event({ kind: 'text', text }))
      void this.#play(task, state.stop.signal, talk).then((outcome) => tell((on) => on.ended(outcome)))
    }
  }

  attach(id: TaskId, on: TaskListener): { tell(message: { t: string }): Promise<void> } {
    const state = this.#tasks.get(id)
    if (state === undefined) throw new Error(`Task ${id} is not known`)
    queueMicrotask(() => {
      for (const said of state.said) said(on)
      state.on.add(on)
    })
    return {
      tell: async ({ t }) => {
        if (t === 'cancel') state.stop.abort()
      },
    }
  }
}
