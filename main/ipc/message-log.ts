/** The last messages between page and app: name, sizes, time. No contents, so it can be shown to anybody. */
import type { IpcLine } from '../../shared/contract/app.ts'

const KEPT = 500

export class MessageLog {
  readonly #lines: IpcLine[] = []
  #count = 0

  /** Newest first. */
  get lines(): IpcLine[] {
    return this.#lines.toReversed()
  }

  /** @param answered undefined for what the app tells unasked */
  add(name: string, given: unknown, answered: { value: unknown; ms: number; error: string | null } | undefined): void {
    this.#count += 1
    this.#lines.push({
      n: this.#count,
      at: Date.now(),
      name,
      bytesIn: answered === undefined ? 0 : sizeOf(given),
      bytesOut: sizeOf(answered === undefined ? given : answered.value),
      ms: answered?.ms ?? null,
      error: answered?.error ?? null,
    })
    if (this.#lines.length > KEPT) this.#lines.shift()
  }
}

/** Items of a list that are measured; the rest is taken to be like them. */
const MEASURED = 50

/** About how many bytes a value has as JSON. A long list is not walked: that would hold up the window. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return value === undefined ? 0 : String(value).length
  if (Array.isArray(value)) {
    const part = value.slice(0, MEASURED).reduce<number>((sum, item) => sum + sizeOf(item) + 1, 0)
    return 2 + Math.round(value.length <= MEASURED ? part : (part * value.length) / MEASURED)
  }
  return Object.entries(value).reduce((sum, [name, item]) => sum + name.length + 4 + sizeOf(item), 2)
}
