/**
 * Turns TypeScript into JavaScript in place: types become spaces, enums objects on their own lines, and what has no such
 * equal is refused with what to write instead. Loads the TypeScript compiler, so nothing but a lazy import may name this file.
 */
import { blankSourceFile } from 'ts-blank-space'
import ts from 'typescript'
import { enumsOf, isDeclared, rewriteEnum } from './enums.ts'
import type { Finding, Report } from './finding.ts'
import { inWords, textAt } from './parse.ts'
import { applyEdits, type EditedText } from './text-edits.ts'

/** Messages of TypeScript about the inside of regular expressions; the parser of the result judges these itself. */
const REGULAR_EXPRESSIONS = { first: 1499, last: 1538 }

/**
 * The same text without types, its lines and (but for enums) columns unmoved. Findings have offsets of `source`; a
 * `script-syntax` one, which has no sentence yet, is given to `unreadable`. Null when one of them is an error.
 */
export function eraseTypes(source: string, report: Report, unreadable: (problem: string, offset: number) => void): EditedText | null {
  const file = parse(source)
  const complaint = syntaxErrors(file).find(({ code }) => code < REGULAR_EXPRESSIONS.first || code > REGULAR_EXPRESSIONS.last)
  if (complaint !== undefined) {
    const offset = complaint.start ?? 0
    const said = inWords(ts.flattenDiagnosticMessageText(complaint.messageText, ' '))
    unreadable(/ expected$/.test(said) ? `unexpected ${textAt(source, offset)} (${said})` : said, Math.min(offset, source.trimEnd().length))
    return null
  }
  let isRefused = false
  const refuse = (node: ts.Node, message: string) => {
    isRefused = true
    report({ severity: 'error', code: 'typescript-unsupported', offset: node.getStart(file), message })
  }
  refuseUnsupported(file, refuse)
  const enums = enumsOf(file)
  const edits = enums.flatMap((node) => rewriteEnum(file, node, refuse))
  if (isRefused) return null

  const { text, shifts } = applyEdits(source, edits)
  const findings: Finding[] = []
  const blanked = blankSourceFile(enums.length === 0 ? file : parse(text), (node) => {
    // Everything else that can't be blanked has been refused above.
    const offset = before(shifts, node.getStart())
    const message = 'Without the type the operators here would group differently. Put the part before `as` in brackets: `(a + b) as T`.'
    findings.push({ severity: 'error', code: 'typescript-unsupported', offset, message })
  })
  for (const finding of findings) report(finding)
  return findings.length > 0 ? null : { text: keepSeparators(text, blanked), shifts }
}

/** `await` at the top level is one even in a file that neither imports nor exports. */
function parse(text: string): ts.SourceFile {
  return ts.createSourceFile(
    'script.ts',
    text,
    {
      languageVersion: ts.ScriptTarget.ESNext,
      impliedNodeFormat: ts.ModuleKind.ESNext,
      jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
      setExternalModuleIndicator: (file) => {
        ;(file as { externalModuleIndicator?: true }).externalModuleIndicator = true
      },
    },
    true,
    ts.ScriptKind.TS,
  )
}

/** The parser's own list, which its types keep to themselves; there is no public way to it that does not emit. */
function syntaxErrors(file: ts.SourceFile): readonly ts.DiagnosticWithLocation[] {
  return (file as ts.SourceFile & { parseDiagnostics?: readonly ts.DiagnosticWithLocation[] }).parseDiagnostics ?? []
}

function refuseUnsupported(file: ts.SourceFile, refuse: (node: ts.Node, message: string) => void): void {
  const visit = (node: ts.Node): void => {
    const modifiers = ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : []
    if (ts.isModuleDeclaration(node) && ts.isIdentifier(node.name) && (node.flags & ts.NodeFlags.Namespace) === 0 && !isGlobal(node)) {
      refuse(node, "`module N` can't be used. For types write `namespace N`; for values an object: `const N = { … }`.")
      return
    }
    if (ts.canHaveModifiers(node) && isDeclared(node)) return
    const decorator = ts.canHaveDecorators(node) ? ts.getDecorators(node)?.[0] : undefined
    if (decorator !== undefined) refuse(decorator, "Decorators can't be used. Call the function on the class or the method yourself.")
    if (ts.isModuleDeclaration(node) && hasValues(node)) {
      refuse(node, "`namespace` can't be used. Write an object: `const N = { … }`.")
      return
    }
    if (ts.isImportEqualsDeclaration(node)) refuse(node, "`import … =` can't be used. Write `const a = N.a`; for a type, `type A = N.A`.")
    if (ts.isExportAssignment(node) && node.isExportEquals)
      refuse(node, "`export =` can't be used. `return` the result, or write `export default`.")
    if (ts.isTypeAssertionExpression(node)) refuse(node, "`<T>x` can't be used. Write `x as T`.")
    if (ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.Using) === ts.NodeFlags.Using)
      refuse(node, "`using` can't be used. Write `const`, and free it in `try { … } finally { … }`.")
    if (ts.isParameter(node)) {
      const [property] = modifiers
      if (property !== undefined)
        refuse(
          property,
          "Parameters that are properties can't be used. Declare the property in the class and assign it in the constructor.",
        )
    }
    const accessor = ts.isPropertyDeclaration(node) ? modifiers.find(({ kind }) => kind === ts.SyntaxKind.AccessorKeyword) : undefined
    if (accessor !== undefined) refuse(accessor, "`accessor` can't be used. Write a getter and a setter.")
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(file, visit)
}

const isGlobal = (node: ts.ModuleDeclaration): boolean => (node.flags & ts.NodeFlags.GlobalAugmentation) !== 0

/** False for what is all types, or text about another module: those vanish whole. */
function hasValues(node: ts.ModuleDeclaration): boolean {
  if (ts.isStringLiteral(node.name) || isGlobal(node)) return false
  const { body } = node
  if (body === undefined) return true
  if (ts.isModuleDeclaration(body)) return hasValues(body)
  if (!ts.isModuleBlock(body)) return true
  return body.statements.some((statement) => {
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return false
    return !ts.isModuleDeclaration(statement) || hasValues(statement)
  })
}

/** Blanking keeps line feeds; the two rare line breaks of Unicode are put back where they were. */
function keepSeparators(text: string, blanked: string): string {
  if (!/[\u2028\u2029]/.test(text)) return blanked
  return blanked.replace(/ /g, (space, at: number) => (/[\u2028\u2029]/.test(text.charAt(at)) ? text.charAt(at) : space))
}

function before(shifts: EditedText['shifts'], offset: number): number {
  let moved = 0
  for (const { at, added } of shifts) if (at <= offset) moved += added
  return offset - moved
}
