/** Dates that say the same in every attempt: no clock, and local time is UTC, so that travel does not change a prompt. */
import { hookError } from './hook-error.ts'

const FIELDS = ['FullYear', 'Month', 'Date', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'] as const
const minutesBehindUtc = Date.prototype.getTimezoneOffset

/** Replaces the local-time methods of this thread's `Date` by their UTC twins. Before lockdown, since it freezes them. */
export function useUtcForLocalTime(): void {
  const methods = Date.prototype as unknown as Record<string, unknown>
  for (const field of [...FIELDS, 'Day'] as const) {
    methods[`get${field}`] = methods[`getUTC${field}`]
    if (field !== 'Day') methods[`set${field}`] = methods[`setUTC${field}`]
  }
  const iso = Date.prototype.toISOString
  const utc = Date.prototype.toUTCString
  const timeOf = Date.prototype.getTime
  const isInvalid = (date: Date): boolean => Number.isNaN(timeOf.call(date))
  const day = (date: Date): string => utc.call(date).replace(/^(\w+), (\d+) (\w+) (-?\d+) .*$/, '$1 $3 $2 $4')
  const time = (date: Date): string => `${iso.call(date).slice(-13, -5)} GMT+0000 (Coordinated Universal Time)`
  Object.assign(Date.prototype, {
    getTimezoneOffset(this: Date) {
      return isInvalid(this) ? Number.NaN : 0
    },
    toString(this: Date) {
      return isInvalid(this) ? 'Invalid Date' : `${day(this)} ${time(this)}`
    },
    toDateString(this: Date) {
      return isInvalid(this) ? 'Invalid Date' : day(this)
    },
    toTimeString(this: Date) {
      return isInvalid(this) ? 'Invalid Date' : time(this)
    },
  })
}

const DATE_ONLY = /^[+-]?\d{4,6}(?:-\d{2}){0,2}$/
const ZONE = /(?:Z|\b(?:GMT|UTC?|[ECMP][SD]T)|:\d{2}[\d.:]*\s*(?:[AP]M)?\s*(?:GMT|UTC?)?\s*[+-]\d{1,2}:?(?:\d{2})?)\s*(?:\(.*\))?$/i

/** A text without a zone means UTC here, where the language takes the machine's zone. */
function parseUtc(given: unknown): number {
  const text = String(given).trim()
  if (DATE_ONLY.test(text) || ZONE.test(text)) return Date.parse(text)
  const zoned = Date.parse(/^[+-]?\d{4,6}-\d{2}-\d{2}T/.test(text) ? `${text}Z` : `${text} UTC`)
  if (!Number.isNaN(zoned)) return zoned
  const local = Date.parse(text)
  return local - minutesBehindUtc.call(new Date(local)) * 60_000
}

/** The script's `Date`: `new Date(x)`, `instanceof` and the statics work, everything that reads the clock throws. */
export function deterministicDate(): DateConstructor {
  const Original = Date
  const refuse = (what: string, at: (...args: never[]) => unknown): Error =>
    hookError('not-deterministic', `${what} would make resume unreliable. Use now(), or pass the time in as input.`, at)

  function construct(this: unknown, ...given: unknown[]): Date {
    if (new.target === undefined) throw refuse('Date()', construct)
    if (given.length === 0) throw refuse('new Date()', construct)
    return Reflect.construct(Original, [timeOf(given)], new.target) as Date
  }

  function timeOf(given: unknown[]): number {
    if (given.length > 1) return Original.UTC(...(given.map(Number) as [number, number]))
    const first = given[0] instanceof Original ? given[0].getTime() : primitive(given[0])
    return typeof first === 'string' ? parseUtc(first) : +(first as number) // throws for BigInt and symbols, as the language does
  }

  function now(): number {
    throw refuse('Date.now()', now)
  }
  // A bound function prints as native code, not as ours, in the language's own error messages.
  const ScriptDate = construct.bind(undefined)
  Object.defineProperties(ScriptDate, {
    name: { value: 'Date' },
    length: { value: 7 },
    prototype: { value: Original.prototype },
  })
  Object.defineProperty(construct, 'prototype', { value: Original.prototype })
  return Object.assign(ScriptDate, { UTC: Original.UTC, parse: parseUtc, now }) as unknown as DateConstructor
}

/** What an object stands for in `new Date(object)`. */
function primitive(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const [number, text] = [value.valueOf(), value]
  return typeof number === 'object' ? String(text) : number
}
