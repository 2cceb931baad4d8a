/**
 * How older tools of this family named their calls. Only a run whose history has such calls asks for these keys, and a call
 * that has one keeps it for good; every other call goes by its fingerprint.
 */
import { OLDER_KEY } from '../../shared/run/record.ts'
import { sha256 } from './fingerprint.ts'

export function isOlderKey(fp: string): boolean {
  return fp.startsWith(OLDER_KEY)
}

/** The older keys among recorded fingerprints. */
export function olderKeysOf(history: readonly { fp: string }[]): ReadonlySet<string> {
  return new Set(history.flatMap(({ fp }) => (isOlderKey(fp) ? [fp] : [])))
}

/**
 * The key of an agent call as its script wrote it, options that nobody knows included: sha-256 of the prompt, a line feed
 * and the options with the prompt as JSON, keys sorted at the top level only, without label and phase. Null when `known`
 * does not have it, also for options that JSON can't say.
 */
export function olderKey(prompt: string, options: object, known: ReadonlySet<string>): string | null {
  if (known.size === 0) return null
  const asked = Object.entries({ ...options, prompt }).filter(([key]) => key !== 'label' && key !== 'phase')
  const sorted = asked.sort(([a], [b]) => (a < b ? -1 : 1))
  try {
    const key = `${OLDER_KEY}${sha256(`${prompt}\n${JSON.stringify(Object.fromEntries(sorted))}`)}`
    return known.has(key) ? key : null
  } catch {
    return null
  }
}
