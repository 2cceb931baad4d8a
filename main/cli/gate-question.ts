/** A gate put to the person at the terminal: what it shows, what it asks, and the choices, by number or by name. */
import { AppError } from '../../shared/errors.ts'
import type { RunId } from '../../shared/ids.ts'
import type { Json } from '../../shared/json.ts'
import type { CallDetail, GateChoice } from '../service/service.ts'
import type { Context } from './context.ts'
import { oneLine, printable } from './text/printable.ts'

export interface GateFacts {
  question: string
  options: string[]
  /** Text to look at, with the file it comes from and the hash of that; null when the gate shows nothing. */
  shown: { path: string; text: string; sha256: string } | { path: null; text: string } | null
}

/** A file is shown as it is now: a choice counts for the text that was read. */
export function gateFacts({ params, shown, shownNow }: Pick<CallDetail, 'params' | 'shown' | 'shownNow'>): GateFacts {
  const { question, options, show } = isObject(params) ? params : {}
  const texts = Array.isArray(options) ? options.filter((option) => typeof option === 'string') : []
  const file = shown === undefined ? null : { ...shown, ...shownNow }
  const text = file ?? (typeof show === 'string' ? { path: null, text: show } : null)
  return { question: typeof question === 'string' ? question : '', options: texts, shown: text }
}

/** Asks until one of the choices is given. Null when there is no answer to come. */
export async function askGate(context: Context, facts: GateFacts): Promise<Omit<GateChoice, 'by'> | null> {
  const { question, options, shown } = facts
  const seen = shown === null || shown.path === null ? {} : { seen: shown.sha256 }
  if (shown !== null) context.warn(`${shown.path === null ? '' : `${oneLine(shown.path)}\n`}${printable(shown.text)}\n`)
  context.warn(context.ink.err.bold(printable(question)))
  options.forEach((option, i) => {
    context.warn(`  ${i + 1}  ${oneLine(option)}`)
  })
  for (;;) {
    const answer = await context.asker.ask('Your choice (number or name, Enter to leave it open): ')
    if (answer === '') return null
    const choice = options[Number(answer) - 1] ?? options.find((option) => option.toLowerCase() === answer)
    if (choice === undefined) continue
    const note = await context.asker.ask('A note for the script (Enter for none): ', 'as-typed')
    return { choice, ...(note !== '' && { note }), ...seen }
  }
}

/** Asks in place while a run is followed, and hands the choice over. Says so when somebody else was faster, and asks again when the text changed. */
export async function answerGate(context: Context, runId: RunId, callId: number): Promise<void> {
  const service = await context.service()
  const project = await context.project()
  for (;;) {
    const facts = gateFacts(await service.call(project, runId, callId))
    const given = await askGate(context, facts)
    if (given === null) {
      context.warn(`The gate stays open. Decide it from another terminal: ${context.hint(['approve', runId, String(callId)])}`)
      return
    }
    try {
      const outcome = await service.decide(project, runId, callId, { ...given, by: 'terminal' })
      if (outcome === 'already-decided') context.warn('Somebody else has decided this gate already; that decision stands.')
      return
    } catch (error) {
      const { code, message } = AppError.wrap(error)
      if (code !== 'gate-stale') throw error
      context.warn(`${message} Here is the new text.`)
    }
  }
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
