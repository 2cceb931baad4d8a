/** What a script threw, in words. A script may throw anything, values whose every property throws again too; this never does. */
import type { ErrorData } from '../../../shared/errors.ts'
import type { PreparedScript } from '../source/check-script.ts'
import { isHookError } from './hook-error.ts'
import { placeOf, readableStack } from './position.ts'

const NO_TEXT = 'a value that has no text'

/** One line: name and message of an error, the text of anything else. */
export function reasonOf(thrown: unknown): string {
  return attempt(() => (isError(thrown) ? `${thrown.name}: ${thrown.message}` : String(thrown))) ?? NO_TEXT
}

/** The error that ends the run, with the place in the file as written. */
export function thrownError(thrown: unknown, script: PreparedScript): ErrorData {
  if (!isError(thrown)) return { code: 'script-error', message: `The script threw ${describe(thrown)}` }
  const error: ErrorData = isHookError(thrown)
    ? { code: thrown.code, message: thrown.message }
    : { code: 'script-error', message: reasonOf(thrown) }
  const stack = attempt(() => thrown.stack)
  if (typeof stack !== 'string') return error
  return { ...error, ...placeOf(stack, script), stack: readableStack(stack, script) }
}

function isError(thrown: unknown): thrown is Error {
  return attempt(() => thrown instanceof Error) === true
}

function describe(thrown: unknown): string {
  if (typeof thrown === 'string') return `"${thrown}"`
  return attempt(() => JSON.stringify(thrown)) ?? attempt(() => String(thrown)) ?? NO_TEXT
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
