/** Numbers in words: durations, tokens, money, clock times. One spelling everywhere on screen. */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `0.4s`, `41s`, `1m 02s`, `1h 52m`, `3d 4h`: two units at most. */
export function duration(ms: number): string {
  if (ms > 0 && ms < SECOND) return `${(Math.max(100, ms) / SECOND).toFixed(1)}s`
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)}s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}m ${two(Math.floor((ms % MINUTE) / SECOND))}s`
  if (ms < DAY) return `${Math.floor(ms / HOUR)}h ${two(Math.floor((ms % HOUR) / MINUTE))}m`
  return `${Math.floor(ms / DAY)}d ${Math.floor((ms % DAY) / HOUR)}h`
}

/** Like `duration`, with seconds beside hours: for the clock of a running run. */
export function ticking(ms: number): string {
  return ms < HOUR
    ? duration(Math.max(0, ms - (ms % SECOND)))
    : `${duration(ms - (ms % MINUTE))} ${two(Math.floor((ms % MINUTE) / SECOND))}s`
}

/** For a screen reader: `1 minute 2 seconds`. */
export function spokenDuration(ms: number): string {
  const parts: [number, string][] = [
    [Math.floor(ms / HOUR), 'hour'],
    [Math.floor((ms % HOUR) / MINUTE), 'minute'],
    [Math.floor((ms % MINUTE) / SECOND), 'second'],
  ]
  const said = parts.filter(([n]) => n > 0).map(([n, unit]) => `${n} ${unit}${n === 1 ? '' : 's'}`)
  return said.length === 0 ? 'less than a second' : said.slice(0, 2).join(' ')
}

/** `812`, `4.2k`, `150k`, `1.3M`. */
export function tokens(n: number): string {
  if (n < 1000) return String(n)
  if (n < 9950) return `${trimmed(n / 1000)}k`
  if (n < 999_500) return `${Math.round(n / 1000)}k`
  return `${trimmed(n / 1_000_000)}M`
}

/** `1,204` */
export function grouped(n: number): string {
  return n.toLocaleString('en-US')
}

/** `$0.04`, `$12.30`; tiny sums keep their first digit. */
export function money(usd: number): string {
  return usd > 0 && usd < 0.01 ? `$${usd.toPrecision(1)}` : `$${usd.toFixed(2)}`
}

/** `1 call`, `21 calls` */
export function counted(n: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(n)} ${n === 1 ? noun : plural}`
}

/** `09:48` */
export function timeOfDay(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
}

/** `11:42:07` */
export function exactTime(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
}

/** `Thursday 12 June`, with the year when it is not this one. */
export function longDate(at: number, now: number): string {
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  const options: Intl.DateTimeFormatOptions = { weekday: 'long', day: 'numeric', month: 'long', ...(sameYear ? {} : { year: 'numeric' }) }
  return new Date(at).toLocaleDateString('en-GB', options).replace(',', '')
}

/** `Today`, `Yesterday`, else null: the date says it then. */
export function relativeDay(at: number, now: number): string | null {
  const days = Math.round((midnight(now) - midnight(at)) / DAY)
  return days === 0 ? 'Today' : days === 1 ? 'Yesterday' : null
}

/** Start of the local day. */
export function midnight(at: number): number {
  const day = new Date(at)
  day.setHours(0, 0, 0, 0)
  return day.getTime()
}

/** `today 18:22`, `yesterday 18:22`, `12 June 18:22` */
export function when(at: number, now: number): string {
  const day = relativeDay(at, now)
  if (day === 'Today') return timeOfDay(at)
  const date = new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
  return `${day === null ? date : day.toLowerCase()} ${timeOfDay(at)}`
}

function two(n: number): string {
  return String(n).padStart(2, '0')
}

function trimmed(n: number): string {
  return n.toFixed(1).replace(/\.0$/, '')
}
