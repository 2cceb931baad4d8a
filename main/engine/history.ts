/** What the journal says, folded by call: the base of replay, plan, views and exports. Pure. */
import { assertNever } from '../../shared/assert-never.ts'
import { canonicalJson, type Json } from '../../shared/json.ts'
import type { WhyLive } from '../../shared/run/events.ts'
import type { CallKind, CallResult, JournalRecord, Shown, Usage, Value } from '../../shared/run/record.ts'
import type { RecordedCall } from './sandbox/protocol.ts'
import type { Spent } from './spending.ts'

/** Results up to this many characters of JSON are handed to the script's thread at its start, larger ones on delivery. */
const SMALL_RESULT = 4096

export interface SavedResult {
  result: CallResult
  attempt: number
  usage: Usage
  cost: number | null
  ms: number
  tries: number
  backend: string | null
  at: number
  /** Place in the order of deliveries. */
  rank: number
}

export interface SavedCall {
  call: number
  kind: CallKind
  fp: string
  label: string | null
  phase: string | null
  params: Json
  /** Generation and attempt of its last start; null when it never started. */
  started: { generation: number; attempt: number; worker: string; wakeAt?: number; session?: string; shown?: Shown } | null
  /** The attempt that first asked for it. */
  madeIn: number
  /** The last result; it counts even when the call was started again after it. */
  saved: SavedResult | null
}

export interface Choice {
  call: number
  attempt: number
}

export interface History {
  /** In call order. */
  calls: SavedCall[]
  /** Attempts in order, with their ends; an attempt without one was cut off, or lives. */
  attempts: { attempt: number; at: number; script: string; args?: Json; ended: boolean; backend: string | null }[]
  /** What every result spent, of every attempt and kind, in the order of the journal. */
  spent: Spent[]
  /** Calls from which a person chose to run again, with the attempt that began so. What was recorded before it is not reused. */
  choices: Choice[]
  /**
   * The first attempt that saw all that it asked for come out as a further one would: later than any call that died, and
   * than any result that was not used again. What earlier ones asked for may lie on a way that is not taken any more.
   */
  steadySince: number
}

export function foldHistory(records: readonly JournalRecord[]): History {
  const calls = new Map<number, SavedCall>()
  const attempts: History['attempts'] = []
  const spent: Spent[] = []
  const choices: Choice[] = []
  let steadySince = 1
  for (const record of records) {
    switch (record.t) {
      case 'attempt':
        if (record.from !== undefined) choices.push({ call: record.from, attempt: record.attempt })
        if (record.from !== undefined || record.policy !== 'content') steadySince = record.attempt
        attempts.push({
          attempt: record.attempt,
          at: record.at,
          script: record.script,
          ended: false,
          backend: record.backend,
          ...(record.args !== undefined && { args: record.args }),
        })
        break
      case 'call': {
        const { call, kind, fp, label, phase, params } = record
        if (!calls.has(call))
          calls.set(call, { call, kind, fp, label, phase, params, madeIn: attempts.at(-1)?.attempt ?? 1, started: null, saved: null })
        break
      }
      case 'started': {
        const call = calls.get(record.call)
        if (call === undefined) break
        const { generation, attempt, worker, wakeAt, session, shown } = record
        const optional = {
          ...(wakeAt !== undefined && { wakeAt }),
          ...(session !== undefined && { session }),
          ...(shown !== undefined && { shown }),
        }
        call.started = { generation, attempt, worker, ...optional }
        break
      }
      case 'result': {
        const { result, attempt, usage, cost, ms, tries, backend, at } = record
        const call = calls.get(record.call)
        spent.push({ kind: call?.kind ?? 'agent', phase: call?.phase ?? null, outcome: result.kind, usage, cost })
        if (call !== undefined) {
          if (isReopening(call, result)) steadySince = Math.max(steadySince, attempt)
          if (result.kind === 'dead') steadySince = Math.max(steadySince, attempt + 1)
          const place = isReopening(call, result) ? { at: call.saved.at, rank: call.saved.rank } : { at, rank: record.n }
          call.saved = { result, attempt, usage, cost, ms, tries, backend, ...place }
        }
        break
      }
      case 'end': {
        const last = attempts.find((a) => a.attempt === record.attempt)
        if (last !== undefined) last.ended = true
        break
      }
      case 'command':
        break
      default:
        assertNever(record)
    }
  }
  return { calls: [...calls.values()].sort((a, b) => a.call - b.call), attempts, spent, choices, steadySince }
}

/** A later result of an opening says only which text ran then: the child started at the same point. */
function isReopening(call: SavedCall, result: CallResult): call is SavedCall & { saved: SavedResult } {
  return call.kind === 'open-child' && result.kind === 'ok' && call.saved?.result.kind === 'ok'
}

/** Cut off by the death of its owner: started in an attempt that has no end, and no result since. */
export function wasRunning(call: SavedCall, history: History): boolean {
  if (call.started === null) return false
  if (call.saved !== null && call.saved.attempt >= call.started.attempt) return false
  return history.attempts.some((a) => a.attempt === call.started?.attempt && !a.ended)
}

/** A simulated answer is no result for a real agent, and one from before a choice to run again none at all. */
function replayState(call: SavedCall, backend: string | null, choices: readonly Choice[]): { state: RecordedCall['state']; why: WhyLive } {
  const saved = call.saved
  if (saved === null) return { state: 'rerun', why: 'no-saved-result' }
  const isTaken = isRepeated(call) && choices.some((choice) => saved.attempt < choice.attempt && call.call >= choice.call)
  const reusable = isTaken ? ({ state: 'rerun', why: 'you-chose' } as const) : ({ state: 'reusable', why: 'no-saved-result' } as const)
  switch (saved.result.kind) {
    case 'ok':
      if ('unreadable' in saved.result.output) return { state: 'rerun', why: 'result-unreadable' }
      return saved.backend === 'simulated' && backend !== 'simulated' ? { state: 'rerun', why: 'was-simulated' } : reusable
    case 'skipped':
      return reusable
    case 'abandoned':
      return { state: 'lazy', why: 'no-saved-result' }
    case 'dead':
      return { state: 'rerun', why: 'died-last-time' }
    default:
      return assertNever(saved.result)
  }
}

/** The first of the attempts up to the last one that ran the same text on the same input, with the same answers. */
function unchangedSince({ attempts, steadySince }: History): number {
  const same = ({ script, args, backend }: History['attempts'][number]): string => canonicalJson([script, args ?? null, backend])
  const last = attempts.at(-1)
  if (last === undefined) return 1
  const other = attempts.findLast((attempt) => same(attempt) !== same(last))
  return Math.max((other?.attempt ?? 0) + 1, steadySince)
}

/** The choices that take this call's result away once their own call was asked for, wherever this one stood before. */
function takenAfter(call: SavedCall, choices: readonly Choice[]): number[] {
  const { saved } = call
  if (saved === null || !isRepeated(call)) return []
  return choices.flatMap((choice) => (saved.attempt < choice.attempt ? [choice.call] : []))
}

/** An opening repeats no work: the text now on disk runs either way, and its calls are decided one by one. */
function isRepeated({ kind }: SavedCall): boolean {
  return kind !== 'open-child'
}

/**
 * The history as the script's scheduler takes it. The last attempt is the one that begins.
 * @param hasSameBudget a script that reads its budget asks for other things when that is another one
 */
export function recordedCalls(history: History, backend: string | null, hasSameBudget: boolean): RecordedCall[] {
  const since = unchangedSince(history)
  return history.calls.map((call) => {
    const { state, why } = replayState(call, backend, history.choices)
    const chosen = state === 'reusable' ? takenAfter(call, history.choices) : []
    const recorded: RecordedCall = {
      call: call.call,
      kind: call.kind,
      fp: call.fp,
      state,
      why: state === 'rerun' && wasRunning(call, history) ? 'was-running' : why,
      rank: call.saved?.rank ?? 0,
      outputTokens: call.saved?.usage.outputTokens ?? 0,
      at: call.saved?.at ?? 0,
      counts: call.kind === 'agent' && (call.started !== null || state === 'reusable'),
      isExpected: hasSameBudget && state === 'reusable' && call.madeIn >= since,
      ...(chosen.length > 0 && { takenAfter: chosen }),
    }
    // The text of a child is read when its opening is delivered.
    const output = state === 'reusable' && call.kind !== 'open-child' ? smallOutput(call.saved?.result) : undefined
    if (output !== undefined) recorded.output = output
    return recorded
  })
}

function smallOutput(result: CallResult | undefined): Json | undefined {
  if (result?.kind === 'skipped') return null
  if (result?.kind !== 'ok' || !('inline' in result.output)) return undefined
  return isSmall(result.output) ? result.output.inline : undefined
}

function isSmall(value: Extract<Value, { inline: Json }>): boolean {
  return typeof value.inline === 'string' ? value.inline.length <= SMALL_RESULT : JSON.stringify(value.inline).length <= SMALL_RESULT
}
