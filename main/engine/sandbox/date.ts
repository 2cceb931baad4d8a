/** Dates that say the same in every attempt: no clock, and local time is UTC, so that travel does not change a prompt. */
import { hookError } from './hook-error.ts'

const FIELDS = ['FullYear', 'Month', 'Date', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'] as const

/** Replaces the local-time methods of this thread's `Date` by their UTC twins. Before lockdown, since it freezes them. */
export function useUtcForLocalTime(): void {
  const methods = Date.prototype as unknown as Record<string, unknown>
  for (const field of [...FIELDS, 'Day'] as const) {
    methods[`get${field}`] = methods[`getUTC${field}`]
    if (field !== 'Day') methods[`set${field}`] = methods[`setUTC${field}`]
  }
  const iso = Date.prototype.toISOString
  const utc = Date.prototype.toUTCString
  Object.assign(Date.prototype, {
    getTimezoneOffset: () => 0,
    toString(this: Date) {
      return `${utc.call(this).replace(',', '').replace('GMT', 'GMT+0000 (UTC)')}`
    },
    toDateString(this: Date) {
      return utc.call(this).slice(0, 16).replace(',', '')
    },
    toTimeString(this: Date) {
      return `${iso.call(this).slice(11, 19)} GMT+0000 (UTC)`
    },
  })
}

/** A text without a zone means UTC here. */
function parseUtc(text: string): number {
  const hasZone = /(?:Z|GMT|UTC|[+-]\d{2}:?\d{2})\s*(?:\(.*\))?$/i.test(text.trim()) || /^\d{4}-\d{2}-\d{2}$/.test(text.trim())
  if (hasZone) return Date.parse(text)
  const zoned = /^\d{4}-\d{2}-\d{2}T/.test(text) ? `${text}Z` : `${text} UTC`
  const time = Date.parse(zoned)
  return Number.isNaN(time) ? Date.parse(text) : time
}

/** The script's `Date`: `new Date(x)`, `instanceof` and the statics work, everything that reads the clock throws. */
export function deterministicDate(): DateConstructor {
  const Original = Date
  const refuse = (what: string, at: (...args: never[]) => unknown): Error =>
    hookError('not-deterministic', `${what} would make resume unreliable. Use now(), or pass the time in as input.`, at)

  function ScriptDate(this: unknown, ...given: unknown[]): Date {
    if (new.target === undefined) throw refuse('Date()', ScriptDate)
    if (given.length === 0) throw refuse('new Date()', ScriptDate)
    return Reflect.construct(Original, [timeOf(given)], new.target) as Date
  }

  function timeOf(given: unknown[]): number {
    const [first] = given
    if (given.length > 1) return Original.UTC(...(given.map(Number) as [number, number]))
    if (first instanceof Original) return first.getTime()
    return typeof first === 'string' ? parseUtc(first) : Number(first)
  }

  function now(): number {
    throw refuse('Date.now()', now)
  }
  Object.defineProperty(ScriptDate, 'prototype', { value: Original.prototype })
  return Object.assign(ScriptDate, { UTC: Original.UTC, parse: parseUtc, now }) as unknown as DateConstructor
}
