/** Private copies of what a script hands to hooks, and words for what it handed over by mistake. */
import { isTooDeep, type Json, MAX_JSON_DEPTH } from '../../../shared/json.ts'
import { hookError } from './hook-error.ts'
import { reasonOf } from './thrown.ts'

/** Reads getters once; a function or `undefined` gives undefined. @throws the hook error `unserialisable` */
export function jsonCopy(value: unknown, what: string, caller: (...args: never[]) => unknown): Json | undefined {
  const refuse = (why: string) => hookError('unserialisable', `${what} can't be written as JSON: ${why}`, caller, TypeError)
  let copy: Json | undefined
  try {
    const text = JSON.stringify(value)
    copy = text === undefined ? undefined : (JSON.parse(text) as Json)
  } catch (cause) {
    throw refuse(reasonOf(cause))
  }
  if (copy !== undefined && isTooDeep(copy)) throw refuse(`it is nested more than ${MAX_JSON_DEPTH} levels deep`)
  return copy
}

/** What a value is, with its article: `an array`, `a promise`, `undefined`. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return value instanceof Promise ? 'a promise' : 'an object'
  if (value === undefined) return 'undefined'
  return `a ${typeof value}`
}
