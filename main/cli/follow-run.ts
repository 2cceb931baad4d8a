/** Starts a run or the next attempt of one, shows it to its end, prints what came out. Ctrl-C once stops it and keeps the results. */
import { AppError } from '../../shared/errors.ts'
import type { Json } from '../../shared/json.ts'
import { runState, STATUS } from '../../shared/run/status.ts'
import type { RunView } from '../../shared/run/view.ts'
import type { LiveRun } from '../service/service.ts'
import type { Context } from './context.ts'
import { answerGate } from './gate-question.ts'
import { nextStep } from './next-step.ts'
import { answerHint, answerInPlace } from './permission-question.ts'
import { createProgress, type Progress } from './progress/progress.ts'
import { createTally, type Tally } from './progress/tally.ts'
import { errorDocument, placed, reportError } from './report-error.ts'
import { exitCode, type RunDocument, runDocument } from './run-document.ts'
import { runSentence } from './run-sentence.ts'
import { shownPath } from './shown-path.ts'
import { printable } from './text/printable.ts'

export interface FollowOptions {
  /** Says how it ended, and gives the exit code. */
  finish?(context: Context, view: RunView): Promise<number>
  /** Put what the run asks to the person at the terminal. */
  asks?: boolean
}

/**
 * @param start makes the run; what it throws comes out unchanged, since nothing has happened then
 * @returns the exit code
 */
export async function followRun(
  context: Context,
  start: () => Promise<LiveRun>,
  { finish = finishRun, asks = context.canAsk }: FollowOptions = {},
): Promise<number> {
  const stopper = listenForStop(context)
  try {
    const live = await start()
    if (live.existed) context.note(`This request already made run #${live.number}; nothing was started.`)
    const tally = createTally()
    const progress = createProgress(context, tally)
    const questions = questionsInPlace(context, progress)
    const unsubscribe = live.onEvent((event) => {
      if (context.globals.events) context.document(event)
      progress.event(event)
      if (event.type === 'gate.opened' && asks) questions.put(() => answerGate(context, live.runId, event.callId))
      if (event.type === 'permission.asked') {
        if (asks) questions.put(() => answerInPlace(context, live.runId, event))
        else progress.line(`  Answer within ten minutes, with allow or deny: ${answerHint(context, live.runId, event.callId)}`)
      }
    })
    stopper.attach(live, progress)
    let view: RunView
    try {
      view = await live.done
    } catch (thrown) {
      return broken(context, live, tally.now, thrown)
    } finally {
      unsubscribe()
      progress.end()
    }
    return await finish(context, view)
  } finally {
    stopper.release()
  }
}

/** Puts gates and permissions to the person at the terminal, one after the other; the run waits for them, not for the terminal. */
function questionsInPlace(context: Context, progress: Progress) {
  let asking = Promise.resolve()
  const one = async (question: () => Promise<void>): Promise<void> => {
    progress.hold(true)
    await question().catch((thrown: unknown) => context.warn(AppError.wrap(thrown).message))
    progress.hold(false)
  }
  return {
    put(question: () => Promise<void>) {
      asking = asking.then(() => one(question))
    },
  }
}

/** Presses count from before the run exists, so that none falls into the gap while it starts. */
function listenForStop(context: Context) {
  let presses = 0
  let target: { live: LiveRun; progress: Progress } | null = null
  const act = () => {
    if (target === null || presses === 0) return
    target.live.stop(presses === 1 ? 'keep' : 'now')
    const words = presses === 1 ? 'Stopping. Finished results are kept. Ctrl-C again ends everything at once.' : 'Stopping at once.'
    if (presses <= 2) target.progress.line(words)
  }
  const release = context.io.onInterrupt(() => {
    presses += 1
    act()
  })
  return {
    attach(live: LiveRun, progress: Progress) {
      target = { live, progress }
      act()
    },
    release,
  }
}

async function finishRun(context: Context, view: RunView): Promise<number> {
  const service = await context.service()
  const value = view.value === null ? undefined : await service.value(await context.project(), view)
  if (context.forPrograms) context.document(runDocument(view, value))
  sayEnd(context, view)
  if (!context.forPrograms && value !== undefined) context.answer(valueText(context, value))
  return exitCode(view)
}

/** Text as it is, everything else as JSON to read. Only a terminal needs protection from what an agent wrote. */
function valueText(context: Context, value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return context.io.isTty.stdout ? printable(text) : text
}

function sayEnd(context: Context, view: RunView): void {
  const say = view.status === 'completed' && view.counts.dead === 0 ? context.note : context.warn
  const { tone } = runState(view)
  const sentence = context.ink.err.tone(tone, `${STATUS[tone].glyph} ${runSentence(view, Date.now())}`)
  const next = nextStep(view, context)
  if (view.error !== null) {
    context.warn(printable(placed(shownPath(view.path, context.io.cwd), view.error)))
    if (context.globals.verbose && view.error.stack !== undefined) context.warn(printable(view.error.stack))
  }
  say(sentence)
  if (next !== null) say(`${next.label}: ${next.command}`)
  // Without --quiet the log has said so at the start.
  if (context.globals.quiet && view.badLines.length > 0) {
    const lines = view.badLines.map((bad) => bad.line).join(', ')
    context.warn(`Unreadable lines in the journal: ${lines}. Their results are lost, all others are safe.`)
  }
}

/** The run could not be brought to an end of its own: the disk, another owner, or a fault of ours. */
function broken(context: Context, live: LiveRun, tally: Tally, thrown: unknown): number {
  const error = AppError.wrap(thrown)
  reportError(error, context.io, { forPrograms: false, verbose: context.globals.verbose })
  if (context.forPrograms) {
    const document: RunDocument = {
      runId: live.runId,
      number: live.number,
      status: 'failed',
      attempt: tally.attempt,
      counts: tally.counts,
      returnValue: null,
      error: errorDocument(error),
      tokens: tally.outputTokens,
    }
    context.document(document)
  }
  context.warn(`What was saved is safe. Look: ${context.hint(['show', live.runId])}`)
  return 1
}
