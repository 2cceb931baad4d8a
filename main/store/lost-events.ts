/** The events that a journal's records stand for, for the part of the unsynced stream that a crash took. */
import type { RunEvent } from '../../shared/run/events.ts'
import type { CallResult, JournalRecord } from '../../shared/run/record.ts'
import type { RunInfo } from '../engine/ports.ts'
import type { AttemptRecord, EndRecord } from './read-journal.ts'

const TITLE_CHARS = 60
const SUMMARY_CHARS = 40

export function placed(event: RunEvent, seq: number): RunEvent {
  return { ...event, seq }
}

export function startedEvent(info: RunInfo, record: AttemptRecord | null, before: AttemptRecord | null): RunEvent {
  const script = record?.script ?? info.source.sha256
  return {
    type: 'run.started',
    seq: 0,
    at: record?.at ?? info.createdAt,
    runId: info.runId,
    attempt: record?.attempt ?? 1,
    number: info.number,
    title: info.title,
    path: info.source.path,
    script,
    scriptChanged: before !== null && before.script !== script,
    declaredPhases: [],
    backend: record?.backend ?? info.backend,
    policy: record?.policy ?? info.policy,
    concurrency: info.limits.concurrency,
    budget: info.limits.budget,
    maxCost: info.limits.maxCost,
    startedAt: info.createdAt,
  }
}

export function queuedEvent(runId: string, attempt: number, record: Extract<JournalRecord, { t: 'call' }>): RunEvent {
  return {
    type: 'call.queued',
    seq: 0,
    at: record.at,
    runId,
    attempt,
    callId: record.call,
    kind: record.kind,
    label: record.label,
    title: titleOf(record),
    phase: record.phase,
    source: 'live',
    whyLive: null,
    agent: null,
    model: null,
    fp: record.fp,
  }
}

export function callStartedEvent(runId: string, record: Extract<JournalRecord, { t: 'started' }>): RunEvent {
  const { at, attempt, call, generation, worker, wakeAt } = record
  const due = wakeAt === undefined ? {} : { wakeAt }
  return { type: 'call.started', seq: 0, at, runId, attempt, callId: call, generation, worker, ...due }
}

export function resultEvent(runId: string, record: Extract<JournalRecord, { t: 'result' }>): RunEvent {
  const { result } = record
  return {
    type: 'call.ended',
    seq: 0,
    at: record.at,
    runId,
    attempt: record.attempt,
    callId: record.call,
    outcome: result.kind,
    source: 'live',
    reason: result.kind === 'dead' ? result.reason : null,
    detail: result.kind === 'dead' ? result.detail : null,
    ms: record.ms,
    usage: record.usage,
    cost: record.cost,
    tries: record.tries,
    summary: summaryOf(result),
    backend: record.backend,
    fromAttempt: null,
  }
}

export function endedEvent(runId: string, record: EndRecord): RunEvent {
  const { end } = record
  return {
    type: 'run.ended',
    seq: 0,
    at: record.at,
    runId,
    attempt: record.attempt,
    status: end.status,
    reason: end.status === 'paused' || end.status === 'waiting' ? end.reason : null,
    resetAt: end.status === 'paused' ? (end.resetAt ?? null) : null,
    error: end.status === 'failed' ? end.error : null,
    counts: record.counts,
    value: record.value ?? null,
  }
}

/** A row's words when a call has no label: what was asked, shortened. */
function titleOf(record: Extract<JournalRecord, { t: 'call' }>): string {
  const { params } = record
  const asked =
    typeof params === 'object' && params !== null && !Array.isArray(params)
      ? (params['prompt'] ?? params['command'] ?? params['question'])
      : params
  if (Array.isArray(asked)) return record.label ?? asked.join(' ').slice(0, TITLE_CHARS)
  const text = typeof asked === 'string' ? (asked.trim().split('\n')[0] ?? '') : ''
  return record.label ?? (text.slice(0, TITLE_CHARS) || record.kind)
}

function summaryOf(result: CallResult): string {
  if (result.kind !== 'ok' || !('inline' in result.output)) return ''
  const value = result.output.inline
  return typeof value === 'string' ? (value.split('\n')[0] ?? '').slice(0, SUMMARY_CHARS) : ''
}
