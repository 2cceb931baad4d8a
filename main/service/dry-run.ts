/** A dry run in one answer, and what a real one would come to, going by the runs of that file before. */
import { randomBytes } from 'node:crypto'
import { RequestId } from '../../shared/ids.ts'
import type { DryRun, Estimate } from '../../shared/run/dry-run.ts'
import type { RunSummary, RunView } from '../../shared/run/view.ts'
import type { DryRunOptions, Service, Target } from './service.ts'

/** Earlier runs that an estimate looks at. */
const LOOKED_AT = 20

/** Executes the script with simulated agents and saves nothing. */
export async function dryRun(service: Pick<Service, 'launch' | 'list'>, target: Target, options: DryRunOptions): Promise<DryRun> {
  const requestId = RequestId.parse(randomBytes(16).toString('hex'))
  const run = await service.launch(target, { ...options, requestId, dryRun: true })
  const view = await run.done
  const calls = rehearsedCalls(view).map(({ callId, kind, label, title, phase }) => ({ callId, kind, label, title, phase }))
  return { status: view.status, error: view.error, calls, estimate: await estimateOf(service, options.project, view) }
}

/** Calls that do something by themselves. */
export function rehearsedCalls(view: RunView): RunView['calls'] {
  return view.calls.filter(({ kind }) => kind !== 'open-child')
}

/** What the calls of earlier real runs of this file took, for as many calls as this one made. */
export async function estimateOf(service: Pick<Service, 'list'>, project: string, view: RunView): Promise<Estimate> {
  const { runs } = await service.list(project, { workflow: view.path, limit: LOOKED_AT })
  return estimate(view, runs)
}

function estimate(view: RunView, runs: readonly RunSummary[]): Estimate {
  const calls = view.calls.filter(({ kind }) => kind === 'agent' || kind === 'check')
  const agents = calls.filter(({ kind }) => kind === 'agent').length
  const real = runs.filter(({ backend, counts, damaged }) => damaged === null && backend !== 'simulated' && counts.ok > 0)
  if (real.length === 0) return { calls: calls.length, outputTokens: agents === 0 ? 0 : null, runs: 0 }
  const tokens = real.reduce((sum, run) => sum + run.outputTokens, 0)
  const answered = real.reduce((sum, run) => sum + run.counts.ok, 0)
  return { calls: calls.length, outputTokens: Math.round((tokens / answered) * calls.length), runs: real.length }
}
