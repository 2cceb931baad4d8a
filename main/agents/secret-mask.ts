/** Takes the values of secrets out of what an agent says, before anything of it is shown or written. */
import type { Json } from '../../shared/json.ts'

/** Shorter values would blot out ordinary words. */
const LEAST_CHARS = 6
const SECRET_NAME = /key|token|secret|passw|credential|auth/i

export class SecretMask {
  readonly #marks: readonly (readonly [value: string, mark: string])[]

  /** @param secrets values by name; each is shown as its name in brackets */
  constructor(secrets: Readonly<Record<string, string>>) {
    this.#marks = Object.entries(secrets)
      .filter(([, value]) => value.length >= LEAST_CHARS)
      // The longer first: one may hold another.
      .sort(([, a], [, b]) => b.length - a.length)
      .map(([name, value]) => [value, `[${name}]`])
  }

  text(text: string): string {
    return this.#marks.reduce((masked, [value, mark]) => masked.replaceAll(value, mark), text)
  }

  json(value: Json): Json {
    if (this.#marks.length === 0) return value
    if (typeof value === 'string') return this.text(value)
    if (Array.isArray(value)) return value.map((item) => this.json(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [this.text(key), this.json(member)]))
  }
}

/** Of an environment: what is a secret by its name. */
export function secretsIn(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => SECRET_NAME.test(name)))
}
