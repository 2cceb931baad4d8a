/** Which names a script declares, and which of its identifiers mean something from outside. Strict-mode rules. */
import type { AnyNode, Expression, Identifier, Pattern } from 'acorn'
import type { ParsedScript } from './parse.ts'
import { walk } from './syntax-tree.ts'

interface Scope {
  parent: Scope | null
  isFunction: boolean
  /** Declared names; the value is what a `const` is initialised with, null for anything that may change. */
  names: Map<string, Expression | null>
}

export interface ScopedScript extends ParsedScript {
  /** Every node, parents before children. */
  nodes: AnyNode[]
  parents: ReadonlyMap<AnyNode, AnyNode | null>
  /** Identifiers that read or write a name which the script does not declare. */
  free: ReadonlySet<AnyNode>
  /** The expression behind a name declared with `const`, null when it is not known. */
  constantOf: (use: Identifier) => Expression | null
  declares: (name: string) => boolean
}

export function resolveScopes(script: ParsedScript): ScopedScript {
  const nodes: AnyNode[] = []
  const parents = new Map<AnyNode, AnyNode | null>()
  const uses: { node: Identifier; scope: Scope }[] = []
  const declared = new Set<string>()
  let scope: Scope = { parent: null, isFunction: true, names: new Map() }
  const opened = new Set<AnyNode>()

  const declare = (target: Scope, name: string, value: Expression | null = null) => {
    declared.add(name)
    target.names.set(name, value)
  }
  const declarePattern = (target: Scope, pattern: Pattern) => {
    for (const name of namesIn(pattern)) declare(target, name)
  }
  const open = (node: AnyNode, isFunction: boolean) => {
    scope = { parent: scope, isFunction, names: new Map() }
    opened.add(node)
  }

  walk(script.root, {
    enter: (node, parent) => {
      nodes.push(node)
      parents.set(node, parent)
      switch (node.type) {
        case 'FunctionDeclaration':
        case 'FunctionExpression':
        case 'ArrowFunctionExpression':
          if (node.type === 'FunctionDeclaration' && node.id) declare(scope, node.id.name)
          open(node, true)
          if (node.type === 'FunctionExpression' && node.id) declare(scope, node.id.name)
          for (const parameter of node.params) declarePattern(scope, parameter)
          break
        case 'ClassDeclaration':
        case 'ClassExpression':
          if (node.type === 'ClassDeclaration' && node.id) declare(scope, node.id.name)
          open(node, false)
          if (node.id) declare(scope, node.id.name)
          break
        case 'BlockStatement':
        case 'ForStatement':
        case 'ForInStatement':
        case 'ForOfStatement':
        case 'SwitchStatement':
          open(node, false)
          break
        case 'StaticBlock':
          open(node, true)
          break
        case 'CatchClause':
          open(node, false)
          if (node.param) declarePattern(scope, node.param)
          break
        case 'VariableDeclaration':
          for (const { id, init } of node.declarations) {
            if (node.kind === 'const' && id.type === 'Identifier') declare(scope, id.name, init ?? null)
            else declarePattern(node.kind === 'var' ? functionAround(scope) : scope, id)
          }
          break
        // Refused elsewhere; what it would have brought is no second fault.
        case 'ImportDeclaration':
          for (const { local } of node.specifiers) declare(scope, local.name)
          break
        case 'Identifier':
          if (isUse(node, parent)) uses.push({ node, scope })
          break
        default:
      }
    },
    leave: (node) => {
      if (opened.has(node)) scope = scope.parent ?? scope
    },
  })

  const free = new Set<AnyNode>()
  const constants = new Map<Identifier, Expression>()
  for (const use of uses) {
    const home = homeOf(use.node.name, use.scope)
    if (home === null) free.add(use.node)
    else {
      const value = home.names.get(use.node.name)
      if (value) constants.set(use.node, value)
    }
  }
  return {
    ...script,
    nodes,
    parents,
    free,
    constantOf: (use) => constants.get(use) ?? null,
    declares: (name) => declared.has(name),
  }
}

function functionAround(scope: Scope): Scope {
  let around = scope
  while (!around.isFunction && around.parent !== null) around = around.parent
  return around
}

function homeOf(name: string, from: Scope): Scope | null {
  for (let scope: Scope | null = from; scope !== null; scope = scope.parent) if (scope.names.has(name)) return scope
  return null
}

/** The names that a binding pattern declares. */
export function namesIn(pattern: Pattern): string[] {
  const names: string[] = []
  const waiting: (Pattern | null)[] = [pattern]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === null) continue
    switch (next.type) {
      case 'Identifier':
        names.push(next.name)
        break
      case 'ObjectPattern':
        for (const property of next.properties) waiting.push(property.type === 'RestElement' ? property.argument : property.value)
        break
      case 'ArrayPattern':
        waiting.push(...next.elements)
        break
      case 'AssignmentPattern':
        waiting.push(next.left)
        break
      case 'RestElement':
        waiting.push(next.argument)
        break
      default:
    }
  }
  return names
}

/** False for identifiers that only spell a property, a label or the like. Declarations count: they find themselves. */
function isUse(node: Identifier, parent: AnyNode | null): boolean {
  switch (parent?.type) {
    case 'MemberExpression':
      return parent.object === node || parent.computed
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return parent.key !== node || parent.computed
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'MetaProperty':
    case 'ImportSpecifier':
    case 'ExportSpecifier':
    case 'ExportAllDeclaration':
    case 'ImportAttribute':
      return false
    default:
      return true
  }
}

/** True where a call put in place of `node` would be taken for the arguments of a `new` before it. */
export function isConstructed(script: Pick<ScopedScript, 'parents'>, node: AnyNode): boolean {
  let child = node
  for (let parent = script.parents.get(child); parent; parent = script.parents.get(child)) {
    if (parent.type === 'NewExpression') return parent.callee === child
    const goesOn =
      (parent.type === 'MemberExpression' && parent.object === child) ||
      (parent.type === 'TaggedTemplateExpression' && parent.tag === child)
    if (!goesOn) return false
    child = parent
  }
  return false
}
