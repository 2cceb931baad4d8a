/**
 * What a script can reach for, as far as its text shows it. A script that hides its calls on purpose can do so: what it may
 * really do is decided where hooks are called.
 */
import type { CallExpression, Property } from 'acorn'
import { keyName, literalText, optionsOf, outsideCall, textsOf } from './calls.ts'
import type { ScriptUses } from './check-script.ts'
import { HOOKS } from './globals.ts'
import type { PositionTable } from './positions.ts'
import type { ScopedScript } from './scopes.ts'

export const NO_USES: ScriptUses = {
  hooks: [],
  agentTypes: [],
  models: [],
  defaultAgent: false,
  worktrees: false,
  checks: false,
  children: [],
}

/** Hooks in the order of their first mention; agent types and models with the place of each literal. */
export function collectUses(script: ScopedScript, positions: PositionTable): ScriptUses {
  const mentioned = new Set<string>()
  const uses: ScriptUses = { ...NO_USES, agentTypes: [], models: [], children: [] }
  for (const node of script.nodes) {
    if (node.type !== 'Identifier' || !script.free.has(node)) continue
    mentioned.add(node.name)
    const parent = script.parents.get(node)
    if (node.name === 'workflow' && parent?.type === 'CallExpression' && parent.callee === node) {
      collectChildren(script, parent, uses, positions)
    }
    if (node.name !== 'agent') continue
    // A hook handed on by name is called with options that nobody can see here.
    if (parent?.type === 'CallExpression' && parent.callee === node) collectAgent(script, parent, uses, positions)
    else uses.defaultAgent = true
  }
  uses.hooks = [...mentioned].filter((name) => (HOOKS as readonly string[]).includes(name))
  uses.checks = mentioned.has('check') || mentioned.has('globalThis')
  return uses
}

function collectAgent(script: ScopedScript, call: CallExpression, uses: ScriptUses, positions: PositionTable): void {
  const { properties, isWhole } = optionsOf(script, call, 1)
  // The last one of a name wins, as in the language.
  const last = new Map<string | null, Property>(properties.map((property) => [keyName(property), property]))
  const collectTexts = (key: string, into: ScriptUses['models']): boolean => {
    const property = last.get(key)
    if (property === undefined) return false
    const { texts, isWhole: isKnown } = textsOf(script, property.value)
    for (const { text, node } of texts) into.push({ name: text, ...positions.at(node.start) })
    return isKnown
  }
  const namesItsType = collectTexts('agentType', uses.agentTypes)
  collectTexts('model', uses.models)
  if (!namesItsType || !isWhole) uses.defaultAgent = true
  const isolation = last.get('isolation')
  if (isolation !== undefined && (literalText(isolation.value) ?? 'worktree') === 'worktree') uses.worktrees = true
}

function collectChildren(script: ScopedScript, call: CallExpression, uses: ScriptUses, positions: PositionTable): void {
  const [reference] = call.arguments
  if (reference === undefined || reference.type === 'SpreadElement') return
  const path = optionsOf(script, call, 0).properties.findLast((property) => keyName(property) === 'scriptPath')
  const { texts } = textsOf(script, path === undefined ? reference : path.value)
  for (const { text, node } of texts) uses.children.push({ name: text, isPath: path !== undefined, ...positions.at(node.start) })
}

/** Used by checks that look at one kind of call. */
export function callsOf(script: ScopedScript, hook: string): CallExpression[] {
  return script.nodes.filter((node): node is CallExpression => node.type === 'CallExpression' && outsideCall(script, node) === hook)
}
