/** Stops or pauses a run for the person who asked, whoever owns it. */
import { setTimeout as pause } from 'node:timers/promises'
import { ulid } from 'ulid'
import type { RunId } from '../../shared/ids.ts'
import { type LocalRunStore, openStore } from '../store/run-store.ts'
import type { LiveRun, StopOutcome } from './service.ts'
import { shortAttempt } from './short-attempt.ts'

/** How long the owner of a run is given to answer. */
const ANSWER_MS = 5000
/** Cancelled calls may take some seconds to be gone. */
const END_MS = 10_000

export async function stopRun(project: string, runId: RunId, own: LiveRun | undefined): Promise<StopOutcome> {
  if (own !== undefined) {
    own.stop('keep')
    // On a full disk its end waits for room.
    await Promise.race([own.done, pause(END_MS, undefined, { ref: false })])
    return 'accepted'
  }
  const store = openStore(project)
  const read = await store.read(runId)
  const { status, endedAt } = read.view
  // A run that its owner left at a gate or a long wait has not come to its end.
  if (endedAt !== null && status !== 'interrupted' && status !== 'waiting') return 'ended'
  if (read.ownerAlive) return tell(store, runId, 'stop')
  const isWritten = await shortAttempt(store, read, { status: 'killed' }, () => ({ records: [], events: [] }))
  return isWritten ? 'accepted' : 'no-answer'
}

export async function pauseRun(project: string, runId: RunId, own: LiveRun | undefined): Promise<StopOutcome> {
  if (own !== undefined) {
    own.pause()
    return 'accepted'
  }
  const store = openStore(project)
  const read = await store.read(runId)
  return read.ownerAlive ? tell(store, runId, 'pause') : 'ended'
}

/** Leaves the wish with the process that owns the run, and waits for its answer. */
async function tell(store: LocalRunStore, runId: RunId, kind: 'stop' | 'pause'): Promise<StopOutcome> {
  const outcome = await store.inbox.post(runId, { id: ulid(), by: 'person', body: { kind } }, ANSWER_MS)
  if (outcome === 'no-answer') return 'no-answer'
  return outcome === 'ended' || outcome === 'stale' ? 'ended' : 'accepted'
}
