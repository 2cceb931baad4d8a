/**
 * Turns a method and its handler into the one function that answers the page: who asks, what is asked and what is answered are
 * all checked, and whatever happens comes back as a Result. Knows nothing of Electron, so it is tested without.
 */
import type * as z from 'zod'
import type { MethodName, Methods } from '../../shared/contract/bridge.ts'
import type { Method } from '../../shared/contract/method.ts'
import { AppError } from '../../shared/errors.ts'
import type { Result } from '../../shared/result.ts'

/** The part of an IPC event that tells who asks. `senderFrame` is null when the frame is gone. */
export interface Asker {
  readonly senderFrame: { readonly url: string; readonly parent: unknown } | null
}

/** What a handler gets (parsed) and may return (parsed again before it leaves). */
export type Handler<M extends Method> = (input: z.output<M['input']>) => z.input<M['output']> | Promise<z.input<M['output']>>
export type Handlers = { readonly [N in MethodName]: Handler<Methods[N]> }

/**
 * Only the top frame of the app's own page may ask.
 * @param pageUrl the beginning of the page's address, with its closing slash
 */
export function isOurPage(asker: Asker, pageUrl: string): boolean {
  const frame = asker.senderFrame
  return frame !== null && frame.parent === null && frame.url.startsWith(pageUrl)
}

/** @param trusts says whether this asker may ask at all; nothing of its message is looked at before. */
export function validated<M extends Method>(
  method: M,
  handler: Handler<M>,
  trusts: (asker: Asker) => boolean,
): (asker: Asker, input: unknown) => Promise<Result<z.output<M['output']>>> {
  return async (asker, raw) => {
    try {
      if (!trusts(asker))
        throw new AppError('internal', `${method.name} was asked by something that is not the app's page. It was not answered.`)
      const input = parse(method.input, raw, `${method.name} was asked with something else than it takes`)
      const output = await handler(input as z.output<M['input']>)
      return { ok: true, value: parse(method.output, output, `${method.name} has no valid answer`) as z.output<M['output']> }
    } catch (thrown) {
      return { ok: false, error: AppError.wrap(thrown).toData() }
    }
  }
}

function parse<S extends z.ZodType>(schema: S, value: unknown, what: string): z.output<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`
  throw new AppError('internal', `${what}${where}: ${issue?.message ?? 'unreadable'}`)
}
