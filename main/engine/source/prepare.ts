/** Makes the one expression that the compartment evaluates: an async function whose body is the script, line for line. */
import type { ExportDefaultDeclaration } from 'acorn'
import type { PreparedScript } from './check-script.ts'
import { isMeta } from './meta.ts'
import { BODY_CLOSING, BODY_OPENING } from './parse.ts'
import type { ScopedScript } from './scopes.ts'
import { passSes } from './ses-pass.ts'
import { SUPPORT_CODE, unusedName } from './support.ts'
import { applyEdits, type Edit, type Shift } from './text-edits.ts'
import { guardUnknownNames } from './unknown-names.ts'

/** For a script without errors. `earlier` are the shifts between the file and the text that was parsed. */
export function prepareScript(script: ScopedScript, file: string, earlier: readonly Shift[]): PreparedScript {
  const support = unusedName(script.text)
  // In this order the brackets of edits at one place close inside out.
  const edits = [...guardUnknownNames(script, support), ...passSes(script, support)]
  const needsSupport = edits.some(({ text }) => text.includes(support))
  for (const statement of script.body) {
    if (isMeta(statement)) edits.push({ start: statement.start, end: statement.start + 'export'.length, text: '      ' })
    if (statement.type === 'ExportDefaultDeclaration') edits.push(...asReturn(script.text, statement))
  }
  const opening = needsSupport ? `((${support}) => ${BODY_OPENING.slice(1)}` : BODY_OPENING
  const closing = needsSupport ? `${BODY_CLOSING}(${SUPPORT_CODE})` : BODY_CLOSING
  edits.unshift({ start: 0, end: 0, text: opening })
  const { text, shifts } = applyEdits(script.text, edits, earlier)
  return { code: text + closing, edits: shifts, file }
}

/** `export default x` becomes `return( x)`; the bracket opens at once, so that a line break after `default` does no harm. */
function asReturn(text: string, { start, end }: ExportDefaultDeclaration): Edit[] {
  const between = /^export(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n\r\u2028\u2029]*)*/.exec(text.slice(start, end))?.[0] ?? 'export'
  const word = start + between.length
  const close = text.charAt(end - 1) === ';' ? end - 1 : end
  return [
    { start, end: start + 'export'.length, text: 'return(' },
    { start: word, end: word + 'default'.length, text: '       ' },
    { start: close, end: close, text: ')' },
  ]
}
