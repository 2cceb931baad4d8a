/** Splits a command line into the words of its program, as a shell would, and runs none: quotes hold words together. */

export type CommandWords = { ok: true; words: string[] } | { ok: false; problem: string }

/** What only a shell understands when it stands alone outside of quotes. */
const SHELL_WORDS = /^(?:\|\|?|&&?|;|[0-9]?>>?|<|[0-9]?>&[0-9])$/

export function commandWords(line: string): CommandWords {
  const words: string[] = []
  let word: string | null = null
  let quote: '"' | "'" | null = null
  let isQuoted = false
  const end = (): string | null => {
    const ended = word
    word = null
    if (ended === null) return null
    if (!isQuoted && SHELL_WORDS.test(ended)) return ended
    words.push(ended)
    isQuoted = false
    return null
  }
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at)
    if (quote === null && /\s/.test(character)) {
      const operator = end()
      if (operator !== null) return needsShell(operator)
      continue
    }
    word ??= ''
    if (quote === null && (character === '"' || character === "'")) {
      quote = character
      isQuoted = true
    } else if (character === quote) quote = null
    else if (character === '\\' && quote !== "'" && (quote === null || /["\\]/.test(line.charAt(at + 1)))) {
      at += 1
      if (at >= line.length) return { ok: false, problem: 'it ends with a backslash' }
      word += line.charAt(at)
      isQuoted = true
    } else word += character
  }
  if (quote !== null) return { ok: false, problem: `a ${quote} is not closed` }
  const operator = end()
  if (operator !== null) return needsShell(operator)
  return words.length === 0 ? { ok: false, problem: 'it is empty' } : { ok: true, words }
}

function needsShell(operator: string): CommandWords {
  return { ok: false, problem: `\`${operator}\` needs a shell, and none is used: pass { shell: true }` }
}
