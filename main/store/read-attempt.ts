/** An attempt before the newest one, read as it was when it ended. Nothing can be done to it any more. */
import { AppError } from '../../shared/errors.ts'
import type { JournalRecord } from '../../shared/run/record.ts'
import { reduceAll } from '../../shared/run/reduce.ts'
import type { RunView } from '../../shared/run/view.ts'
import { readEvents } from './event-log.ts'
import type { RunPaths } from './paths.ts'
import type { EndRecord } from './read-journal.ts'
import { readRun } from './read-run.ts'
import { viewOf } from './run-facts.ts'

/** The journal as it stood when `attempt` was the newest one. */
export function recordsUpTo(records: readonly JournalRecord[], attempt: number): readonly JournalRecord[] {
  const next = records.findIndex((record) => record.t === 'attempt' && record.attempt > attempt)
  return next === -1 ? records : records.slice(0, next)
}

/**
 * The view of one attempt; that of the newest is the run's own. `attempts` lists all of them either way.
 * @throws AppError `attempt-unknown`, and what reading the run throws
 */
export function readAttempt(run: RunPaths, attempt: number): RunView {
  const { info, records, view: newest } = readRun(run)
  if (attempt === newest.attempt) return newest
  if (!newest.attempts.some((one) => one.attempt === attempt))
    throw new AppError('attempt-unknown', `This run has no attempt ${attempt}. It has ${newest.attempts.length}.`)
  let story: RunView | null = null
  for (const { events } of readEvents(run.events, 0))
    story = reduceAll(
      story,
      events.filter((event) => event.attempt <= attempt),
    )
  const until = recordsUpTo(records, attempt)
  const end = until.findLast((record): record is EndRecord => record.t === 'end' && record.attempt === attempt) ?? null
  const view = viewOf(story, { info, records: until, badLines: [], attempt, end, owner: 'dead' })
  return { ...view, attempts: newest.attempts, badLines: newest.badLines, allowedActions: [] }
}
