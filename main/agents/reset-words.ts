/** Reads a time of day as a usage limit says it: “resets 3pm (Europe/Berlin)”, “try again at Nov 12th, 2026 3:45 PM”. */

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DATE = `(?<month>${MONTHS.join('|')})[a-z]*\\.?\\s+(?<day>\\d{1,2})(?:st|nd|rd|th)?(?:,?\\s+(?<year>\\d{4}))?,?\\s+(?:at\\s+)?`
const TIME = '(?<hour>\\d{1,2})(?::(?<minute>\\d\\d))?\\s*(?<half>[ap]m)?\\b'
const WORDS = new RegExp(`\\b(?:resets?|again|until)\\s+(?:at\\s+|on\\s+)?(?:${DATE})?${TIME}(?:\\s*\\((?<zone>[\\w/+-]+)\\))?`, 'i')
const DAY_MS = 86_400_000

/**
 * The next such time, ISO 8601; null when the text names none. Without a zone it is this machine's.
 * @param now milliseconds since 1970
 */
export function timeOfDayIn(text: string, now: number): string | null {
  const { month, day, year, hour, minute, half, zone } = WORDS.exec(text)?.groups ?? {}
  if (hour === undefined || (half === undefined && minute === undefined)) return null
  const place = zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const today = wallClock(now, place)
  if (today === null) return null
  const dated = month !== undefined
  const at = (years: number, days: number): number =>
    instant(
      {
        year: year === undefined ? today.year + years : Number(year),
        month: dated ? MONTHS.indexOf(month.toLowerCase()) : today.month,
        day: (dated ? Number(day) : today.day) + days,
        hour: half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0),
        minute: Number(minute ?? 0),
      },
      place,
    )
  const first = at(0, 0)
  const isPast = first < now
  if (!isPast) return new Date(first).toISOString()
  if (!dated) return new Date(at(0, 1)).toISOString()
  // A date long gone without its year is one of the next year.
  return new Date(year === undefined && first < now - DAY_MS ? at(1, 0) : first).toISOString()
}

interface WallClock {
  year: number
  /** From 0. */
  month: number
  day: number
  hour: number
  minute: number
}

/** What the clocks of a zone show; null for a zone that nobody knows. */
function wallClock(at: number, timeZone: string): WallClock | null {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
    })
    const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = part
    return { year, month: month - 1, day, hour, minute }
  } catch {
    return null
  }
}

/** When the clocks of a zone show this: a first guess as if it were UTC, corrected by what they show then. */
function instant(wanted: WallClock, timeZone: string): number {
  const asUtc = utc(wanted)
  let guess = asUtc
  for (let round = 0; round < 2; round += 1) {
    const shown = wallClock(guess, timeZone)
    if (shown !== null) guess += asUtc - utc(shown)
  }
  return guess
}

function utc({ year, month, day, hour, minute }: WallClock): number {
  return Date.UTC(year, month, day, hour, minute)
}
