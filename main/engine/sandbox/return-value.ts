/** A script's return value as JSON, or which part of it JSON cannot say. */
import { type Json, MAX_JSON_DEPTH } from '../../../shared/json.ts'
import type { FromScript } from './protocol.ts'
import { reasonOf } from './thrown.ts'

/** `undefined` is saved as `null`. Everything else that JSON would change or drop without a word is an error with its path. */
export function returned(value: unknown): Extract<FromScript, { t: 'settled' }>['outcome'] {
  try {
    return { ok: true, value: JSON.parse(written(value) ?? 'null') as Json }
  } catch (cause) {
    const message =
      cause instanceof NotJson
        ? `The return value can't be saved: ${cause.message}`
        : `The return value can't be written as JSON: ${reasonOf(cause)}`
    return { ok: false, error: { code: 'unserialisable', message } }
  }
}

class NotJson extends Error {}

/** Every getter is read once, and an object with `toJSON` speaks for itself. */
function written(value: unknown): string | undefined {
  const above: { object: unknown; path: string }[] = []
  return JSON.stringify(value, function (this: unknown, key: string, member: unknown): unknown {
    while (above.length > 0 && above.at(-1)?.object !== this) above.pop()
    const holder = above.at(-1)
    const path = holder === undefined ? key : memberPath(holder.path, key, Array.isArray(holder.object))
    const isAbove = above.some(({ object }) => object === member && object !== null)
    const problem = isAbove ? 'refers to itself. Return a tree without cycles.' : problemOf(member)
    if (problem !== null) throw new NotJson(`${path === '' ? 'it' : `\`${path}\``} ${problem}`)
    if (typeof member !== 'object' || member === null) return member
    if (above.length >= MAX_JSON_DEPTH) throw new NotJson(`it is nested more than ${MAX_JSON_DEPTH} levels deep. Return a flatter value.`)
    above.push({ object: member, path })
    return member
  })
}

/** What is wrong with one value by itself; null when nothing. */
function problemOf(value: unknown): string | null {
  if (typeof value === 'function') return 'is a function. Return plain data.'
  if (typeof value === 'bigint') return 'is a BigInt. Return Number(x) or String(x).'
  if (typeof value === 'symbol') return 'is a symbol. Return plain data.'
  if (value instanceof Promise) return 'is a promise. Await it first.'
  if (value instanceof Map) return 'is a Map. Return Object.fromEntries(x) or [...x].'
  if (value instanceof Set) return 'is a Set. Return [...x].'
  return null
}

function memberPath(path: string, key: string, isIndex: boolean): string {
  if (isIndex) return `${path}[${key}]`
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path === '' ? key : `${path}.${key}`
}
