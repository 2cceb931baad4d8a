/**
 * How long a task has worked, and for how long nothing was heard of it. Both count ticks, so that a machine asleep uses up
 * neither; time in which a permission is open does not count.
 */
import type { Clock } from '../engine/ports.ts'

const TICK_MS = 1000

export interface TaskWatchOptions {
  clock: Clock
  /** Milliseconds of work; null for no limit. */
  timeoutMs: number | null
  /** Milliseconds of silence; null for no limit. */
  stallMs: number | null
  isAsking(): boolean
  /** Called once; the watch is over then. */
  onOver(by: 'timeout' | 'stalled'): void
}

export class TaskWatch {
  private readonly options: TaskWatchOptions
  private silentMs = 0

  constructor(options: TaskWatchOptions) {
    this.options = options
  }

  /** It gave a sign. */
  heard(): void {
    this.silentMs = 0
  }

  /** Watches until the task is over. */
  async run(over: AbortSignal): Promise<void> {
    const { clock, timeoutMs, stallMs, isAsking, onOver } = this.options
    if (timeoutMs === null && stallMs === null) return
    let worked = 0
    for (;;) {
      const tick = Math.min(TICK_MS, (timeoutMs ?? Infinity) - worked, (stallMs ?? Infinity) - this.silentMs)
      await clock.after(tick, over).catch(() => undefined)
      if (over.aborted) return
      if (isAsking()) continue
      worked += tick
      this.silentMs += tick
      if (timeoutMs !== null && worked >= timeoutMs) return onOver('timeout')
      if (stallMs !== null && this.silentMs >= stallMs) return onOver('stalled')
    }
  }
}
