/** Warnings about things that run but hardly mean what was written: each names its line and the way out. */
import type { AnyNode, CallExpression, Expression, MemberExpression, SpreadElement, Super } from 'acorn'
import { keyName, literalText, optionsOf, outsideCall } from './calls.ts'
import type { ScriptMeta } from './check-script.ts'
import type { Finding, Report } from './finding.ts'
import { BUILT_INS, HOOK_OPTIONS, insteadOf, KNOWN_GLOBALS, NOT_REPEATABLE } from './globals.ts'
import type { ScopedScript } from './scopes.ts'
import { isTypeofOperand } from './unknown-names.ts'

type Warn = (code: Finding['code'], node: AnyNode, message: string) => void

/** Looks at every node once; `meta` gives the declared phases. */
export function warnAhead(script: ScopedScript, meta: ScriptMeta | null, report: Report): void {
  const told = new Set<string>()
  // Options that several calls share are told of once.
  const warn: Warn = (code, node, message) => {
    const offset = node.start
    if (!told.has(`${code} ${offset}`)) report({ severity: 'warning', code, offset, message })
    told.add(`${code} ${offset}`)
  }
  const phases = new Set(meta?.phases.map(({ title }) => title))
  const reported = new Set<string>()
  for (const node of script.nodes) {
    switch (node.type) {
      case 'Identifier':
        if (script.free.has(node) && !reported.has(node.name)) {
          if (NOT_REPEATABLE.has(node.name)) {
            warn(
              'clock-or-chance',
              node,
              `\`${node.name}\` gives something else on each resume. Use \`now()\`, \`random()\` or \`uuid()\`.`,
            )
            reported.add(node.name)
          } else if (!KNOWN_GLOBALS.has(node.name) && node.name !== 'require' && !isTypeofOperand(script.parents.get(node))) {
            warn('undeclared', node, undeclaredText(node.name))
            reported.add(node.name)
          }
        }
        break
      case 'NewExpression':
        if (isBuiltIn(script, node.callee, 'Date') && node.arguments.length === 0) warnDate(warn, node, 'new Date()')
        break
      case 'CallExpression':
        warnCall(script, node, phases, warn)
        break
      case 'AssignmentExpression':
        warnAssignment(script, node.left, warn)
        break
      case 'UpdateExpression':
        warnAssignment(script, node.argument, warn)
        break
      case 'UnaryExpression':
        if (node.operator === 'delete') warnAssignment(script, node.argument, warn)
        break
      default:
    }
  }
}

function warnCall(script: ScopedScript, call: CallExpression, phases: ReadonlySet<string>, warn: Warn): void {
  const { callee } = call
  if (isBuiltIn(script, callee, 'Date')) warnDate(warn, call, 'Date()')
  if (callee.type === 'MemberExpression') {
    const method = memberName(callee)
    if (method === 'now' && isBuiltIn(script, callee.object, 'Date')) warnDate(warn, call, 'Date.now()')
    if (method === 'random' && isBuiltIn(script, callee.object, 'Math'))
      warn('clock-or-chance', call, '`Math.random()` gives something else on each resume. Use `random()`.')
    const changes = /^(?:assign|defineProperty|defineProperties|setPrototypeOf)$/.test(method ?? '')
    const target = call.arguments[0]
    if (changes && target !== undefined && (isBuiltIn(script, callee.object, 'Object') || isBuiltIn(script, callee.object, 'Reflect')))
      warnChange(script, target, call, warn)
  }
  const hook = outsideCall(script, call)
  switch (hook) {
    case 'parallel':
      warnParallel(script, call, warn)
      break
    case 'pipeline':
      for (const stage of call.arguments.slice(1)) if (isPromise(script, stage)) warnPromise(warn, stage, 'A stage is a function')
      break
    case 'phase':
      warnPhase(phases, call.arguments[0], warn)
      break
    case 'wait':
      for (const probe of call.arguments.slice(0, 1)) if (isPromise(script, probe)) warnPromise(warn, probe, '`wait` takes a function')
      warnOptions(script, call, hook, phases, warn)
      break
    case 'agent':
    case 'check':
    case 'gate':
      warnOptions(script, call, hook, phases, warn)
      break
    default:
  }
}

function warnOptions(
  script: ScopedScript,
  call: CallExpression,
  hook: keyof typeof HOOK_OPTIONS,
  phases: ReadonlySet<string>,
  warn: Warn,
): void {
  const known: readonly string[] = HOOK_OPTIONS[hook]
  for (const property of optionsOf(script, call, 1).properties) {
    const key = keyName(property)
    if (key === 'phase' && known.includes(key)) warnPhase(phases, property.value, warn)
    if (key !== null && !known.includes(key))
      warn('unknown-option', property, `\`${hook}()\` has no option \`${key}\`; it is left out. There are: ${known.join(', ')}.`)
  }
}

function warnParallel(script: ScopedScript, call: CallExpression, warn: Warn): void {
  const says = '`parallel` takes functions'
  const [list] = call.arguments
  for (const argument of call.arguments) if (isPromise(script, argument)) warnPromise(warn, argument, says)
  if (list?.type === 'ArrayExpression') {
    for (const element of list.elements) if (element !== null && isPromise(script, element)) warnPromise(warn, element, says)
  }
  if (list?.type !== 'CallExpression' || list.callee.type !== 'MemberExpression' || memberName(list.callee) !== 'map') return
  const [mapper] = list.arguments
  if (mapper?.type !== 'ArrowFunctionExpression' && mapper?.type !== 'FunctionExpression') return
  if (mapper.async) warnPromise(warn, mapper, says)
  else for (const result of resultsOf(mapper.body)) if (isPromise(script, result)) warnPromise(warn, result, says)
}

function warnPromise(warn: Warn, node: AnyNode, says: string): void {
  warn('promise-not-thunk', node, `${says}, and this is a promise that already runs. Write \`() =>\` before it.`)
}

/** A call of a hook that gives a promise, or of an async function written on the spot. */
function isPromise(script: ScopedScript, node: AnyNode): boolean {
  if (node.type === 'AwaitExpression' || node.type !== 'CallExpression') return false
  const { callee } = node
  if ((callee.type === 'ArrowFunctionExpression' || callee.type === 'FunctionExpression') && callee.async) return true
  const hook = outsideCall(script, node)
  return hook !== null && ['agent', 'workflow', 'check', 'gate', 'wait', 'sleep', 'parallel', 'pipeline'].includes(hook)
}

/** What a function body gives back at its own top level. */
function resultsOf(body: AnyNode): AnyNode[] {
  if (body.type !== 'BlockStatement') return [body]
  return body.body.flatMap((statement) => (statement.type === 'ReturnStatement' && statement.argument ? [statement.argument] : []))
}

function warnPhase(phases: ReadonlySet<string>, title: AnyNode | undefined, warn: Warn): void {
  const text = literalText(title)
  if (title === undefined || text === null || phases.size === 0 || phases.has(text)) return
  warn('phase-undeclared', title, `Phase “${text}” is not in \`meta.phases\`, so it appears only once the script gets there.`)
}

function warnDate(warn: Warn, node: AnyNode, what: string): void {
  warn('clock-or-chance', node, `\`${what}\` gives something else on each resume. Use \`now()\`, or pass the time in args.`)
}

function warnAssignment(script: ScopedScript, target: AnyNode, warn: Warn): void {
  if (target.type !== 'MemberExpression') return
  // Common at the top of scripts, and quietly without effect.
  if (isBuiltIn(script, target.object, 'Error') && memberName(target) === 'stackTraceLimit') return
  warnChange(script, target.object, target, warn)
}

function warnChange(script: ScopedScript, changed: Expression | Super | SpreadElement, at: AnyNode, warn: Warn): void {
  let root: AnyNode = changed
  while (root.type === 'MemberExpression') root = root.object
  if (root.type !== 'Identifier' || !BUILT_INS.has(root.name) || !script.free.has(root)) return
  warn('builtin-assignment', at, `\`${root.name}\` is shared by all scripts and frozen: this throws. Write a function of your own.`)
}

function undeclaredText(name: string): string {
  const instead = insteadOf(name)
  return instead === undefined
    ? `\`${name}\` is declared nowhere: reaching it throws.`
    : `\`${name}\` doesn't exist in a script: ${instead}.`
}

function isBuiltIn(script: ScopedScript, node: AnyNode, name: string): boolean {
  return node.type === 'Identifier' && node.name === name && script.free.has(node)
}

function memberName({ property, computed }: MemberExpression): string | null {
  return property.type === 'Identifier' && !computed ? property.name : literalText(property)
}
