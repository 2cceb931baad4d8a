/** JSON values, and the one spelling of them that hashes are taken of. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** Levels of a value that may stand inside of one another: what is deeper overflows a stack somewhere on its way. */
export const MAX_JSON_DEPTH = 500

/** Whether a value nests deeper than that; walks without recursion. */
export function isTooDeep(value: Json): boolean {
  const waiting: { value: Json; depth: number }[] = [{ value, depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue
    const depth = next.depth + 1
    if (depth > MAX_JSON_DEPTH) return true
    for (const member of Object.values(next.value)) if (typeof member === 'object') waiting.push({ value: member, depth })
  }
  return false
}

/**
 * JSON with the keys sorted at every depth and no spaces, so that two texts are equal exactly when the values are
 * (RFC 8785 key order: UTF-16 code units). Members with value `undefined` are left out, as in `JSON.stringify`.
 * Lone surrogates come out as `\udXXX` escapes, which keeps the text well-formed UTF-8.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members: string[] = []
    for (const key of Object.keys(value).sort()) {
      const member = (value as Record<string, unknown>)[key]
      if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(member)}`)
    }
    return `{${members.join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}
