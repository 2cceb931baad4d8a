/** Skips a call, starts it again, or answers an agent's question for a person, whoever owns the run. */
import { ulid } from 'ulid'
import { AppError } from '../../shared/errors.ts'
import type { RunId } from '../../shared/ids.ts'
import { foldHistory, type SavedCall } from '../engine/history.ts'
import type { Command, PermissionAnswer, RunRead } from '../engine/ports.ts'
import { type LocalRunStore, openStore } from '../store/run-store.ts'
import type { CallOutcome } from './service.ts'
import { shortAttempt, standing } from './short-attempt.ts'

/** How long the owner of a run is given to answer. */
const ANSWER_MS = 5000
/** An owner may end, or begin, between the look and the word. */
const TRIES = 3

/**
 * Takes a call that has not ended as skipped; the script gets `null` for it. Of a run that nobody works on, the next attempt does.
 * @throws AppError `call-unknown`
 */
export function skipCall(project: string, runId: RunId, callId: number): Promise<CallOutcome> {
  return act(project, runId, { kind: 'skip', call: callId }, skipWithoutOwner)
}

/**
 * Ends a running call and starts it again.
 * @throws AppError `call-unknown`
 */
export function retryCall(project: string, runId: RunId, callId: number): Promise<CallOutcome> {
  return act(project, runId, { kind: 'retry', call: callId }, async () => 'refused')
}

/** Answers a question that an agent asked; without an owner no question is open. @param by who, in a word or two */
export function answerQuestion(
  project: string,
  runId: RunId,
  question: string,
  answer: PermissionAnswer,
  by: string,
): Promise<CallOutcome> {
  return act(project, runId, { kind: 'answer', question, answer }, async () => 'ended', by)
}

type OnCall = Extract<Command, { kind: 'skip' | 'retry' | 'answer' }>
/** What becomes of it when nobody works on the run; null when somebody took it in the same moment. */
type WithoutOwner = (store: LocalRunStore, read: RunRead, call: SavedCall | null) => Promise<CallOutcome | null>

async function act(project: string, runId: RunId, body: OnCall, withoutOwner: WithoutOwner, by = 'person'): Promise<CallOutcome> {
  const store = openStore(project)
  for (let tries = 0; tries < TRIES; tries += 1) {
    const read = await store.read(runId)
    const call = body.kind === 'answer' ? null : knownCall(read, body.call)
    if (call !== null && hasEnded(read, call)) return 'ended'
    if (!read.ownerAlive) {
      const outcome = await withoutOwner(store, read, call)
      if (outcome !== null) return outcome
      continue
    }
    const told = await store.inbox.post(runId, { id: ulid(), by, body }, ANSWER_MS)
    if (told === 'accepted' || told === 'repeated') return 'accepted'
    if (told === 'no-answer') return 'no-answer'
    if (told === 'stale') return call === null || hasEnded(await store.read(runId), call) ? 'ended' : 'refused'
  }
  throw new AppError('run-busy', `Run ${runId} changes hands just now. Nothing was done; try again.`)
}

function knownCall({ info, records }: RunRead, callId: number): SavedCall {
  const call = foldHistory(records).calls.find((one) => one.call === callId)
  if (call !== undefined) return call
  throw new AppError('call-unknown', `Run #${info.number} has no call ${callId}. See its calls: reprise show ${info.runId}`)
}

/** An answer from an earlier attempt that this one asks for again has not ended here. */
function hasEnded({ records, view }: RunRead, { call }: SavedCall): boolean {
  if (view.status === 'completed' || view.status === 'failed') return true
  const saved = foldHistory(records).calls.find((one) => one.call === call)?.saved ?? null
  if (saved === null) return false
  const { kind } = saved.result
  if (kind === 'ok' || kind === 'skipped') return true
  return view.endedAt !== null || saved.attempt === view.attempt
}

async function skipWithoutOwner(store: LocalRunStore, read: RunRead, call: SavedCall | null): Promise<CallOutcome | null> {
  if (call === null) return 'refused'
  const nothing = { usage: { inputTokens: 0, outputTokens: 0 }, cost: null, ms: 0, tries: 0, backend: null }
  const isWritten = await shortAttempt(store, read, standing(read, 'in-flight'), (attempt) => ({
    records: [{ t: 'result', call: call.call, attempt, result: { kind: 'skipped' }, ...nothing }],
    events: [
      {
        type: 'call.ended',
        callId: call.call,
        outcome: 'skipped',
        source: 'live',
        reason: null,
        detail: null,
        summary: '',
        fromAttempt: null,
        ...nothing,
      },
    ],
  }))
  return isWritten ? 'accepted' : null
}
