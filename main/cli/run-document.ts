/** The one JSON document of `run` and `resume`, and the exit code that goes with it. */
import { assertNever } from '../../shared/assert-never.ts'
import type { Json } from '../../shared/json.ts'
import type { Counts } from '../../shared/run/record.ts'
import { dueAt } from '../../shared/run/status.ts'
import type { RunView } from '../../shared/run/view.ts'
import { type ErrorDocument, errorDocument } from './report-error.ts'

export interface RunDocument {
  runId: string
  number: number
  status: string
  attempt: number
  counts: Counts
  /** Null as well when the script returned nothing. */
  returnValue: Json
  error?: ErrorDocument
  /** Of paused and waiting runs: what for, and when a usage limit starts anew. */
  reason?: string
  resetAt?: string
  /** Of waiting runs: the gates that are open, and when the run could go on by itself. */
  gates?: { callId: number; question: string; options: string[] }[]
  until?: string
  /** Output tokens of the results that the script got in this attempt, replayed ones included. */
  tokens: number
}

export function runDocument(view: RunView, value: Json | undefined): RunDocument {
  const { runId, number, status, attempt, counts } = view
  const error = view.error === null ? {} : { error: errorDocument(view.error) }
  const why = { ...(view.reason !== null && { reason: view.reason }), ...(view.resetAt !== null && { resetAt: view.resetAt }) }
  return { runId, number, status, attempt, counts, returnValue: value ?? null, ...error, ...why, ...waits(view), tokens: view.outputTokens }
}

function waits(view: RunView): Pick<RunDocument, 'gates' | 'until'> {
  if (view.status !== 'waiting') return {}
  const gates = view.calls.flatMap((call) =>
    call.kind === 'gate' && call.status === 'waiting' ? [{ callId: call.callId, question: call.title, options: call.options ?? [] }] : [],
  )
  const due = dueAt(view.calls)
  return { ...(gates.length > 0 && { gates }), ...(due !== null && { until: new Date(due).toISOString() }) }
}

/** The exit code of a run as it stands. A run that goes on elsewhere is no failure of this command. */
export function exitCode(view: Pick<RunView, 'status' | 'counts'>): number {
  switch (view.status) {
    case 'queued':
    case 'running':
      return 0
    case 'completed':
      return view.counts.dead > 0 ? 3 : 0
    case 'failed':
    case 'interrupted':
      return 1
    case 'paused':
    case 'waiting':
      return 4
    case 'killed':
      return 130
    default:
      return assertNever(view.status)
  }
}
