/**
 * Native methods that do all of their work in one step can't be interrupted: asked for too much, they end the whole process and
 * not the script's thread alone, or hold its thread for minutes after it was told to end. They are refused before they begin.
 */
import { hookError } from './hook-error.ts'

/** More elements than the script's memory could hold. */
const MAX_ELEMENTS = 2 ** 25

/** Before lockdown, which freezes them. */
export function guardMemory(): void {
  const { fill } = Array.prototype
  const { replaceAll, split } = String.prototype
  const guards = {
    fill(this: unknown[], ...given: [unknown, number?, number?]) {
      refuseAbove(this.length, 'An array', guards.fill)
      return fill.apply(this, given)
    },
    split(this: string, ...given: [string | RegExp, number?]) {
      refuseAbove(this.length, 'A text to split', guards.split)
      return split.apply(this, given as unknown as Parameters<typeof split>)
    },
    replaceAll(this: string, ...given: [string | RegExp, string]) {
      refuseAbove(this.length, 'A text to replace in', guards.replaceAll)
      return replaceAll.apply(this, given as unknown as Parameters<typeof replaceAll>)
    },
  }
  define(Array.prototype, 'fill', guards.fill, 1)
  define(String.prototype, 'replaceAll', guards.replaceAll, 2)
  define(String.prototype, 'split', guards.split, 2)
}

function refuseAbove(count: number, what: string, method: (...args: never[]) => unknown): void {
  if (count <= MAX_ELEMENTS) return
  throw hookError('script-out-of-memory', `${what} of length ${count} would need more memory than a script has`, method, RangeError)
}

function define(target: object, name: string, value: unknown, length: number): void {
  Object.defineProperty(value, 'length', { value: length })
  Object.defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true })
}
