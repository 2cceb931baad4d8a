/** When phases start and end: a phase ends when another is current and its last call has settled, the rest at the end. */
import type { NewEvent } from '../../shared/run/events.ts'

type Source = 'replayed' | 'live'

export class Phases {
  readonly #open = new Map<string, { unsettled: number; source: Source }>()
  /** The current phase of the run's own script (`null`) and of each child that has one. */
  readonly #current = new Map<number | null, string>()
  readonly #emit: (event: NewEvent) => void

  constructor(emit: (event: NewEvent) => void) {
    this.#emit = emit
  }

  /** `phase()` was called, by the run's own script or by a child. */
  enter(phase: string, source: Source, child: number | null = null): void {
    const before = this.#current.get(child)
    this.#current.set(child, phase)
    this.#start(phase, source)
    if (before !== undefined) this.#endIfLeft(before)
  }

  /** A child has come to its end. */
  leave(child: number): void {
    const before = this.#current.get(child)
    this.#current.delete(child)
    if (before !== undefined) this.#endIfLeft(before)
  }

  callMade(phase: string | null, source: Source): void {
    if (phase === null) return
    this.#start(phase, source)
    const open = this.#open.get(phase)
    if (open !== undefined) open.unsettled += 1
  }

  callSettled(phase: string | null): void {
    const open = phase === null ? undefined : this.#open.get(phase)
    if (phase === null || open === undefined) return
    open.unsettled -= 1
    this.#endIfLeft(phase)
  }

  /** The run ends: what is open ends with it. */
  end(): void {
    for (const [phase, { source }] of this.#open) this.#emit({ type: 'phase.ended', phase, source })
    this.#open.clear()
  }

  #start(phase: string, source: Source): void {
    if (this.#open.has(phase)) return
    this.#open.set(phase, { unsettled: 0, source })
    this.#emit({ type: 'phase.started', phase, source })
  }

  #endIfLeft(phase: string): void {
    const open = this.#open.get(phase)
    if (open === undefined || open.unsettled > 0 || [...this.#current.values()].includes(phase)) return
    this.#open.delete(phase)
    this.#emit({ type: 'phase.ended', phase, source: open.source })
  }
}
