/** What a person typed as input and budget, read as values or as the reason why not. */
import type { Json } from '../../../shared/json.ts'
import { jsonFault } from '../../../shared/json-fault.ts'
import { MOST_STALL_MINUTES } from '../../../shared/run/stall.ts'

/** `line` and `column` count from 1, of texts that have lines. */
export type Read<T> = { ok: true; value: T } | { ok: false; reason: string; line?: number; column?: number }

/** Empty text is "no input": the script then sees `undefined`. */
export function readInput(text: string): Read<Json | undefined> {
  if (text.trim() === '') return { ok: true, value: undefined }
  try {
    return { ok: true, value: JSON.parse(text) as Json }
  } catch {
    const fault = jsonFault(text)
    if (fault === null) return { ok: false, reason: 'Not valid JSON' }
    const before = text.slice(0, fault.at).split('\n')
    return {
      ok: false,
      reason: `Not valid JSON: ${fault.expected} is expected`,
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
    }
  }
}

/** Dollars as people write them: `2`, `2.50`, `$10`; empty for no limit. */
export function readMoney(text: string): Read<number | undefined> {
  const trimmed = text
    .trim()
    .replace(/^\$\s*/, '')
    .replaceAll(/[,_ ]/g, '')
  if (trimmed === '') return { ok: true, value: undefined }
  const value = /^\d+(?:\.\d+)?$/.test(trimmed) ? Number(trimmed) : Number.NaN
  return value > 0 ? { ok: true, value } : { ok: false, reason: 'US dollars such as 2.50, or nothing for no limit' }
}

/** Tokens as people write them: `500000`, `500k`, `1.5M`; empty for no limit. */
export function readBudget(text: string): Read<number | undefined> {
  const trimmed = text.trim().replaceAll(/[,_ ]/g, '')
  if (trimmed === '') return { ok: true, value: undefined }
  const found = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(trimmed)
  const factor = { '': 1, k: 1000, m: 1_000_000 }[found?.[2]?.toLowerCase() ?? '']
  const value = Math.round(Number(found?.[1]) * (factor ?? 1))
  return found !== null && value > 0
    ? { ok: true, value }
    : { ok: false, reason: 'A number of tokens such as 500k, or nothing for no limit' }
}

/** Whole minutes of a week at most; empty for never. */
export function readMinutes(text: string): Read<number | undefined> {
  const trimmed = text.trim()
  if (trimmed === '') return { ok: true, value: undefined }
  const value = /^\d+$/.test(trimmed) ? Number(trimmed) : 0
  return value > 0 && value <= MOST_STALL_MINUTES
    ? { ok: true, value }
    : { ok: false, reason: `Whole minutes, ${MOST_STALL_MINUTES} at most, or nothing for never` }
}
