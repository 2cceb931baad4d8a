/** The end of a dry run: every call that was asked for, and what a real run would come to. */
import type { Json } from '../../shared/json.ts'
import type { Estimate } from '../../shared/run/dry-run.ts'
import type { CallView, RunView } from '../../shared/run/view.ts'
import { estimateOf, rehearsedCalls } from '../service/dry-run.ts'
import type { Context } from './context.ts'
import { errorDocument, placed } from './report-error.ts'
import { exitCode } from './run-document.ts'
import { shownPath } from './shown-path.ts'
import { amount, plural } from './text/amounts.ts'
import { oneLine, printable } from './text/printable.ts'

export async function finishDryRun(context: Context, view: RunView): Promise<number> {
  const estimate = await estimateOf(await context.service(), await context.project(), view)
  const calls = rehearsedCalls(view)
  if (context.forPrograms) context.document(documentOf(view, calls, estimate))
  else for (const line of callLines(view, calls)) context.answer(line)
  if (view.error !== null) context.warn(printable(placed(shownPath(view.path, context.io.cwd), view.error)))
  if (view.status === 'killed' && calls.some(({ kind }) => kind === 'sleep'))
    context.warn('It goes on waiting for something that no dry run brings about, so it was ended here.')
  context.note(`Dry run: no agent was started and nothing was saved. ${estimateWords(estimate)}`)
  return exitCode(view)
}

function estimateWords({ calls, outputTokens, runs }: Estimate): string {
  const asked = `A real run would make ${plural(calls, 'call')}`
  if (outputTokens === 0) return `${asked}.`
  if (outputTokens === null) return `${asked}; how many tokens that takes is known after the first real one.`
  return `${asked} and take about ${amount(outputTokens)} output tokens, going by ${plural(runs, 'earlier run')}.`
}

function callLines(view: RunView, calls: readonly CallView[]): string[] {
  const lines: string[] = []
  let phase: string | null = null
  for (const call of calls) {
    if (call.phase !== phase && call.phase !== null) lines.push(oneLine(call.phase))
    phase = call.phase
    const who = [call.agent, call.model].filter((part) => part !== null && part !== 'simulated').join(', ')
    const indent = view.phases.length === 0 ? '' : '  '
    lines.push(`${indent}${call.callId}  ${call.kind}  ${oneLine(call.label ?? call.title)}${who === '' ? '' : `  (${oneLine(who)})`}`)
  }
  return lines
}

function documentOf(view: RunView, calls: readonly CallView[], estimate: Estimate): { [key: string]: Json } {
  const { status, error, value } = view
  return {
    dryRun: true,
    status,
    calls: calls.map(({ callId, kind, label, title, phase, agent, model }) => ({ callId, kind, label, title, phase, agent, model })),
    estimate: { ...estimate },
    returnValue: value !== null && 'inline' in value ? value.inline : null,
    ...(error !== null && { error: { ...errorDocument(error) } }),
  }
}
