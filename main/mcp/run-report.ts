/** How a run stands, for a program and in one line: the answer of nearly every tool. */
import * as z from 'zod'
import { ErrorDataSchema } from '../../shared/run/events.ts'
import { canTryAgain, isLive } from '../../shared/run/status.ts'
import { RunStatus, type RunView } from '../../shared/run/view.ts'
import { settled } from '../cli/progress/counts.ts'
import { runSentence } from '../cli/run-sentence.ts'
import { oneLine } from '../cli/text/printable.ts'
import type { ServerContext } from './server-context.ts'
import { needsPerson, WaitsForYou, waitsForYou, waitsLine } from './waits-for-you.ts'

/** Longer return values are left to `reprise show`: they would fill the host's conversation. */
const LONGEST_VALUE = 100_000
const MOST_FAILURES = 20

const Counts = z.object({
  ok: z.number(),
  dead: z.number(),
  skipped: z.number(),
  abandoned: z.number(),
  replayed: z.number(),
  live: z.number(),
})

export const RunReport = z.object({
  runId: z.string(),
  number: z.number(),
  title: z.string(),
  status: RunStatus,
  ended: z.boolean().describe('Nobody works on it any more'),
  reason: z.string().optional().describe('Of paused and waiting runs: what for'),
  attempt: z.number(),
  phase: z.string().optional(),
  counts: Counts.describe('Finished calls of this attempt'),
  running: z.number().describe('Calls asked for and not finished'),
  failed: z
    .array(z.object({ call: z.number(), title: z.string(), why: z.string() }))
    .describe(`Calls that failed, at most ${MOST_FAILURES}`),
  outputTokens: z.number(),
  scriptPath: z.string(),
  error: ErrorDataSchema.pick({ code: true, message: true, line: true, column: true }).optional(),
  returnValue: z.unknown().optional(),
  returnValueLeftOut: z.string().optional().describe('Why the return value is not here, and how to see it'),
  waitsForYou: WaitsForYou.optional().describe('What a person has to settle, with the tool for it'),
  canResume: z.boolean(),
  resource: z.string().describe('The whole run view'),
})
export type RunReport = z.infer<typeof RunReport>

export function runUri(runId: string): string {
  return `reprise://run/${runId}`
}

/** True when nobody works on the attempt any more. */
export function isOver(view: Pick<RunView, 'status' | 'endedAt'>): boolean {
  return view.endedAt !== null || !isLive(view.status)
}

export async function runReport(context: ServerContext, view: RunView): Promise<RunReport> {
  const report: RunReport = {
    runId: view.runId,
    number: view.number,
    title: view.title,
    status: view.status,
    ended: isOver(view),
    attempt: view.attempt,
    counts: view.counts,
    running: isOver(view) ? 0 : view.calls.filter((call) => call.endedAt === null).length,
    failed: view.calls
      .filter((call) => call.status === 'dead')
      .slice(0, MOST_FAILURES)
      .map((call) => ({ call: call.callId, title: call.label ?? call.title, why: [call.reason, call.detail].filter(Boolean).join(': ') })),
    outputTokens: view.outputTokens,
    scriptPath: view.path,
    canResume: view.allowedActions.includes('resume') || canTryAgain(view),
    resource: runUri(view.runId),
  }
  if (view.reason !== null) report.reason = view.reason
  if (view.currentPhase !== null && !report.ended) report.phase = view.currentPhase
  if (view.error !== null) {
    const { code, message, line, column } = view.error
    report.error = { code, message, ...(line !== undefined && { line }), ...(column !== undefined && { column }) }
  }
  const waits = await waitsForYou(context, view)
  if (waits !== null) report.waitsForYou = waits
  const value = view.value === null ? undefined : await context.service.value(context.project, view)
  if (value === undefined) return report
  const length = JSON.stringify(value).length
  if (length <= LONGEST_VALUE) report.returnValue = value
  else report.returnValueLeftOut = `It has ${length} characters. See it with: ${context.command(['show', view.runId, '--json'])}`
  return report
}

/** E.g. `Run #3 “triage”: Completed in 4s · 6 live`, with the place of an error and the way on. */
export function reportLine(view: RunView, now = Date.now()): string {
  const { error } = view
  const done = settled(view.counts)
  const calls = isOver(view) ? '' : ` · ${done} of ${Math.max(done, view.calls.length)} calls done`
  const place = error?.line === undefined ? '' : `${view.path}:${error.line}:${error.column ?? 1}: `
  const fault = error === null ? '' : ` ${place}${oneLine(error.message)}`
  const goesOn = isOver(view) && !needsPerson(view) && view.allowedActions.includes('resume')
  const next = goesOn ? ` Go on with workflow_resume, run ${view.runId}.` : ''
  return `Run #${view.number} “${oneLine(view.title)}”: ${runSentence(view, now)}${calls}${fault}${waitsLine(view)}${next}`
}
