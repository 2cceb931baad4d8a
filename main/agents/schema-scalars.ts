/** The smallest numbers and strings that a schema's keywords allow. */
import type { Json } from '../../shared/json.ts'
import { DeadEnd, type Keywords } from './schema-keywords.ts'
import { matchingText } from './schema-pattern.ts'

const WORD = 'simulated'

/** One valid text of each format that JSON schema knows. */
const FORMATS: { readonly [format: string]: string } = {
  'date-time': '2000-01-01T00:00:00Z',
  'iso-date-time': '2000-01-01T00:00:00Z',
  date: '2000-01-01',
  time: '00:00:00Z',
  'iso-time': '00:00:00Z',
  duration: 'P1D',
  email: 'simulated@example.com',
  'idn-email': 'simulated@example.com',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '127.0.0.1',
  ipv6: '::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  iri: 'https://example.com/',
  'uri-reference': '/simulated',
  'iri-reference': '/simulated',
  'uri-template': '/simulated',
  uuid: '00000000-0000-4000-8000-000000000000',
  'json-pointer': '/simulated',
  'json-pointer-uri-fragment': '#/simulated',
  'relative-json-pointer': '0',
  byte: 'c2ltdWxhdGVk',
}

/** The lowest number allowed, or 0 when none is; `variant` steps up from there. */
export function smallestNumber(keywords: Keywords, integer: boolean, variant: number): number {
  const step = number(keywords.multipleOf) ?? 1
  const lowest = number(keywords.minimum)
  const above = number(keywords.exclusiveMinimum)
  const highest = Math.min(number(keywords.maximum) ?? Infinity, number(keywords.exclusiveMaximum) ?? Infinity)
  const below = number(keywords.exclusiveMaximum) === highest
  const fits = (value: number) =>
    value >= (lowest ?? -Infinity) && value > (above ?? -Infinity) && (below ? value < highest : value <= highest)
  let value = Math.max(lowest ?? -Infinity, above ?? -Infinity)
  if (value === -Infinity) value = highest >= 0 && fits(0) ? 0 : highest
  const grid = keywords.multipleOf !== undefined || integer
  if (grid) {
    value = Math.ceil(value / step) * step
    if (!fits(value)) value = lowest === undefined && above === undefined ? Math.floor(highest / step) * step : value + step
    if (!fits(value) && lowest === undefined && above === undefined) value -= step
    while (integer && !Number.isInteger(value) && fits(value)) value += step
  } else if (!fits(value)) {
    value = highest === Infinity ? value + 1 : above === undefined ? highest - 1 : (Math.max(lowest ?? above, above) + highest) / 2
  }
  const varied = Number((value + variant * step).toPrecision(15))
  return fits(varied) ? varied : value
}

/** `simulated`, padded or cut to the bounds; else a text of the wanted pattern or format. */
export function smallestString(keywords: Keywords, variant: number): string {
  const least = number(keywords.minLength) ?? 0
  const most = number(keywords.maxLength) ?? Infinity
  if (least > 1_000_000) throw new DeadEnd()
  if (typeof keywords.pattern === 'string' && !matches(keywords.pattern, fitted(least, most, variant))) {
    const text = matchingText(keywords.pattern, least, most)
    if (text !== null) return text
  }
  const formatted = typeof keywords.format === 'string' ? FORMATS[keywords.format] : undefined
  if (formatted !== undefined) return formatted
  return fitted(least, most, variant)
}

function fitted(least: number, most: number, variant: number): string {
  const suffix = variant === 0 ? '' : String(variant + 1)
  const padded = WORD.padEnd(least - suffix.length, '.')
  return padded.slice(0, Math.max(0, most - suffix.length)) + suffix.slice(0, most)
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return true
  }
}

function number(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}
