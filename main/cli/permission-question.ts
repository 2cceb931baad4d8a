/** A permission that an agent asks for: which one a person means, and the question put to them at the terminal. */
import { AppError } from '../../shared/errors.ts'
import type { RunId } from '../../shared/ids.ts'
import type { CallView, OpenQuestion, RunView } from '../../shared/run/view.ts'
import type { PermissionAnswer } from '../engine/ports.ts'
import { callNumber } from './call-reference.ts'
import type { Context } from './context.ts'
import { oneLine, printable } from './text/printable.ts'

export interface Asked {
  call: CallView
  question: OpenQuestion
}

export function openQuestions(view: RunView): Asked[] {
  return view.calls.flatMap((call) => (call.questions ?? []).map((question) => ({ call, question })))
}

/**
 * The question that a person means: by its own name, by the call that asks it, or the only one that is open.
 * @throws AppError `question-closed` when it is not open, `usage` when it could be more than one
 */
export function questionOf(view: RunView, reference: string | null): Asked {
  const open = openQuestions(view)
  const named = open.find(({ question }) => question.question === reference)
  if (named !== undefined) return named
  const callId = reference === null ? null : callNumber(view, reference)
  const fits = callId === null ? open : open.filter(({ call }) => call.callId === callId)
  const [only] = fits
  if (only !== undefined && fits.length === 1) return only
  if (only === undefined) {
    const where = reference === null ? `Run #${view.number}` : `That call of run #${view.number}`
    throw new AppError('question-closed', `${where} asks nothing just now. Look: reprise show ${view.runId}`)
  }
  const names = fits.map(({ call, question }) => `${question.question} (call ${call.callId}: ${oneLine(question.title)})`).join(', ')
  throw new AppError(
    'usage',
    `${fits.length} questions are open: ${names}. Name one: reprise answer ${view.runId} ${only.question.question} allow`,
  )
}

/** Asks in place while a run is followed, and hands the answer over. Says so when the question was closed meanwhile. */
export async function answerInPlace(
  context: Context,
  runId: RunId,
  asked: { callId: number; question: string; tool: string; title: string },
): Promise<void> {
  context.warn(context.ink.err.bold(printable(`Call ${asked.callId} wants to use ${asked.tool}: ${asked.title}`)))
  const answer = await yesOrNo(context)
  if (answer === null) {
    context.warn(
      `The question stays open. Answer it from another terminal, with allow, always or deny: ${answerHint(context, runId, asked.callId)}`,
    )
    return
  }
  const service = await context.service()
  const outcome = await service.answer(await context.project(), runId, asked.question, answer, 'terminal')
  if (outcome !== 'accepted') context.warn('That question was closed already; your answer changed nothing.')
}

async function yesOrNo(context: Context): Promise<PermissionAnswer | null> {
  for (;;) {
    const answer = await context.asker.ask('Allow it? [y = this once, a = always, n = no, Enter to leave it open] ')
    if (answer === '') return null
    if ('yes'.startsWith(answer) || answer === 'allow') return 'allow-once'
    if ('always'.startsWith(answer)) return 'allow-always'
    if ('no'.startsWith(answer) || 'deny'.startsWith(answer)) return 'deny'
  }
}

export function answerHint(context: Pick<Context, 'hint'>, runId: string, callId: number): string {
  return context.hint(['answer', runId, String(callId), 'allow'])
}
