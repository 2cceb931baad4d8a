/**
 * Workflows that a script calls. A child is no unit of replay: its opening is a call like any other, and when that is
 * delivered its body runs in a compartment of its own, against the same scheduler. What a child leaves behind when its body
 * has settled, such as an agent it did not wait for, goes on as long as the run's own script does.
 */
import type { ErrorData } from '../../../shared/errors.ts'
import type { Json } from '../../../shared/json.ts'
import type { ChildReference } from '../ports.ts'
import { jsonCopy } from './copies.ts'
import { hookError, lateHookError } from './hook-error.ts'
import type { RunningTexts } from './position.ts'
import type { FromScript, OpenedChild } from './protocol.ts'
import { returned } from './return-value.ts'
import { thrownError } from './thrown.ts'

/** What an `open-child` call asks for; its fingerprint is taken of all of it. */
export type ChildRequest = ChildReference & { args?: Json }

/** A child whose text has arrived. */
export interface ChildStart {
  /** Number of the call that opened it. */
  call: number
  label: string
  request: ChildRequest
  /** Stack of the call. */
  site: string | undefined
  resolve(value: Json): void
  reject(error: Error): void
}

export interface ChildrenOptions {
  texts: RunningTexts
  evaluate(code: string, globals: Record<string, unknown>, sourceUrl: string): () => Promise<unknown>
  /** The globals of a child, `args` apart. */
  globalsOf(child: { call: number; label: string }): Record<string, unknown>
  post(message: FromScript): void
  /** Why every hook rejects now; null while the run goes on. */
  halted(): ErrorData | null
}

export class Children {
  readonly #options: ChildrenOptions

  constructor(options: ChildrenOptions) {
    this.#options = options
  }

  /** Runs a child from its first line. Called when its opening is delivered, so that it starts at the same point on replay. */
  start(opened: OpenedChild, child: ChildStart): void {
    const { texts, evaluate, globalsOf } = this.#options
    const { call, label, request, site } = child
    if ('refused' in opened) {
      const { code, message } = opened.refused
      return child.reject(lateHookError(code, `The workflow “${label}” can't be opened: ${message}`, site))
    }
    const fail = (thrown: unknown): void => this.#fail(child, thrownError(thrown, texts), thrown)
    try {
      const args = request.args === undefined ? undefined : (JSON.parse(JSON.stringify(request.args)) as Json)
      const body = evaluate(opened.script.code, { ...globalsOf({ call, label }), args }, texts.add(call, opened.script))
      body().then((value) => this.#end(child, value), fail)
    } catch (thrown) {
      fail(thrown)
    }
  }

  #end(child: ChildStart, value: unknown): void {
    const outcome = returned(value)
    if (!outcome.ok) return this.#fail(child, outcome.error)
    this.#options.post({ t: 'child-ended', child: child.call })
    child.resolve(outcome.value)
  }

  /** The end of the run passes through as it is; anything else is named as the child's. */
  #fail(child: ChildStart, error: ErrorData, cause?: unknown): void {
    this.#options.post({ t: 'child-ended', child: child.call })
    const halted = this.#options.halted()
    if (halted !== null && halted.code === error.code) return child.reject(lateHookError(halted.code, halted.message, child.site))
    child.reject(lateHookError(error.code, `The workflow “${child.label}” failed: ${error.message}`, child.site, cause))
  }
}

/**
 * What `workflow(reference, args)` asks for, as a private copy.
 * @throws HookError `bad-call`, or `unserialisable` for args that are no JSON
 */
export function childRequest(reference: unknown, args: unknown, caller: (...args: never[]) => unknown): ChildRequest {
  const named = referenceOf(reference)
  if (named === null) {
    throw hookError('bad-call', "workflow() wants a name or { scriptPath: 'file.js' }", caller, TypeError)
  }
  const copy = jsonCopy(args, 'the input given to workflow()', caller)
  return copy === undefined ? named : { ...named, args: copy }
}

function referenceOf(reference: unknown): ChildReference | null {
  if (typeof reference === 'string' && reference !== '') return { name: reference }
  if (typeof reference !== 'object' || reference === null) return null
  const { scriptPath } = reference as { scriptPath?: unknown }
  return typeof scriptPath === 'string' && scriptPath !== '' ? { scriptPath } : null
}

/** What a child is called in lists and before its phases: its name, or its file's. */
export function childLabel(reference: ChildReference): string {
  if ('name' in reference) return reference.name
  const file = reference.scriptPath.split(/[/\\]/).at(-1) ?? ''
  return file.replace(/(?:\.workflow)?\.(?:ts|js|mjs)$/, '') || reference.scriptPath
}
