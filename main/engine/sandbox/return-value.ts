/** A script's return value as JSON, or which part of it JSON cannot say. */
import type { Json } from '../../../shared/json.ts'
import type { FromScript } from './protocol.ts'
import { reasonOf } from './thrown.ts'

/** `undefined` is saved as `null`. Everything else that JSON would change or drop without a word is an error with its path. */
export function returned(value: unknown): Extract<FromScript, { t: 'settled' }>['outcome'] {
  try {
    const offender = notJson(value, '', new Set())
    if (offender !== null) return refused(`The return value can't be saved: ${offender}`)
    return { ok: true, value: value === undefined ? null : (JSON.parse(JSON.stringify(value) ?? 'null') as Json) }
  } catch (cause) {
    return refused(`The return value can't be written as JSON: ${reasonOf(cause)}`)
  }
}

function refused(message: string): { ok: false; error: { code: 'unserialisable'; message: string } } {
  return { ok: false, error: { code: 'unserialisable', message } }
}

/** What in a value JSON cannot say, in words with its path; null when nothing. Objects with `toJSON` speak for themselves. */
function notJson(value: unknown, path: string, above: Set<object>): string | null {
  const where = path === '' ? 'it' : `\`${path}\``
  if (typeof value === 'function') return `${where} is a function. Return plain data.`
  if (typeof value === 'bigint') return `${where} is a BigInt. Return Number(x) or String(x).`
  if (typeof value === 'symbol') return `${where} is a symbol. Return plain data.`
  if (typeof value !== 'object' || value === null) return null
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return null
  if (value instanceof Promise) return `${where} is a promise. Await it first.`
  if (value instanceof Map) return `${where} is a Map. Return Object.fromEntries(x) or [...x].`
  if (value instanceof Set) return `${where} is a Set. Return [...x].`
  if (above.has(value)) return `${where} refers to itself. Return a tree without cycles.`
  above.add(value)
  for (const [key, member] of Object.entries(value)) {
    const offender = notJson(member, memberPath(path, key, Array.isArray(value)), above)
    if (offender !== null) return offender
  }
  above.delete(value)
  return null
}

function memberPath(path: string, key: string, isIndex: boolean): string {
  if (isIndex) return `${path}[${key}]`
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path === '' ? key : `${path}.${key}`
}
