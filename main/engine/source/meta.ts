/** Reads `export const meta` from the syntax tree. Nothing is ever evaluated: what is not a plain value is named with its place. */
import type { AnyNode, ExportNamedDeclaration, Expression, SpreadElement } from 'acorn'
import type { Json } from '../../../shared/json.ts'
import type { PhaseMeta } from '../../../shared/run/events.ts'
import type { ScriptMeta } from './check-script.ts'
import type { Finding } from './finding.ts'
import type { ParsedScript } from './parse.ts'

/** The declaration of `meta` when a statement is one, well formed or not. */
export function metaValue(statement: AnyNode): Expression | null {
  if (statement.type !== 'ExportNamedDeclaration' || statement.declaration?.type !== 'VariableDeclaration') return null
  const { declarations, kind } = statement.declaration
  const only = declarations.length === 1 ? declarations[0] : undefined
  if (kind !== 'const' || only?.id.type !== 'Identifier' || only.id.name !== 'meta') return null
  return only.init ?? null
}

export function isMeta(statement: AnyNode): statement is ExportNamedDeclaration {
  return metaValue(statement) !== null
}

/** Null when there is no meta or when it could not be read; then `report` has been told why. */
export function readMeta(script: ParsedScript, report: (finding: Finding) => void): ScriptMeta | null {
  const value = script.body.map(metaValue).find((found) => found !== null)
  if (value === undefined) return null
  try {
    if (value.type !== 'ObjectExpression') throw new NotLiteral(value, '`meta` must be an object of plain values, written out')
    return typedMeta(value, literal(value))
  } catch (error) {
    if (!(error instanceof NotLiteral)) throw error
    report({ severity: 'error', code: 'meta-not-literal', offset: error.node.start, message: error.message })
    return null
  }
}

class NotLiteral extends Error {
  readonly node: AnyNode
  constructor(node: AnyNode, message: string) {
    super(message)
    this.node = node
  }
}

const WHY = '`meta` is read without running the script, so'

function literal(node: Expression | SpreadElement | null, holder?: AnyNode): Json {
  switch (node?.type) {
    case 'Literal':
      if (node.regex !== undefined) throw new NotLiteral(node, `${WHY} a regular expression can't stand here; use a string`)
      if (typeof node.value === 'bigint') throw new NotLiteral(node, `${WHY} a BigInt can't stand here; use a number or a string`)
      if (node.value === undefined || node.value instanceof RegExp) break
      return node.value
    case 'TemplateLiteral':
      if (node.expressions[0] !== undefined)
        throw new NotLiteral(node.expressions[0], `${WHY} \`\${…}\` can't stand here; write the text out`)
      return node.quasis[0]?.value.cooked ?? ''
    case 'UnaryExpression': {
      const { argument, operator } = node
      const isNumber = argument.type === 'Literal' && typeof argument.value === 'number'
      if (isNumber && operator === '-') return -(argument.value as number)
      if (isNumber && operator === '+') return argument.value as number
      break
    }
    case 'ArrayExpression':
      return node.elements.map((element) => literal(element, node))
    case 'ObjectExpression':
      return objectLiteral(node)
    default:
  }
  const at = node ?? holder
  if (at === undefined) throw new Error('A literal has no place')
  throw new NotLiteral(at, `${WHY} ${nameOf(node)} can't stand here; write the value out`)
}

function objectLiteral(node: Expression & { type: 'ObjectExpression' }): { [key: string]: Json } {
  const object: { [key: string]: Json } = {}
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') throw new NotLiteral(property, `${WHY} a spread can't stand here; write the keys out`)
    const { key, value } = property
    if (property.computed) throw new NotLiteral(key, `${WHY} a computed key can't stand here; write the key out`)
    if (property.kind !== 'init' || property.method) throw new NotLiteral(property, `${WHY} a method can't stand here; use a plain value`)
    const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : ''
    // An own key even when it is called `__proto__`.
    Object.defineProperty(object, name, { value: literal(value), enumerable: true, writable: true, configurable: true })
  }
  return object
}

function nameOf(node: AnyNode | null): string {
  switch (node?.type) {
    case undefined:
      return 'an empty place in a list'
    case 'Identifier':
      return `\`${node.name}\``
    case 'CallExpression':
    case 'NewExpression':
      return 'a call'
    case 'SpreadElement':
      return 'a spread'
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return 'a function'
    case 'TaggedTemplateExpression':
      return 'a tagged template'
    default:
      return 'an expression'
  }
}

function typedMeta(node: Expression & { type: 'ObjectExpression' }, value: Json): ScriptMeta {
  const meta: ScriptMeta = { phases: [], more: {} }
  const known = value as { [key: string]: Json }
  for (const key of Object.keys(known)) {
    const item = known[key] ?? null
    const at = placeOf(node, key)
    switch (key) {
      case 'name':
      case 'description':
      case 'whenToUse':
        if (typeof item !== 'string') throw new NotLiteral(at, `\`meta.${key}\` must be a string`)
        meta[key] = item
        break
      case 'phases':
        if (!Array.isArray(item)) throw new NotLiteral(at, '`meta.phases` must be a list of titles or of `{ title, detail }`')
        meta.phases = item.map((phase) => phaseOf(phase, at))
        break
      default:
        Object.defineProperty(meta.more, key, { value: item, enumerable: true, writable: true, configurable: true })
    }
  }
  return meta
}

function phaseOf(item: Json, at: AnyNode): PhaseMeta {
  if (typeof item === 'string') return { title: item }
  if (typeof item !== 'object' || item === null || Array.isArray(item) || typeof item.title !== 'string')
    throw new NotLiteral(at, 'Each entry of `meta.phases` must be a title or an object with a `title`')
  const phase: PhaseMeta = { title: item.title }
  if (typeof item.detail === 'string') phase.detail = item.detail
  if (typeof item.model === 'string') phase.model = item.model
  return phase
}

/** The value behind a key, for the place of a complaint: the last one wins, as in the language. */
function placeOf(node: Expression & { type: 'ObjectExpression' }, name: string): AnyNode {
  for (const property of [...node.properties].reverse()) {
    if (property.type !== 'Property') continue
    const { key } = property
    if ((key.type === 'Identifier' && key.name === name) || (key.type === 'Literal' && String(key.value) === name)) return property.value
  }
  return node
}
