/** When a usage limit starts anew, for people. */

const two = (n: number): string => String(n).padStart(2, '0')

/**
 * The local time of day, with the date unless it is the day of `now`; a text that is no date stays as the backend gave it.
 * @param now milliseconds since 1970
 */
export function resetTime(text: string, now: number): string {
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) return text
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`
  if (date.toDateString() === new Date(now).toDateString()) return time
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time}`
}
