/** How an error ends a command: one line for people, or the document for programs, and the exit code of its row. */
import { AppError, type ErrorData } from '../../shared/errors.ts'
import type { Io } from './io.ts'
import { oneLine } from './text/printable.ts'
import { shellQuote } from './text/shell-quote.ts'

/** An error inside the JSON documents. */
export interface ErrorDocument {
  code: string
  message: string
  line?: number
  column?: number
}

export function errorDocument(error: {
  code: string
  message: string
  line?: number | undefined
  column?: number | undefined
}): ErrorDocument {
  const document: ErrorDocument = { code: error.code, message: error.message }
  if (error.line !== undefined) document.line = error.line
  if (error.column !== undefined) document.column = error.column
  return document
}

function sentence(text: string): string {
  return /[.?:]$/.test(text) ? text : `${text}.`
}

/** The line for people. A bug says that it is one. */
export function errorLine(error: AppError, verbose: boolean): string {
  if (error.code !== 'internal') return `reprise: ${oneLine(error.message)}`
  const details = verbose ? '' : ' Run again with --verbose for the details.'
  return `reprise: this is a fault of Reprise itself: ${sentence(oneLine(error.message))}${details}`
}

/** Prints what was thrown and returns the exit code. */
export function reportError(thrown: unknown, io: Io, how: { forPrograms: boolean; verbose: boolean }): number {
  if (thrown instanceof Refused) {
    if (how.forPrograms) printRefusal(thrown.error, io)
    return 2
  }
  const error = AppError.wrap(thrown)
  io.stderr.write(`${errorLine(error, how.verbose)}\n`)
  if (how.verbose) io.stderr.write(`${stackOf(error)}\n`)
  if (how.forPrograms) printRefusal(error, io)
  return error.row.exit
}

function printRefusal(error: AppError, io: Io): void {
  io.stdout.write(`${JSON.stringify({ status: 'refused', error: errorDocument(error) })}\n`)
}

/** A refusal before anything ran that people have read already: programs still get its document. */
export class Refused extends Error {
  readonly error: AppError

  constructor(error: AppError) {
    super(error.message)
    this.name = 'Refused'
    this.error = error
  }
}

function stackOf(error: AppError): string {
  const cause =
    error.cause instanceof Error && error.cause.stack !== error.stack ? `\ncaused by ${error.cause.stack ?? error.cause.message}` : ''
  return `${error.stack ?? error.message}${cause}`
}

/** The command that an error names next means the project that this one was told of. */
export function sameProject(thrown: unknown, project: string | undefined): unknown {
  if (project === undefined || !(thrown instanceof AppError)) return thrown
  const { message, ...data } = thrown.toData()
  const named = message.replace(/(?<=: )reprise (?!help\b)[a-z]+/g, (command) => `${command} --project ${shellQuote(project)}`)
  if (named === message) return thrown
  const error = AppError.from({ ...data, message: named })
  error.cause = thrown.cause
  return error
}

/** `triage.ts:14:3: what happened`, or only what happened when there is no place. */
export function placed(
  path: string,
  error: Pick<ErrorData, 'message'> & { line?: number | undefined; column?: number | undefined },
): string {
  if (error.line === undefined) return error.message
  return `${path}:${error.line}${error.column === undefined ? '' : `:${error.column}`}: ${error.message}`
}
