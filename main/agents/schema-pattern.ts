/** A short text that a regular expression matches, for patterns as people write them in schemas. */

/** What a piece of the pattern stands for, with the least and most times it may be repeated. */
type Piece = { text: (repeat: number) => string }

class Unreadable extends Error {}

/**
 * A text of `least` to `most` characters that matches, or null when none was found: lookarounds and references are not
 * understood. The same for the same pattern always.
 */
export function matchingText(pattern: string, least: number, most: number): string | null {
  const expression = compiled(pattern)
  if (expression === null) return null
  let alternatives: Piece[]
  try {
    alternatives = new Reader(pattern).all()
  } catch (error) {
    if (error instanceof Unreadable) return null
    throw error
  }
  for (let repeat = 0; repeat <= Math.min(least, 200) + 1; repeat += 1) {
    for (const alternative of alternatives) {
      const text = alternative.text(repeat)
      for (const padded of [text, text.padEnd(least, '.'), text.padEnd(least, '0')]) {
        if (padded.length >= least && padded.length <= most && expression.test(padded)) return padded
      }
    }
  }
  return null
}

function compiled(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return null
  }
}

/** Reads a pattern from left to right; the pattern is known to be valid. */
class Reader {
  private at = 0
  private readonly pattern: string

  constructor(pattern: string) {
    this.pattern = pattern
  }

  all(): Piece[] {
    const alternatives = this.alternatives()
    if (this.at < this.pattern.length) throw new Unreadable()
    return alternatives
  }

  private alternatives(): Piece[] {
    const found = [this.sequence()]
    while (this.take('|')) found.push(this.sequence())
    return found
  }

  private sequence(): Piece {
    const pieces: Piece[] = []
    while (this.at < this.pattern.length && !'|)'.includes(this.peek())) pieces.push(this.quantified(this.atom()))
    return { text: (repeat) => pieces.map((piece) => piece.text(repeat)).join('') }
  }

  private atom(): Piece {
    if (this.take('^') || this.take('$')) return literal('')
    if (this.take('(')) {
      if (this.take('?') && !this.take(':')) this.groupName()
      const [first] = this.alternatives()
      this.take(')')
      return first ?? literal('')
    }
    if (this.take('[')) return literal(this.oneOfClass())
    if (this.take('.')) return literal('a')
    if (this.take('\\')) return literal(this.escape())
    return literal(this.next())
  }

  private groupName(): void {
    const name = /^<([A-Za-z_]\w*)>/.exec(this.pattern.slice(this.at))
    if (name === null) throw new Unreadable()
    this.at += name[0].length
  }

  private quantified(piece: Piece): Piece {
    const found = /^(?:\*|\+|\?|\{(\d+)(,(\d*))?\})\??/.exec(this.pattern.slice(this.at))
    if (found === null) return piece
    this.at += found[0].length
    const sign = found[0].charAt(0)
    const least = sign === '+' ? 1 : Number(found[1] ?? 0)
    const bounded = sign === '?' ? 1 : sign !== '{' || found[3] === '' ? Number.POSITIVE_INFINITY : Number(found[3] ?? least)
    return { text: (repeat) => piece.text(repeat).repeat(Math.min(Math.max(least, repeat), bounded)) }
  }

  /** A class is asked what it holds: the first of the usual characters that it matches. */
  private oneOfClass(): string {
    const start = this.at - 1
    while (this.peek() !== ']' || this.at === start + 1) {
      if (this.at >= this.pattern.length) throw new Unreadable()
      this.at += this.peek() === '\\' ? 2 : 1
    }
    this.at += 1
    return anyOf(this.pattern.slice(start, this.at))
  }

  private escape(): string {
    const start = this.at - 1
    const kind = this.next()
    if ('bB'.includes(kind)) return ''
    if (/[1-9k]/.test(kind)) throw new Unreadable()
    if (kind === 'x') this.at += 2
    if (kind === 'c') this.at += 1
    if ('pP'.includes(kind) || (kind === 'u' && this.peek() === '{')) this.at = this.pattern.indexOf('}', this.at) + 1
    else if (kind === 'u') this.at += 4
    return anyOf(this.pattern.slice(start, this.at))
  }

  private peek(): string {
    return this.pattern.charAt(this.at)
  }

  private next(): string {
    const character = String.fromCodePoint(this.pattern.codePointAt(this.at) ?? 0)
    this.at += character.length
    return character
  }

  private take(character: string): boolean {
    if (this.peek() !== character) return false
    this.at += 1
    return true
  }
}

function literal(text: string): Piece {
  return { text: () => text }
}

/** The first character that one piece of a pattern matches, the usual ones first. */
function anyOf(piece: string): string {
  const expression = new RegExp(`^${piece}$`, 'u')
  const usual = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
  for (const character of usual) if (expression.test(character)) return character
  for (let code = 1; code < 0x3000; code += 1) if (expression.test(String.fromCharCode(code))) return String.fromCharCode(code)
  throw new Unreadable()
}
