/** Errors that hooks raise in the script: real `Error`s with a code, whose stack starts at the line that called the hook. */
import type { ErrorCode, ErrorData } from '../../../shared/errors.ts'

export interface HookError extends Error {
  code: ErrorCode
}

/** Ours are known by identity: a script's own error may carry any `code`. */
const raised = new WeakSet<object>()

/** `caller` is the hook function: frames above it are ours and are left out of the stack. */
export function hookError(
  code: ErrorCode,
  message: string,
  caller: (...args: never[]) => unknown,
  Base: ErrorConstructor | TypeErrorConstructor | RangeErrorConstructor = Error,
): HookError {
  const error = new Base(message)
  Error.captureStackTrace(error, caller)
  raised.add(error)
  return Object.assign(error, { code })
}

/** The error of a hook that failed long after its call: it stands at the line of that call, of which `site` is the stack. */
export function lateHookError(code: ErrorCode, message: string, site: string | undefined, cause?: unknown): HookError {
  const error = new Error(message, cause === undefined ? undefined : { cause })
  error.stack = [`Error: ${message}`, ...(site ?? '').split('\n').filter((line) => /^ +at /.test(line))].join('\n')
  raised.add(error)
  return Object.assign(error, { code })
}

export function isHookError(thrown: unknown): thrown is HookError {
  return typeof thrown === 'object' && thrown !== null && raised.has(thrown)
}

/** The error that a halted run's hooks reject with: the same data, at the line of this hook. */
export function haltError(data: ErrorData, caller: (...args: never[]) => unknown): HookError {
  return hookError(data.code, data.message, caller)
}
