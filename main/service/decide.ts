/** Gives a gate what a person chose, whoever owns the run: the decision is journaled once, and the first one counts. */
import { ulid } from 'ulid'
import { AppError } from '../../shared/errors.ts'
import type { RunId } from '../../shared/ids.ts'
import { decision, type GateDecision } from '../engine/gate-decision.ts'
import { foldHistory, type SavedCall } from '../engine/history.ts'
import type { Command, RunRead } from '../engine/ports.ts'
import { questionOf } from '../engine/waiting-calls.ts'
import { type LocalRunStore, openStore } from '../store/run-store.ts'
import { changedSince } from './lookup.ts'
import type { Decided, GateChoice } from './service.ts'
import { shortAttempt, standing } from './short-attempt.ts'

/** How long the owner of a run is given to answer. */
const ANSWER_MS = 5000
/** An owner may end, or begin, between the look and the word. */
const TRIES = 3

/** @throws AppError `call-unknown`, `choice-unknown`, `gate-stale`, `run-finished`, `owner-silent`; nothing was decided then */
export async function decide(project: string, runId: RunId, callId: number, choice: GateChoice): Promise<Decided> {
  const store = openStore(project)
  for (let tries = 0; tries < TRIES; tries += 1) {
    const read = await store.read(runId)
    const gate = openGate(read, callId, choice)
    if (gate === null) return 'already-decided'
    await refuseUnseen(read, gate, choice)
    if (!read.ownerAlive) {
      if (await decideWithoutOwner(store, read, gate, choice)) return 'saved'
      continue
    }
    const body: Command = {
      kind: 'decide',
      call: callId,
      choice: choice.choice,
      ...(choice.note !== undefined && { note: choice.note }),
      ...(choice.seen !== undefined && { seen: choice.seen }),
    }
    const outcome = await store.inbox.post(runId, { id: ulid(), by: choice.by, body }, ANSWER_MS)
    if (outcome === 'accepted' || outcome === 'repeated') return 'delivered'
    if (outcome === 'stale') return 'already-decided'
    if (outcome === 'unseen') throw unseen(gate.started?.shown?.path ?? 'What this gate shows')
    if (outcome === 'no-answer') throw silent(runId, read)
  }
  throw new AppError('run-busy', `Run ${runId} changes hands just now. Nothing was decided; try again.`)
}

/** The gate, when it is still open. */
function openGate({ info, records, view }: RunRead, callId: number, { choice }: GateChoice): SavedCall | null {
  const gate = foldHistory(records).calls.find((call) => call.call === callId)
  const name = `#${info.number}`
  if (gate === undefined) throw new AppError('call-unknown', `Run ${name} has no call ${callId}. See its calls: reprise show ${info.runId}`)
  if (gate.kind !== 'gate')
    throw new AppError('call-unknown', `Call ${callId} of run ${name} is no gate. See its calls: reprise show ${info.runId}`)
  const { options } = questionOf(gate.params)
  if (!options.includes(choice))
    throw new AppError(
      'choice-unknown',
      `This gate offers ${options.map((option) => `“${option}”`).join(', ')}, not “${choice}”. Nothing was decided.`,
    )
  if (gate.saved?.result.kind === 'ok' || gate.saved?.result.kind === 'skipped') return null
  if (view.status === 'completed' || view.status === 'failed' || view.status === 'killed')
    throw new AppError(
      'run-finished',
      `Run ${name} has ended, its gate is closed. Resume it to be asked again: reprise resume ${info.runId}`,
    )
  return gate
}

/** A choice counts for the text that was read, and for no other. The owner of the run looks once more when the choice arrives. */
async function refuseUnseen({ info }: RunRead, { started }: SavedCall, { seen }: GateChoice): Promise<void> {
  if (seen === undefined || started?.shown === undefined) return
  const { shown } = started
  const now = (await changedSince(info, shown))?.sha256 ?? shown.sha256
  if (seen !== now) throw unseen(shown.path)
}

function unseen(path: string): AppError {
  return new AppError('gate-stale', `${path} changed after you opened it. Your choice was not applied.`)
}

function decideWithoutOwner(store: LocalRunStore, read: RunRead, gate: SavedCall, given: GateChoice): Promise<boolean> {
  const at = Date.now()
  const decided: GateDecision = { choice: given.choice, ...(given.note !== undefined && { note: given.note }), by: given.by, at }
  const output = decision(decided)
  const usage = { inputTokens: 0, outputTokens: 0 }
  const opened = read.view.calls.find((call) => call.callId === gate.call)?.startedAt ?? at
  const plain = { usage, cost: null, ms: Math.max(0, at - opened), tries: 1, backend: null }
  const { call } = gate
  return shortAttempt(store, read, standing(read, 'gate'), (attempt) => ({
    records: [{ t: 'result', call, attempt, result: { kind: 'ok', output: { inline: output } }, ...plain }],
    events: [
      { type: 'gate.decided', callId: call, choice: given.choice, note: given.note ?? null, by: given.by },
      {
        type: 'call.ended',
        callId: call,
        outcome: 'ok',
        source: 'live',
        reason: null,
        detail: null,
        summary: given.choice,
        fromAttempt: null,
        ...plain,
      },
    ],
  }))
}

function silent(runId: RunId, { owner }: RunRead): AppError {
  return new AppError(
    'owner-silent',
    `Process ${owner.pid} on ${owner.host}, which works on run ${runId}, does not answer. Nothing was decided; try again.`,
  )
}
