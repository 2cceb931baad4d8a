/** Rewrites each `enum` as the object it stands for, every member on its own line. */
import ts from 'typescript'
import type { Edit } from './text-edits.ts'

/** Told of members that have no value TypeScript would accept. */
export type Refuse = (node: ts.Node, message: string) => void

export function enumsOf(file: ts.SourceFile): ts.EnumDeclaration[] {
  const found: ts.EnumDeclaration[] = []
  const visit = (node: ts.Node): void => {
    // What is only declared vanishes whole.
    if (ts.canHaveModifiers(node) && isDeclared(node)) return
    if (ts.isEnumDeclaration(node)) found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

export function isDeclared(node: ts.HasModifiers): boolean {
  return (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword)
}

/** Edits for one enum: `enum E { A, B = 2 }` → `var E;(function(E){E[E["A"]=0]="A",…})(E||(E={}));`. */
export function rewriteEnum(file: ts.SourceFile, node: ts.EnumDeclaration, refuse: Refuse): Edit[] {
  const name = node.name.text
  const siblings = node.parent && 'statements' in node.parent ? (node.parent.statements as ts.NodeArray<ts.Statement>) : []
  const parts = [...siblings].filter((other): other is ts.EnumDeclaration => ts.isEnumDeclaration(other) && other.name.text === name)
  const members = new Set(parts.flatMap((part) => part.members.map(memberName)))
  const edits: Edit[] = []

  for (const modifier of node.modifiers ?? []) {
    if (modifier.kind === ts.SyntaxKind.ConstKeyword) edits.push(blank(modifier.getStart(file), modifier.end))
  }
  const keyword = skipComments(file.text, node.modifiers?.end ?? node.getStart(file))
  const holder = node.parent.parent
  const isInFunction = ts.isSourceFile(node.parent) || (holder !== undefined && ts.isFunctionLike(holder))
  // A later part of a merged enum adds to the object that the first one made.
  const declared = parts[0] === node || parts.length === 0 ? (isInFunction ? 'var ' : 'let ') : '    '
  edits.push({ start: keyword, end: keyword + 4, text: declared })
  const brace = file.text.indexOf('{', skipComments(file.text, node.name.end))
  const later = declared === '    '
  if (later) edits.push(blank(node.name.getStart(file), node.name.end))
  edits.push({ start: brace, end: brace + 1, text: `;(function(${name}){` })

  let previous: ts.EnumMember | null = null
  for (const member of node.members) {
    edits.push(...rewriteMember(file, name, member, previous, members, refuse))
    previous = member
  }
  if (node.members.hasTrailingComma) edits.push(blank(node.members.end - 1, node.members.end))
  edits.push({ start: node.end - 1, end: node.end, text: `})(${name}||(${name}={}));` })
  return edits
}

function rewriteMember(
  file: ts.SourceFile,
  owner: string,
  member: ts.EnumMember,
  previous: ts.EnumMember | null,
  members: ReadonlySet<string | null>,
  refuse: Refuse,
): Edit[] {
  const name = memberName(member)
  if (name === null) {
    refuse(member.name, 'An enum member needs a plain name. Write an object: `const E = { … } as const`.')
    return []
  }
  const key = JSON.stringify(name)
  const at = { start: member.name.getStart(file), end: member.name.end }
  if (member.initializer === undefined) {
    if (previous?.initializer !== undefined && ts.isStringLiteralLike(previous.initializer))
      refuse(member, `\`${name}\` follows a text and needs a value of its own: \`${name} = …\`.`)
    const before = previous === null ? null : JSON.stringify(memberName(previous) ?? '')
    return [{ ...at, text: `${owner}[${owner}[${key}]=${before === null ? '0' : `${owner}[${before}]+1`}]=${key}` }]
  }
  const edits: Edit[] = [{ ...at, text: `${owner}[${key}]` }, ...qualified(file, owner, member.initializer, members, refuse)]
  const end = member.initializer.end
  // Numbers, and only they, can be looked up the other way round.
  if (!ts.isStringLiteralLike(member.initializer))
    edits.push({ start: end, end, text: `,typeof ${owner}[${key}]==="number"&&(${owner}[${owner}[${key}]]=${key})` })
  return edits
}

/** Members that an initialiser names bare (`Both = Read | Write`), reached through the enum. */
function qualified(file: ts.SourceFile, owner: string, root: ts.Node, members: ReadonlySet<string | null>, refuse: Refuse): Edit[] {
  const edits: Edit[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node) || ts.isObjectLiteralExpression(node)) {
      refuse(node, 'The value of an enum member must be a number, a text or a sum of them. Compute it in a `const` before the enum.')
      return
    }
    if (ts.isTypeNode(node)) return
    if (ts.isIdentifier(node) && members.has(node.text) && !(ts.isPropertyAccessExpression(node.parent) && node.parent.name === node)) {
      const start = node.getStart(file)
      edits.push({ start, end: start, text: `${owner}.` })
    }
    ts.forEachChild(node, visit)
  }
  visit(root)
  return edits
}

function memberName({ name }: ts.EnumMember): string | null {
  if (ts.isIdentifier(name) || ts.isStringLiteralLike(name)) return name.text
  if (ts.isComputedPropertyName(name) && ts.isStringLiteralLike(name.expression)) return name.expression.text
  return null
}

const blank = (start: number, end: number): Edit => ({ start, end, text: ' '.repeat(end - start) })

function skipComments(text: string, from: number): number {
  return from + (/^(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n\r\u2028\u2029]*)*/.exec(text.slice(from))?.[0].length ?? 0)
}
