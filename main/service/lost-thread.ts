/**
 * A run whose thread died while this process lives on: nobody works on it, and yet its owner looks alive. It is taken over
 * and closed, so that it can be resumed at once and not only after the app was quit.
 */
import type { AppError } from '../../shared/errors.ts'
import type { RunId } from '../../shared/ids.ts'
import type { RunView } from '../../shared/run/view.ts'
import { currentOwner } from '../store/owner.ts'
import { openStore } from '../store/run-store.ts'
import { shortAttempt } from './short-attempt.ts'

/**
 * @param error what became of the thread
 * @returns the run as it stands then; null when somebody else has it
 * @throws AppError when the run can't be read or written
 */
export async function closeLostRun(project: string, runId: RunId, error: AppError): Promise<RunView | null> {
  const store = openStore(project)
  const read = await store.read(runId)
  if (!read.ownerAlive) return read.view // it had come to its end
  const { pid, startTime } = currentOwner()
  if (read.owner.pid !== pid || read.owner.startTime !== startTime) return null
  const isClosed = await shortAttempt(store, read, { status: 'failed', error: error.toData() }, () => ({ records: [], events: [] }), {
    takeOver: true,
  })
  return isClosed ? (await store.read(runId)).view : null
}
