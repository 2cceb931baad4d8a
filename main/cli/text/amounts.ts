/** Numbers as people read them: durations, tokens, plurals, points in time. */

/** `40ms`, `0.4s`, `31s`, `3m 05s`, `2h 04m`, `3d 4h`. */
export function duration(ms: number): string {
  const clean = Math.max(0, ms)
  if (clean >= 1 && clean < 95) return `${Math.round(clean)}ms`
  if (clean < 9_950) return `${(Math.round(clean / 100) / 10).toString()}s`
  const seconds = Math.round(clean / 1000)
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  const two = (n: number) => String(n).padStart(2, '0')
  if (minutes < 60) return `${minutes}m ${two(seconds % 60)}s`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours}h ${two(minutes % 60)}m` : `${Math.floor(hours / 24)}d ${hours % 24}h`
}

/** `950`, `12.4k`, `184k`, `1.2m`. */
export function amount(n: number): string {
  if (n < 1_000) return String(n)
  const short = (value: number) => (value < 100 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value)))
  return n < 999_500 ? `${short(n / 1_000)}k` : `${short(n / 1_000_000)}m`
}

/** `1 call`, `12 calls`. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`
}

/** `just now`, `5m ago`, `3h ago`, else the date. */
export function ago(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes}m ago`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)}h ago`
  return moment(at).slice(0, 10)
}

/** `2026-03-01 14:07:33` in the local zone. */
export function moment(at: number): string {
  const date = new Date(at)
  const local = new Date(at - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 19).replace('T', ' ')
}
