/** A hard limit of a run, in output tokens or in US dollars: what is spent, plus what running calls are likely to spend. */
export class SpendingLimit {
  #committed = 0
  readonly #limit: number | null
  readonly #phases = new Map<string | null, { calls: number; amount: number }>()

  /** @param limit null for none */
  constructor(limit: number | null) {
    this.#limit = limit
  }

  /** Counts what a result of the run spent, of whatever attempt and kind. */
  spent(amount: number): void {
    this.#committed += amount
  }

  /** Counts a finished call of this phase: calls like it are expected to spend as much. */
  finished(phase: string | null, amount: number): void {
    const known = this.#phases.get(phase) ?? { calls: 0, amount: 0 }
    this.#phases.set(phase, { calls: known.calls + 1, amount: known.amount + amount })
  }

  /** May a call of this phase start while calls of these phases are running? A lease is the mean of the phase's finished calls, at first 0. */
  allows(phase: string | null, running: readonly (string | null)[]): boolean {
    if (this.#limit === null) return true
    const leased = running.reduce((sum, other) => sum + this.#lease(other), 0)
    return this.#committed + leased + this.#lease(phase) <= this.#limit && this.#committed < this.#limit
  }

  #lease(phase: string | null): number {
    const known = this.#phases.get(phase)
    return known === undefined ? 0 : known.amount / known.calls
  }
}
