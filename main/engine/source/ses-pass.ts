/**
 * The compartment refuses text that merely looks like an import, a direct eval or an HTML comment, wherever it stands. This
 * pass rewrites each such place so that it means and says the same: values, `raw` of tagged templates, lines.
 */
import type { AnyNode } from 'acorn'
import type { Lexeme } from './parse.ts'
import type { ScopedScript } from './scopes.ts'
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

export interface SesPass {
  edits: Edit[]
  /** Code of a function that `name` stands for in the edits; null when none is needed. */
  rawKeeper: { name: string; code: string } | null
}

/** Edits that take every look-alike out of a script without touching what it means. */
export function passSes(script: ScopedScript): SesPass {
  const edits: Edit[] = []
  const tagged = taggedQuasis(script)
  const cuts = new Map<AnyNode, number[][]>()
  const rewritten = new Set<Lexeme>()
  for (const look of lookAlikes(script.text)) {
    const lexeme = lexemeAt(script.lexemes, look.start)
    switch (lexeme?.kind) {
      case 'comment':
        edits.push({ start: look.start, end: look.start + look.text.length, text: ' '.repeat(look.text.length) })
        break
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
  if (cuts.size === 0) return { edits, rawKeeper: null }
  const name = unusedName(script.text)
  for (const [node, sites] of cuts) edits.push(...keepRaw(script, node, name, sites))
  return { edits, rawKeeper: { name, code: RAW_KEEPER } }
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

/**
 * Takes positions of escapes (a list for each string, offsets in the `raw` as written) and gives a tag that hands on the
 * strings with those escapes undone, one frozen list a site, and the values: `` tag(...keep([[3]])`…`) ``.
 */
const RAW_KEEPER = [
  '(known=>cuts=>(strings,...values)=>{let kept=known.get(strings);if(!kept){kept=[...strings];',
  "Object.defineProperty(kept,'raw',{value:Object.freeze(strings.raw.map((raw,i)=>(cuts[i]).reduce((text,at)=>",
  'text.slice(0,at)+String.fromCharCode(parseInt(text.slice(at+2,at+4),16))+text.slice(at+4),raw)))});',
  'known.set(strings,Object.freeze(kept))}return[kept,...values]})(new WeakMap())',
].join('')

function keepRaw(script: ScopedScript, node: AnyNode, name: string, sites: number[][]): Edit[] {
  if (node.type !== 'TaggedTemplateExpression') return []
  const edits: Edit[] = [
    { start: node.quasi.start, end: node.quasi.start, text: `(...${name}(${JSON.stringify(sites)})` },
    { start: node.quasi.end, end: node.quasi.end, text: ')' },
  ]
  if (!isConstructed(script, node)) return edits
  // In `new tag`…`` the call must not become the arguments of `new`.
  return [{ start: node.start, end: node.start, text: '(' }, ...edits, { start: node.end, end: node.end, text: ')' }]
}

function isConstructed(script: ScopedScript, node: AnyNode): boolean {
  let child = node
  for (let parent = script.parents.get(child); parent; parent = script.parents.get(child)) {
    if (parent.type === 'NewExpression') return parent.callee === child
    const goesOn =
      (parent.type === 'MemberExpression' && parent.object === child) || (parent.type === 'TaggedTemplateExpression' && parent.tag === child)
    if (!goesOn) return false
    child = parent
  }
  return false
}

function unusedName(text: string): string {
  let name = '$raw'
  while (text.includes(name)) name += '$'
  return name
}
