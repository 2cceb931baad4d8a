/** Private copies of what a script hands to hooks, and words for what it handed over by mistake. */
import type { Json } from '../../../shared/json.ts'
import { hookError } from './hook-error.ts'
import { reasonOf } from './thrown.ts'

/** Reads getters once; a function or `undefined` gives undefined. @throws the hook error `unserialisable` */
export function jsonCopy(value: unknown, what: string, caller: (...args: never[]) => unknown): Json | undefined {
  try {
    const text = JSON.stringify(value)
    return text === undefined ? undefined : (JSON.parse(text) as Json)
  } catch (cause) {
    throw hookError('unserialisable', `${what} can't be written as JSON: ${reasonOf(cause)}`, caller, TypeError)
  }
}

/** What a value is, with its article: `an array`, `a promise`, `undefined`. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return value instanceof Promise ? 'a promise' : 'an object'
  if (value === undefined) return 'undefined'
  return `a ${typeof value}`
}
