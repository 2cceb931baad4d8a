/** A script's return value as JSON, or which part of it JSON cannot say. */
import { type Json, MAX_JSON_DEPTH } from '../../../shared/json.ts'
import type { FromScript } from './protocol.ts'
import { reasonOf } from './thrown.ts'

/** `undefined` is saved as `null`. Everything else that JSON would change or drop without a word is an error with its path. */
export function returned(value: unknown): Extract<FromScript, { t: 'settled' }>['outcome'] {
  let problem: string | null = null
  const above: { object: unknown; path: string }[] = []
  /** Called for each part of the value, after its getter was read and its `toJSON` has spoken. */
  function look(this: unknown, key: string, member: unknown): unknown {
    while (above.length > 0 && above.at(-1)?.object !== this) above.pop()
    const holder = above.at(-1)
    const path = holder === undefined ? key : memberPath(holder.path, key, Array.isArray(holder.object))
    const isObject = typeof member === 'object' && member !== null
    problem =
      isObject && above.some(({ object }) => object === member) ? 'refers to itself. Return a tree without cycles.' : problemOf(member)
    if (problem !== null) problem = `${path === '' ? 'it' : `\`${path}\``} ${problem}`
    else if (isObject && above.length >= MAX_JSON_DEPTH)
      problem = `it is nested more than ${MAX_JSON_DEPTH} levels deep. Return a flatter value.`
    if (problem !== null) throw new TypeError(problem)
    if (isObject) above.push({ object: member, path })
    return member
  }
  try {
    return { ok: true, value: JSON.parse(JSON.stringify(value, look) ?? 'null') as Json }
  } catch (cause) {
    const message =
      problem === null ? `The return value can't be written as JSON: ${reasonOf(cause)}` : `The return value can't be saved: ${problem}`
    return { ok: false, error: { code: 'unserialisable', message } }
  }
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
