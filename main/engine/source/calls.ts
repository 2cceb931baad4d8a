/** Recognises calls of hooks and the literal texts and options handed to them. */
import type { AnyNode, CallExpression, Expression, ObjectExpression, Property, SpreadElement } from 'acorn'
import type { ScopedScript } from './scopes.ts'

/** The name of the outside function that a call calls, e.g. `agent`; null for anything else. */
export function outsideCall(script: ScopedScript, node: AnyNode | null | undefined): string | null {
  if (node?.type !== 'CallExpression' || node.callee.type !== 'Identifier') return null
  return script.free.has(node.callee) ? node.callee.name : null
}

/** The text of a string or of a template without `${}`; null for anything else. */
export function literalText(node: AnyNode | null | undefined): string | null {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0]?.value.cooked ?? null
  return null
}

/** The name of a property written as `key`, `'key'` or `['key']`; null when it is computed. */
export function keyName({ key, computed }: Property): string | null {
  if (key.type === 'Identifier' && !computed) return key.name
  if (key.type === 'Literal' && typeof key.value === 'number') return String(key.value)
  return literalText(key)
}

export interface CallOptions {
  /** Properties in source order, those of spread constants included. */
  properties: Property[]
  /** Every key is known: no spread or computed key of unknown content, and not an expression of unknown value. */
  isWhole: boolean
}

/** What is known of the options object that a call passes as argument number `index`. */
export function optionsOf(script: ScopedScript, call: CallExpression, index: number): CallOptions {
  const options: CallOptions = { properties: [], isWhole: !call.arguments.slice(0, index + 1).some((arg) => arg.type === 'SpreadElement') }
  const argument = call.arguments[index]
  if (argument !== undefined) collect(script, argument, options, new Set())
  return options
}

function collect(script: ScopedScript, node: Expression | SpreadElement, into: CallOptions, seen: Set<AnyNode>): void {
  const object = objectBehind(script, node)
  if (object === null || seen.has(object)) {
    into.isWhole = false
    return
  }
  seen.add(object)
  for (const property of object.properties) {
    if (property.type === 'SpreadElement') collect(script, property.argument, into, seen)
    else if (keyName(property) === null) into.isWhole = false
    else into.properties.push(property)
  }
}

function objectBehind(script: ScopedScript, node: Expression | SpreadElement): ObjectExpression | null {
  if (node.type === 'ObjectExpression') return node
  if (node.type !== 'Identifier') return null
  const value = script.constantOf(node)
  return value?.type === 'ObjectExpression' ? value : null
}

/** The literal texts that an expression can come to, and whether those are all. A `const` is followed to its text. */
export function textsOf(script: ScopedScript, node: Expression): { texts: { text: string; node: AnyNode }[]; isWhole: boolean } {
  const text = literalText(node)
  if (text !== null) return { texts: [{ text, node }], isWhole: true }
  if (node.type === 'Identifier') {
    const value = script.constantOf(node)
    const known = literalText(value)
    if (value !== null && known !== null) return { texts: [{ text: known, node: value }], isWhole: true }
  }
  const branches =
    node.type === 'ConditionalExpression'
      ? [node.consequent, node.alternate]
      : node.type === 'LogicalExpression'
        ? [node.left, node.right]
        : []
  const found = branches.map((branch) => textsOf(script, branch))
  return { texts: found.flatMap(({ texts }) => texts), isWhole: found.length > 0 && found.every(({ isWhole }) => isWhole) }
}
