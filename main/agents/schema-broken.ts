/** A value that a JSON schema refuses: how the simulated agent gives a wrong answer. */
import type { Json } from '../../shared/json.ts'
import { accepts } from './schema-check.ts'
import { smallestInstance } from './schema-instance.ts'

const WRONG: readonly Json[] = [null, 'not what was asked for', -1.5, false, [], {}]

/**
 * The smallest instance with one member made wrong, so that the message names a path; else a value of another type.
 * A schema that accepts everything gets a text.
 */
export function brokenInstance(schema: Json): Json {
  const accepted = accepts(schema)
  const refuses = (value: Json) => !accepted(value)
  const good = smallestInstance(schema)
  if (typeof good === 'object' && good !== null && !Array.isArray(good)) {
    for (const name of Object.keys(good)) {
      for (const wrong of WRONG) if (refuses({ ...good, [name]: wrong })) return { ...good, [name]: wrong }
    }
  }
  return WRONG.find((wrong) => refuses(wrong)) ?? 'not what was asked for'
}
