/** Siblings that die in a row of one reason have a cause that no further try mends: the breaker of a run. */
const LIMIT = 5

export class FailureStreak {
  readonly #phases = new Map<string | null, { reason: string; count: number }>()

  /** Counts a settled call. @param reason why it died, null when it did not. True when the breaker opens. */
  opensOn(phase: string | null, reason: string | null): boolean {
    if (reason === null) {
      this.#phases.delete(phase)
      return false
    }
    const before = this.#phases.get(phase)
    const count = before?.reason === reason ? before.count + 1 : 1
    this.#phases.set(phase, { reason, count })
    return count >= LIMIT
  }
}
