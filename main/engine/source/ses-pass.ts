/**
 * The compartment refuses text that merely looks like an import, a direct eval or an HTML comment, wherever it stands. This
 * pass rewrites each such place so that it means and says the same: values, `raw` of tagged templates, lines.
 */
import type { AnyNode } from 'acorn'
import type { Lexeme } from './parse.ts'
import { isConstructed, type ScopedScript } from './scopes.ts'
import type { Edit } from './text-edits.ts'

/** The patterns of the pinned `ses`; a test holds them against the installed one. */
export const REFUSED = {
  htmlComment: /(?:<!--|-->)/g,
  importCall: /(^|[^.]|\.\.\.)\bimport(\s*(?:\(|\/[/*]))/g,
  directEval: /(^|[^.])\beval(\s*\()/g,
} as const

interface Look {
  /** Where the word or sign begins. */
  start: number
  text: '<!--' | '-->' | 'import' | 'eval'
}

/** Edits that take every look-alike out of a script without touching what it means; `support` names the object of `support.ts`. */
export function passSes(script: ScopedScript, support: string): Edit[] {
  const edits: Edit[] = []
  const tagged = taggedQuasis(script)
  const cuts = new Map<Tagged, number[][]>()
  const rewritten = new Set<Lexeme>()
  let blankedTo = 0
  for (const look of lookAlikes(script.text)) {
    const lexeme = lexemeAt(script.lexemes, look.start)
    switch (lexeme?.kind) {
      case 'comment': {
        // `<!-->` is two of them that share their middle.
        const start = Math.max(look.start, blankedTo)
        blankedTo = look.start + look.text.length
        edits.push({ start, end: blankedTo, text: ' '.repeat(blankedTo - start) })
        break
      }
      case 'name':
        edits.push(escaped(look, 'identifier'))
        break
      case 'string':
        edits.push(escaped(look, 'literal'))
        break
      case 'template': {
        const edit = escaped(look, 'literal')
        edits.push(edit)
        const site = tagged.get(lexeme.start)
        if (site === undefined) break
        const sites = cuts.get(site.node) ?? site.node.quasi.quasis.map(() => [])
        // `raw` has line feeds only, whatever the file has.
        sites[site.index]?.push(script.text.slice(lexeme.start, edit.start).replace(/\r\n/g, '\n').length)
        cuts.set(site.node, sites)
        break
      }
      case 'regexp':
        if (script.declares('RegExp')) edits.push(escaped(look, 'literal'))
        else if (!rewritten.has(lexeme)) edits.push(asConstructor(script.text, lexeme))
        rewritten.add(lexeme)
        break
      case undefined:
        edits.push({ start: look.start + 2, end: look.start + 2, text: ' ' })
        break
    }
  }
  for (const [node, sites] of cuts) edits.push(...keepRaw(script, node, support, sites))
  return edits
}

/** Every place in a text that one of the patterns matches, overlapping ones too. */
export function lookAlikes(text: string): Look[] {
  const looks = new Map<number, Look>()
  for (const pattern of Object.values(REFUSED)) {
    const search = new RegExp(pattern)
    for (let found = search.exec(text); found !== null; found = search.exec(text)) {
      const start = found.index + (found[1]?.length ?? 0)
      const word = /^(?:<!--|-->|import|eval)/.exec(text.slice(start, start + 6))?.[0]
      if (word !== undefined) looks.set(start, { start, text: word as Look['text'] })
      search.lastIndex = found.index + 1
    }
  }
  return [...looks.values()].sort((a, b) => a.start - b.start)
}

/**
 * One character of the look-alike as an escape: never the first, which a backslash may stand before, and never a sign that
 * has a meaning of its own in a regular expression (`(?<!`, the range in `[!--]`).
 */
function escaped({ start, text }: Look, place: 'literal' | 'identifier'): Edit {
  const at = start + (text === '<!--' ? 3 : text === '-->' ? 2 : 1)
  const code = text.charCodeAt(at - start).toString(16)
  return { start: at, end: at + 1, text: place === 'literal' ? `\\x${code}` : `\\u00${code}` }
}

/** A regular expression written as a call, so that its `source` stays what it was. */
function asConstructor(text: string, { start, end }: Lexeme): Edit {
  const literal = text.slice(start, end)
  const slash = literal.lastIndexOf('/')
  let pattern = JSON.stringify(literal.slice(1, slash))
  for (const look of lookAlikes(pattern).reverse()) {
    const edit = escaped(look, 'literal')
    pattern = pattern.slice(0, edit.start) + edit.text + pattern.slice(edit.end)
  }
  // The space keeps it apart from a word before it, as in `return/x/`.
  return { start, end, text: ` new RegExp(${pattern},"${literal.slice(slash + 1)}")` }
}

/** The comment or token that covers an offset. */
function lexemeAt(lexemes: readonly Lexeme[], offset: number): Lexeme | undefined {
  let low = 0
  let high = lexemes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lexemes[middle]?.start ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  const found = lexemes[low - 1]
  return found !== undefined && offset < found.end ? found : undefined
}

type Tagged = AnyNode & { type: 'TaggedTemplateExpression' }

function taggedQuasis(script: ScopedScript): Map<number, { node: Tagged; index: number }> {
  const sites = new Map<number, { node: Tagged; index: number }>()
  for (const node of script.nodes) {
    if (node.type !== 'TaggedTemplateExpression') continue
    for (const [index, quasi] of node.quasi.quasis.entries()) sites.set(quasi.start, { node, index })
  }
  return sites
}

/** The tag gets its strings with their raw text as written: `` tag(...$script.raw([[3]])`…`) ``. */
function keepRaw(script: ScopedScript, node: Tagged, support: string, sites: number[][]): Edit[] {
  const edits: Edit[] = [
    { start: node.quasi.start, end: node.quasi.start, text: `(...${support}.raw(${JSON.stringify(sites)})` },
    { start: node.quasi.end, end: node.quasi.end, text: ')' },
  ]
  if (!isConstructed(script, node)) return edits
  return [{ start: node.start, end: node.start, text: '(' }, ...edits, { start: node.end, end: node.end, text: ')' }]
}
