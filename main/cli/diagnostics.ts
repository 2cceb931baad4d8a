/** Findings of the preflight in the form that editors and terminals make clickable: `file:line:col`. */
import { AppError, ERRORS, type ErrorCode } from '../../shared/errors.ts'
import type { Diagnostic } from '../engine/source/check-script.ts'
import type { Context } from './context.ts'
import { Refused } from './report-error.ts'
import { plural } from './text/amounts.ts'
import type { Ink } from './text/ink.ts'
import { oneLine } from './text/printable.ts'

/** `triage.ts:14:3: error what is wrong [code]`. */
export function findingLine(path: string, { line, column, severity, message, code }: Diagnostic, ink: Ink): string {
  return `${path}:${line}:${column}: ${ink.tone(severity === 'error' ? 'failed' : 'waiting', severity)} ${oneLine(message)} [${code}]`
}

/** In the order of the file. */
export function byPlace(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...diagnostics].sort((a, b) => a.line - b.line || a.column - b.column)
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code)
}

/**
 * Prints what the preflight of a launch found.
 * @throws Refused when one of them is an error: nothing may start then
 */
export function refuseErrors(context: Context, path: string, diagnostics: readonly Diagnostic[]): void {
  const sorted = byPlace(diagnostics)
  for (const diagnostic of sorted) {
    const line = findingLine(path, diagnostic, context.ink.err)
    if (diagnostic.severity === 'error') context.warn(line)
    else context.note(line)
  }
  const first = sorted.find((diagnostic) => diagnostic.severity === 'error')
  if (first === undefined) return
  const errors = sorted.filter((diagnostic) => diagnostic.severity === 'error').length
  context.warn(`reprise: ${plural(errors, 'error')} in ${path}; nothing ran.`)
  const code = isErrorCode(first.code) ? first.code : 'script-syntax'
  throw new Refused(new AppError(code, oneLine(first.message), { line: first.line, column: first.column }))
}
