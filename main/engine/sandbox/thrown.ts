/** What a script threw, in words. A script may throw anything, values whose every property throws again too; this never does. */
import type { ErrorData } from '../../../shared/errors.ts'
import { isHookError } from './hook-error.ts'
import { inChild, type RunningTexts } from './position.ts'
import { lineText } from './short-text.ts'

const NO_TEXT = 'a value that has no text'

/** One line: name and message of an error, the text of anything else. */
export function reasonOf(thrown: unknown): string {
  return attempt(() => (isError(thrown) ? `${thrown.name}: ${thrown.message}` : textOf(thrown))) ?? NO_TEXT
}

/** The error that ends a script, with the place in the file as written; a place in a child stands in the message, with its file. */
export function thrownError(thrown: unknown, texts: RunningTexts): ErrorData {
  if (!isError(thrown)) return { code: 'script-error', message: lineText(`The script threw ${describe(thrown)}`) }
  const error: ErrorData = isHookError(thrown)
    ? { code: thrown.code, message: thrown.message }
    : { code: 'script-error', message: lineText(reasonOf(thrown)) }
  const stack = attempt(() => thrown.stack)
  if (typeof stack !== 'string') return error
  const place = texts.place(stack)
  const told = place !== null && place.child === null ? { line: place.line, column: place.column } : null
  return { ...error, message: `${error.message}${inChild(place)}`, ...told, stack: texts.readable(lineText(stack)) }
}

function isError(thrown: unknown): thrown is Error {
  return attempt(() => thrown instanceof Error) === true
}

/** An object that says nothing of itself is shown by what it holds. */
function textOf(thrown: unknown): string {
  const text = String(thrown)
  return text === '[object Object]' ? (attempt(() => JSON.stringify(thrown)) ?? text) : text
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
