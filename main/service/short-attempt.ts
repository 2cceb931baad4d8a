/**
 * An attempt that only holds a person's word on a run that nobody is at work on: it starts nothing, and its end says how the
 * run stands from then on.
 */
import type { NewEvent } from '../../shared/run/events.ts'
import type { End, NewRecord, WaitReason } from '../../shared/run/record.ts'
import { NO_COUNTS } from '../../shared/run/reduce.ts'
import { VERSION } from '../../shared/version.ts'
import { EventStream } from '../engine/event-stream.ts'
import type { RunRead } from '../engine/ports.ts'
import { currentOwner } from '../store/owner.ts'
import type { LocalRunStore, OpenOptions } from '../store/run-store.ts'

/** What the attempt holds before its end. */
export type Word = (attempt: number) => { records: NewRecord[]; events: NewEvent[] }

/** Writes it. False when somebody took the run in the same moment: then nothing was written. */
export async function shortAttempt(store: LocalRunStore, read: RunRead, end: End, word: Word, options: OpenOptions = {}): Promise<boolean> {
  const { info, view } = read
  const text = await store.source(info.runId, view.script, info.source.ext)
  const last = read.records.findLast((record) => record.t === 'attempt')
  const args = last === undefined ? info.args : last.args
  const run = await store.open(
    info.runId,
    {
      owner: currentOwner(),
      script: { sha256: view.script, text, ext: info.source.ext },
      ...(args !== undefined && { args }),
      engine: VERSION,
      policy: 'content',
      backend: view.backend,
      ...(last?.choices !== undefined && { choices: last.choices }),
    },
    options,
  )
  if ('heldBy' in run) return false
  const stream = new EventStream({
    runId: info.runId,
    attempt: run.attempt,
    earlier: view,
    now: Date.now,
    publish: (events, next) => run.publish(events, next),
  })
  const { records, events } = word(run.attempt)
  await run.append([...records, { t: 'end', attempt: run.attempt, end, counts: NO_COUNTS }])
  const reason = end.status === 'paused' || end.status === 'waiting' ? end.reason : null
  const resetAt = end.status === 'paused' ? (end.resetAt ?? null) : null
  for (const event of events) stream.emit(event)
  const error = end.status === 'failed' ? end.error : null
  stream.emit({ type: 'run.ended', status: end.status, reason, resetAt, error, counts: view.counts, value: null })
  stream.flush()
  await run.release(stream.view)
  return true
}

/** The run stands as it stood; one that was cut off waits from now on. */
export function standing({ records }: RunRead, cutOff: WaitReason): End {
  const last = records.findLast((record) => record.t === 'end' || record.t === 'attempt')
  const stands = last?.t === 'end' && last.end.status !== 'completed' && last.end.status !== 'failed'
  return stands ? last.end : { status: 'waiting', reason: cutOff }
}
