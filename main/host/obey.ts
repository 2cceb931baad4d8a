/** Carries out the commands that other processes left for a run, in their order. */
import { assertNever } from '../../shared/assert-never.ts'
import type { RunId } from '../../shared/ids.ts'
import type { Attempt, Told } from '../engine/attempt.ts'
import type { CommandEntry, RunInbox } from '../engine/ports.ts'

/**
 * Obeys until the signal. No answer is waited for before the next command: while a full disk holds an answer back, the stop that
 * comes after it still gets through.
 */
export async function obey(inbox: RunInbox, runId: RunId, attempt: Attempt, signal: AbortSignal): Promise<void> {
  for await (const entry of inbox.take(runId, signal)) {
    const { outcome, saved } = await apply(entry, attempt)
    const answered = saved === null ? attempt.answered(entry.id, outcome) : saved.then(() => attempt.answered(entry.id, outcome))
    // An attempt that is over answers nobody any more; who asked sees its end.
    void answered.then(entry.done, () => undefined)
    end(entry, attempt)
  }
}

/** What a command does here; what ends the attempt is carried out once its outcome is on its way to the journal. */
async function apply({ body: command, by }: CommandEntry, attempt: Attempt): Promise<Told> {
  switch (command.kind) {
    case 'stop':
    case 'pause':
      return done(true)
    case 'skip':
      return done(attempt.skip(command.call))
    case 'retry':
      return done(attempt.retry(command.call))
    case 'decide':
      return attempt.decide(command.call, { ...command, by })
    case 'answer':
      return done(attempt.answer(command.question, command.answer, by))
    default:
      return assertNever(command)
  }
}

function done(wasDone: boolean): Told {
  return { outcome: wasDone ? 'accepted' : 'stale', saved: null }
}

function end({ body: { kind } }: CommandEntry, attempt: Attempt): void {
  if (kind === 'stop') attempt.stop('keep')
  if (kind === 'pause') attempt.pause()
}
