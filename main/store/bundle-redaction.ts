/**
 * Takes secrets out of what a run recorded: values of environment variables whose names tell of a secret, and texts that
 * look like tokens. Works on parsed values, so that what comes out can be read like any other run.
 */
import type { Json } from '../../shared/json.ts'

export const REDACTED = '[redacted]'

/** Shorter values are words of their own, and would tear holes into every text. */
const SHORTEST = 8

const SECRET_WORD =
  /(?:^|_)(?:key|token|secret|password|passwd|passphrase|pass|credentials?|auth|cookie|dsn|pat|bearer)s?(?:_|$)|(?:key|token|secret|password|passwd)s?$/i

/** The least of a secret's beginning that is taken for it where a text was cut. */
const SHORTEST_CUT = 4

const PATTERNS: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g,
  /\bsk-[A-Za-z0-9_-]{16,}/g,
  /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,})/g,
  /\b(?:npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{20,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,})/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  // Rows and summaries are cut after some characters.
  /\b(?:sk-|gh[pousr]_|github_pat_|glpat-|npm_|hf_|xox[a-z]-|AKIA|AIza|eyJ)[A-Za-z0-9_.-]*(?=…)/g,
]
/** What stands around the secret stays: the first and the last group. */
const SURROUNDED: readonly RegExp[] = [
  /(\bBearer\s+)[A-Za-z0-9._~+/-]{16,}=*()/gi,
  /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@"']*:)[^\s/@"']+(@)/gi,
  /(\b(?:api[_-]?key|access[_-]?key|auth[_-]?token|token|secret|password|passwd)["']?\s*[:=]\s*["'])[^"'\s]{8,}(["'])/gi,
]

/** Members whose words are a secret whatever they look like. */
const SECRET_MEMBER = /^(?:.*[_-])?(?:api[_-]?key|access[_-]?key|private[_-]?key|secret|token|password|passwd|passphrase|authorization)$/i

/** Members that name things and hold no words of anybody: a fingerprint stays what it is. */
const KEPT = new Set(['fp', 'runId', 'requestId', 'type', 't'])

/** What a text or value became: files named by the sum of their content are named anew. */
export interface Renamed {
  sha256: string
  bytes: number
}

export interface Redactor {
  text(text: string): string
  value(value: Json): Json
  /** From now on, what refers to the content with this sum refers to its redacted form. */
  rename(sha256: string, renamed: Renamed): void
}

/** @param env the environment whose secrets the run may have seen */
export function createRedactor(env: Readonly<Record<string, string | undefined>>): Redactor {
  const secrets = secretsOf(env)
  const renamed = new Map<string, Renamed>()

  const text = (given: string): string => {
    let clean = given
    for (const secret of secrets) if (clean.includes(secret)) clean = clean.replaceAll(secret, REDACTED)
    for (const secret of secrets) clean = withoutCutEnd(clean, secret)
    for (const pattern of PATTERNS) clean = clean.replace(pattern, REDACTED)
    for (const pattern of SURROUNDED) clean = clean.replace(pattern, (_, before: string, after: string) => `${before}${REDACTED}${after}`)
    return clean
  }

  const value = (given: Json): Json => {
    if (typeof given === 'string') return renamed.get(given)?.sha256 ?? text(given)
    if (typeof given !== 'object' || given === null) return given
    if (Array.isArray(given)) return given.map(value)
    const clean: { [name: string]: Json } = Object.fromEntries(
      Object.entries(given).map(([name, member]) => [text(name), typeof member === 'string' ? word(name, member) : value(member ?? null)]),
    )
    const { sha256 } = given
    const content = typeof sha256 === 'string' ? renamed.get(sha256) : undefined
    if (content !== undefined && typeof given['bytes'] === 'number') clean['bytes'] = content.bytes
    return clean
  }

  const word = (name: string, given: string): Json => {
    if (KEPT.has(name)) return given
    return SECRET_MEMBER.test(name) ? REDACTED : value(given)
  }

  return { text, value, rename: (sha256, content) => void renamed.set(sha256, content) }
}

/** A text that was cut inside a secret ends with a part of it. */
function withoutCutEnd(text: string, secret: string): string {
  if (!text.endsWith('…')) return text
  const body = text.slice(0, -1)
  for (let length = Math.min(secret.length - 1, body.length); length >= SHORTEST_CUT; length--) {
    if (body.endsWith(secret.slice(0, length))) return `${body.slice(0, -length)}${REDACTED}…`
  }
  return text
}

/** Longest first, so that a secret that holds another one goes as a whole; each also as it stands inside JSON and a URL. */
function secretsOf(env: Readonly<Record<string, string | undefined>>): string[] {
  const found = new Set<string>()
  for (const [name, given] of Object.entries(env)) {
    const secret = given?.trim() ?? ''
    if (secret.length < SHORTEST || !SECRET_WORD.test(name)) continue
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]) found.add(form)
  }
  return [...found].sort((a, b) => b.length - a.length)
}
