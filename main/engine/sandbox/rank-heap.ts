/** Pending replays by recorded delivery order: push and take the lowest in O(log n), since a fan-out can pend thousands. */
export class RankHeap<T extends { rank: number }> {
  readonly #items: T[] = []

  get size(): number {
    return this.#items.length
  }

  push(item: T): void {
    const items = this.#items
    items.push(item)
    let at = items.length - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#rank(parent) <= item.rank) break
      this.#swap(at, parent)
      at = parent
    }
  }

  pop(): T | undefined {
    const items = this.#items
    const first = items[0]
    const last = items.pop()
    if (last === undefined || items.length === 0) return first
    items[0] = last
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      const right = left + 1
      let low = at
      if (left < items.length && this.#rank(left) < this.#rank(low)) low = left
      if (right < items.length && this.#rank(right) < this.#rank(low)) low = right
      if (low === at) return first
      this.#swap(at, low)
      at = low
    }
  }

  /** Takes everything, lowest rank first. */
  drain(): T[] {
    return this.#items.splice(0).sort((a, b) => a.rank - b.rank)
  }

  #rank(at: number): number {
    return this.#items[at]?.rank ?? Number.POSITIVE_INFINITY
  }

  #swap(a: number, b: number): void {
    const items = this.#items
    const held = items[a] as T // both places are inside the array
    items[a] = items[b] as T
    items[b] = held
  }
}
