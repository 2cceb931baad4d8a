/**
 * In a compartment an unknown name reads as `undefined`, where the language throws. So each read of one is guarded: a typing
 * error ends the script at its line and does not become the word "undefined" in a prompt.
 */
import type { AnyNode, Identifier } from 'acorn'
import { KNOWN_GLOBALS } from './globals.ts'
import { isConstructed, type ScopedScript } from './scopes.ts'
import type { Edit } from './text-edits.ts'

/** Edits around every such read; `support` names the object of `support.ts`. */
export function guardUnknownNames(script: ScopedScript, support: string): Edit[] {
  const edits: Edit[] = []
  for (const node of script.nodes) {
    if (node.type !== 'Identifier' || !script.free.has(node) || KNOWN_GLOBALS.has(node.name)) continue
    const parent = script.parents.get(node) ?? null
    if (isTypeofOperand(parent) || isWritten(script, node, parent)) continue
    const name = script.text.slice(node.start, node.end)
    const key = parent?.type === 'Property' && parent.shorthand ? `${name}:` : ''
    const [open, close] = isConstructed(script, node) ? ['(', ')'] : ['', '']
    const thrown = `${support}.none.throw(${support}.error(${JSON.stringify(`${node.name} is not defined`)}))`
    edits.push(
      { start: node.start, end: node.start, text: `${key}${open}${support}.pick(${name}===void 0&&${thrown},` },
      { start: node.end, end: node.end, text: `)${close}` },
    )
  }
  return edits
}

/** `typeof name` is the way to ask for an unknown name without an error. */
export function isTypeofOperand(parent: AnyNode | null | undefined): boolean {
  return parent?.type === 'UnaryExpression' && parent.operator === 'typeof'
}

/** Assignments throw by themselves in a compartment. */
function isWritten(script: ScopedScript, node: Identifier, parent: AnyNode | null): boolean {
  switch (parent?.type) {
    case 'AssignmentExpression':
    case 'AssignmentPattern':
    case 'ForInStatement':
    case 'ForOfStatement':
      return parent.left === node
    case 'UpdateExpression':
    case 'ArrayPattern':
    case 'RestElement':
      return true
    case 'Property':
      return parent.value === node && script.parents.get(parent)?.type === 'ObjectPattern'
    default:
      return false
  }
}
