/**
 * A run whose thread died while this process lives on: nobody works on it, and yet its owner looks alive. It is taken over
 * and closed, so that it can be resumed at once and not only after the app was quit.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../../shared/errors.ts'
import { RunId } from '../../shared/ids.ts'
import type { End } from '../../shared/run/record.ts'
import type { RunView } from '../../shared/run/view.ts'
import { isHold } from '../engine/held-journal.ts'
import { currentOwner } from '../store/owner.ts'
import { openStore } from '../store/run-store.ts'
import { shortAttempt } from './short-attempt.ts'

/** How often the end is tried again while the disk is full or closed to us. */
const RETRY_MS = 2000

/**
 * On a full disk it waits for room.
 * @param end how the run is closed
 * @param hurry the process is about to go and waits for nothing: the next look at the run finds its owner dead
 * @returns the run as it stands then; null when somebody else has it
 * @throws AppError when the run can't be read or written
 */
export async function closeLostRun(project: string, runId: RunId, end: () => End, hurry: AbortSignal): Promise<RunView | null> {
  for (;;) {
    try {
      return await close(project, runId, end())
    } catch (thrown) {
      if (hurry.aborted || !isHold(AppError.wrap(thrown))) throw thrown
    }
    await pause(RETRY_MS, undefined, { signal: hurry }).catch(() => undefined)
  }
}

/**
 * Closes every run of a project that this process owns and no thread of it works on any more.
 * @throws AppError when the project's runs can't be read
 */
export async function closeLostRuns(project: string, error: AppError): Promise<void> {
  const store = openStore(project)
  const { runs } = await store.list({ status: ['queued', 'running', 'waiting'], limit: Number.MAX_SAFE_INTEGER })
  const end = (): End => ({ status: 'failed', error: error.toData() })
  await Promise.allSettled(runs.map(({ runId }) => closeLostRun(project, RunId.parse(runId), end, new AbortController().signal)))
}

async function close(project: string, runId: RunId, end: End): Promise<RunView | null> {
  const store = openStore(project)
  const read = await store.read(runId)
  if (!read.ownerAlive) return read.view // it had come to its end
  const { pid, startTime } = currentOwner()
  if (read.owner.pid !== pid || read.owner.startTime !== startTime) return null
  const isClosed = await shortAttempt(store, read, end, () => ({ records: [], events: [] }), { takeOver: true })
  return isClosed ? (await store.read(runId)).view : null
}
