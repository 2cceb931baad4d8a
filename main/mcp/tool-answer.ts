/** What a tool gives back: data for programs and one short text; or a refusal in words that say what to do next, with its code. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import * as z from 'zod'
import { AppError } from '../../shared/errors.ts'
import { oneLine } from '../cli/text/printable.ts'

export function answer(structured: object, text: string): CallToolResult {
  return { structuredContent: { ...structured }, content: [{ type: 'text', text }] }
}

/** A script that can't run: every finding with its place, for whoever mends it. */
export class ScriptRefused extends AppError {
  readonly findings: readonly string[]

  constructor(first: AppError, findings: readonly string[]) {
    super(first.code, first.message, {
      ...(first.line !== undefined && { line: first.line }),
      ...(first.column !== undefined && { column: first.column }),
    })
    this.findings = findings
  }
}

const InFlight = z.array(z.object({ call: z.number(), label: z.string().nullable() }))

/** The words of errors are those of the command line; where they name an option, the tool's own input is named instead. */
function wordsOf(error: AppError): string {
  if (error instanceof ScriptRefused) return [...error.findings, 'Nothing ran. Mend the script and call again.'].join('\n')
  if (error.code === 'internal') return `A fault of Reprise itself: ${oneLine(error.message)}`
  const calls = error.code === 'in-flight' ? InFlight.safeParse(error.data) : null
  if (calls?.success !== true) return error.message
  const named = calls.data.map(({ call, label }) => (label === null ? String(call) : `${call} “${oneLine(label)}”`)).join(', ')
  return `Running when the run was cut off, and maybe done in part: ${named}. Nothing was started. Call again with in_flight “repeat” or “skip”.`
}

function refusal(thrown: unknown): CallToolResult {
  const error = AppError.wrap(thrown)
  const { code, line, column } = error
  const message = wordsOf(error)
  return {
    isError: true,
    content: [{ type: 'text', text: `${message} [${code}]` }],
    _meta: { 'reprise/error': { code, message, ...(line !== undefined && { line }), ...(column !== undefined && { column }) } },
  }
}

/** Makes a tool's work safe to call: whatever it throws becomes an answer. */
export function answering<A extends unknown[]>(work: (...input: A) => Promise<CallToolResult>): (...input: A) => Promise<CallToolResult> {
  return (...input) => work(...input).catch(refusal)
}
