/** The hard limit in output tokens: what is spent, plus what running calls are likely to spend. */
export class SpendingLimit {
  #committed: number
  readonly #limit: number | null
  readonly #phases = new Map<string, { calls: number; tokens: number }>()

  /** @param committed output tokens of all results of the run so far, of every attempt */
  constructor(limit: number | null, committed: number) {
    this.#limit = limit
    this.#committed = committed
  }

  get committed(): number {
    return this.#committed
  }

  spent(phase: string | null, tokens: number): void {
    this.#committed += tokens
    const known = this.#phases.get(phase ?? '') ?? { calls: 0, tokens: 0 }
    this.#phases.set(phase ?? '', { calls: known.calls + 1, tokens: known.tokens + tokens })
  }

  /** May a call of this phase start while calls of these phases are running? A lease is the mean of the phase's finished calls. */
  allows(phase: string | null, running: readonly (string | null)[]): boolean {
    if (this.#limit === null) return true
    const leased = running.reduce((sum, other) => sum + this.#lease(other), 0)
    return this.#committed + leased + this.#lease(phase) <= this.#limit && this.#committed < this.#limit
  }

  #lease(phase: string | null): number {
    const known = this.#phases.get(phase ?? '')
    return known === undefined ? 0 : known.tokens / known.calls
  }
}
