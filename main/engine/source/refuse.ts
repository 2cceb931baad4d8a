/** Refuses what would reach outside the script's own file: imports, `require`, `eval`, exports other than `meta` and a last default. */
import type { AnyNode } from 'acorn'
import type { Report } from './finding.ts'
import { isMeta } from './meta.ts'
import type { ScopedScript } from './scopes.ts'
import { isTypeofOperand } from './unknown-names.ts'

const ALONE = 'A script stands alone: put the code into this file, or hand the value over in args.'

/** Reports each offence as an error at the line and column of its first word. */
export function refuseOutside(script: ScopedScript, isTypeScript: boolean, report: Report): void {
  const refuse = (node: AnyNode, what: string, wayOut = ALONE) =>
    report({ severity: 'error', code: 'not-self-contained', offset: node.start, message: `${what}. ${wayOut}` })
  const last = lastStatement(script.body)
  let hasMeta = false
  for (const node of script.nodes) {
    switch (node.type) {
      case 'ImportDeclaration':
        refuse(node, "`import` can't be used", isTypeScript ? `For types alone write \`import type\`. ${ALONE}` : ALONE)
        break
      case 'ImportExpression':
        refuse(node, "`import()` can't be used")
        break
      case 'MetaProperty':
        if (node.meta.name === 'import') refuse(node, "`import.meta` can't be used")
        break
      case 'Identifier':
        if (!script.free.has(node)) break
        if (node.name === 'eval') refuse(node, "`eval` can't be used")
        if (node.name === 'require' && !isTypeofOperand(script.parents.get(node))) refuse(node, "`require` can't be used")
        break
      case 'ExportNamedDeclaration':
        if (isMeta(node) && !hasMeta && script.body.includes(node)) hasMeta = true
        else
          refuse(
            node,
            '`meta` is the only thing a script exports',
            'Write it as `export const meta = { … }`, anything else without `export`.',
          )
        break
      case 'ExportAllDeclaration':
        refuse(node, "`export … from` can't be used")
        break
      case 'ExportDefaultDeclaration':
        if (node.declaration.type === 'FunctionDeclaration' || node.declaration.type === 'ClassDeclaration')
          refuse(node, "A function can't be the result", 'Write its body at the top level of the file and `return` the result.')
        else if (node !== last)
          refuse(node, '`export default` gives the result, so it must be the last statement', 'To end earlier use `return`.')
        break
      default:
    }
  }
}

/** The last statement that does something; a function declared below it is hoisted and no matter. */
export function lastStatement(body: readonly AnyNode[]): AnyNode | undefined {
  return body.findLast((node) => node.type !== 'EmptyStatement' && node.type !== 'FunctionDeclaration')
}
