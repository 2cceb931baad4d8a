/** A list of listeners. Subscribing returns the unsubscribe; a listener that throws does not keep the others from hearing. */
export class Signal<T> {
  readonly #listeners = new Set<(value: T) => void>()

  on(listener: (value: T) => void): () => void {
    // Wrapped, so that the same function subscribed twice is heard twice and each unsubscribe ends its own.
    const entry = (value: T) => listener(value)
    this.#listeners.add(entry)
    return () => void this.#listeners.delete(entry)
  }

  emit(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value)
      } catch (error) {
        console.error(error)
      }
    }
  }
}
