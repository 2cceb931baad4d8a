/** Stops or pauses a run for the person who asked, whoever owns it. */
import { ulid } from 'ulid'
import type { RunId } from '../../shared/ids.ts'
import { NO_COUNTS } from '../../shared/run/reduce.ts'
import { VERSION } from '../../shared/version.ts'
import { EventStream } from '../engine/event-stream.ts'
import type { RunRead } from '../engine/ports.ts'
import { currentOwner } from '../store/owner.ts'
import { type LocalRunStore, openStore } from '../store/run-store.ts'
import type { LiveRun, StopOutcome } from './service.ts'

/** How long the owner of a run is given to answer. */
const ANSWER_MS = 5000

export async function stopRun(project: string, runId: RunId, own: LiveRun | undefined): Promise<StopOutcome> {
  if (own !== undefined) {
    own.stop('keep')
    await own.done
    return 'accepted'
  }
  const store = openStore(project)
  const read = await store.read(runId)
  if (read.view.endedAt !== null && read.view.status !== 'interrupted') return 'ended'
  return read.ownerAlive ? tell(store, runId, 'stop') : stopWithoutOwner(store, read)
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

/** A run that nobody is at work on is stopped by a short attempt that holds only the decision. */
async function stopWithoutOwner(store: LocalRunStore, read: RunRead): Promise<StopOutcome> {
  const { info, view } = read
  const text = await store.source(info.runId, view.script, info.source.ext)
  const run = await store.open(info.runId, {
    owner: currentOwner(),
    script: { sha256: view.script, text, ext: info.source.ext },
    ...(info.args !== undefined && { args: info.args }),
    engine: VERSION,
    policy: 'content',
    backend: view.backend,
  })
  if ('heldBy' in run) return 'no-answer'
  const stream = new EventStream({
    runId: info.runId,
    attempt: run.attempt,
    earlier: view,
    now: Date.now,
    publish: (events, next) => run.publish(events, next),
  })
  await run.append([{ t: 'end', attempt: run.attempt, end: { status: 'killed' }, counts: NO_COUNTS }])
  stream.emit({ type: 'run.ended', status: 'killed', reason: null, resetAt: null, error: null, counts: view.counts, value: null })
  stream.flush()
  await run.release(stream.view)
  return 'accepted'
}
