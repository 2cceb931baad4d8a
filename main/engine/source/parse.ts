/**
 * Reads script text into a syntax tree. The body is parsed as that of an async function in strict mode, which is how it
 * runs: top-level `await` and early `return` are fine, and no HTML-like comment is one.
 */
import { type BlockStatement, type ModuleDeclaration, type Options, Parser, type Program, type Statement, type Token } from 'acorn'
import { walk } from './syntax-tree.ts'

/** A token or comment in whose text the compartment could see something that it is not. */
export interface Lexeme {
  kind: 'name' | 'string' | 'template' | 'regexp' | 'comment'
  start: number
  end: number
}

export interface ParsedScript {
  text: string
  /** The body; its offsets, like all below it, are those of `text`. */
  root: BlockStatement
  body: (Statement | ModuleDeclaration)[]
  /** In source order. */
  lexemes: Lexeme[]
}

/** What is wrong, without its place, and the offset of it. */
export interface SyntaxProblem {
  problem: string
  offset: number
}

/** What stands before and behind the body when it is parsed and when it runs. */
export const BODY_OPENING = "(async function () {'use strict';"
export const BODY_CLOSING = '\n})'

// The oldest runtime that scripts run on knows this edition whole.
const OPTIONS = { ecmaVersion: 2024, sourceType: 'module', allowReturnOutsideFunction: true } as const satisfies Options

/** Takes `export { name }` as it stands: the parser looks for the name outside of the function, and it is refused elsewhere. */
class BodyParser extends Parser {
  checkLocalExport(): void {}
}

/** Parses a whole script (no types, no hashbang, no byte order mark). Throws RangeError for absurdly deep nesting. */
export function parseScript(text: string): ParsedScript | SyntaxProblem {
  const shift = BODY_OPENING.length
  const lexemes: Lexeme[] = []
  const keep = (kind: Lexeme['kind'], start: number, end: number) => {
    if (start >= shift && end <= shift + text.length) lexemes.push({ kind, start: start - shift, end: end - shift })
  }
  let program: Program
  try {
    program = BodyParser.parse(BODY_OPENING + text + BODY_CLOSING, {
      ...OPTIONS,
      allowImportExportEverywhere: true,
      onToken: (token) => {
        const kind = kindOf(token)
        if (kind !== null) keep(kind, token.start, token.end)
      },
      onComment: (_isBlock, _text, start, end) => keep('comment', start, end),
    })
  } catch (error) {
    return problemOf(error, text, shift)
  }
  const only = program.body.length === 1 ? program.body[0] : undefined
  if (only?.type !== 'ExpressionStatement' || only.expression.type !== 'FunctionExpression') return problemOf(null, text, shift)
  const root = only.expression.body
  walk(root, {
    enter: (node) => {
      node.start -= shift
      node.end -= shift
    },
  })
  lexemes.sort((a, b) => a.start - b.start)
  // The first statement is the directive of the opening.
  return { text, root, body: root.body.slice(1), lexemes }
}

function kindOf({ type }: Token): Lexeme['kind'] | null {
  if (type.keyword !== undefined) return 'name'
  switch (type.label) {
    case 'name':
    case 'privateId':
      return 'name'
    case 'string':
    case 'template':
    case 'regexp':
      return type.label
    case 'invalidTemplate':
      return 'template'
    default:
      return null
  }
}

/**
 * A script whose braces do not match closes the function around it, and the complaint then points at the wrong place: so
 * the text is read once more by itself.
 */
function problemOf(error: unknown, text: string, shift: number): SyntaxProblem {
  if (error instanceof RangeError) throw error
  try {
    Parser.parse(text, OPTIONS)
  } catch (own) {
    if (!(own instanceof SyntaxError)) throw own
    const alone = described(own, text, 0)
    if (error === null || alone.problem === 'unexpected `}`') return alone
  }
  if (error instanceof SyntaxError) return described(error, text, shift)
  if (error !== null) throw error
  return { problem: 'its brackets do not match', offset: 0 }
}

function described(error: SyntaxError & { pos?: number }, text: string, shift: number): SyntaxProblem {
  const offset = Math.max(0, (error.pos ?? 0) - shift)
  const said = error.message.replace(/ \(\d+:\d+\)$/, '')
  if (said !== 'Unexpected token') return { problem: inWords(said), offset: Math.min(offset, text.length) }
  return { problem: `unexpected ${textAt(text, offset)}`, offset: offset < text.length ? offset : text.trimEnd().length }
}

/** The word or sign at an offset, as a message shows it. */
export function textAt(text: string, offset: number): string {
  const found = /^(?:[\p{ID_Continue}$]+|\S)/u.exec(text.slice(offset, offset + 80))
  if (found !== null) return `\`${found[0]}\``
  return text.slice(offset).trim() === '' ? 'end of the file' : 'text'
}

/** A parser's message in the way ours are written: small first letter, code in backticks, no full stop. */
export function inWords(said: string): string {
  const plain = said.replace(/'([^']*)'/g, '`$1`').replace(/\.$/, '')
  return plain.charAt(0).toLowerCase() + plain.slice(1)
}
