/**
 * Native methods that do all of their work in one step can't be interrupted: asked for too much, they end the whole process and
 * not the script's thread alone, or hold its thread for minutes after it was told to end. They are refused before they begin.
 */
import { hookError } from './hook-error.ts'

/** Longer arrays are kept as tables, in which each of these steps is slow; longer texts would be as many elements. */
const MAX_ELEMENTS = 2 ** 25

/** Methods that look at, or make, as many elements as their array is long. */
const OF_ARRAYS = `concat copyWithin every fill filter find findIndex findLast findLastIndex flat flatMap forEach includes indexOf join
  lastIndexOf map reduce reduceRight reverse shift slice some sort splice toReversed toSorted toSpliced unshift with`.split(/\s+/)
const OF_TEXTS = ['replaceAll', 'split']

/** Before lockdown, which freezes them. */
export function guardMemory(): void {
  for (const name of OF_ARRAYS) guard(Array.prototype, name, 'An array')
  for (const name of OF_TEXTS) guard(String.prototype, name, 'A text')
}

function guard(target: object, name: string, what: string): void {
  const native: unknown = Reflect.get(target, name)
  if (typeof native !== 'function') return
  const holder = {
    [name](this: { length: unknown } | null | undefined, ...given: unknown[]): unknown {
      const length = this?.length
      if (typeof length === 'number' && length > MAX_ELEMENTS) throw tooLong(what, length, guarded)
      return Reflect.apply(native, this, given)
    },
  }
  const guarded = Reflect.get(holder, name) as (...args: never[]) => unknown // a method: no constructor, and named as the native one
  Object.defineProperty(guarded, 'length', { value: native.length })
  Object.defineProperty(target, name, { value: guarded, writable: true, enumerable: false, configurable: true })
}

function tooLong(what: string, length: number, method: (...args: never[]) => unknown): Error {
  const message = `${what} of length ${length} would need more memory than a script has`
  return hookError('script-out-of-memory', message, method, RangeError)
}
