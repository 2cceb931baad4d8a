/** Reads runs for people: by the ways they name one, whole, or one call of it. */
import { AppError } from '../../shared/errors.ts'
import { isRunId, type RunId } from '../../shared/ids.ts'
import { foldHistory } from '../engine/history.ts'
import { openStore } from '../store/run-store.ts'
import type { CallDetail } from './service.ts'

/** @throws AppError `run-unknown`, or `run-ambiguous` with the candidates */
export async function resolveRun(project: string, reference: string): Promise<RunId> {
  const wanted = reference.trim()
  const { runs } = await openStore(project).list({ limit: Number.MAX_SAFE_INTEGER })
  const none = (hint: string): AppError => new AppError('run-unknown', `No run ${JSON.stringify(reference)} in ${project}. ${hint}`)
  if (wanted === 'last') {
    const last = runs.toSorted((a, b) => b.startedAt - a.startedAt)[0]
    if (last === undefined) throw none('Nothing has run here yet.')
    return known(last.runId)
  }
  const number = /^#?(\d{1,9})$/.exec(wanted)?.[1]
  const numbered = runs.find((run) => String(run.number) === number)
  if (numbered !== undefined) return known(numbered.runId)
  if (!isRunId(wanted)) throw none('A run is named by its id, a unique beginning of it, #number, or last.')
  const exact = runs.find((run) => run.runId === wanted)
  if (exact !== undefined) return known(exact.runId)
  const beginning = runs.filter((run) => run.runId.startsWith(wanted.toUpperCase()) || run.runId.startsWith(wanted))
  const [only] = beginning
  if (only === undefined) throw none('List them with: reprise list')
  if (beginning.length === 1) return known(only.runId)
  throw new AppError(
    'run-ambiguous',
    `${beginning.length} runs begin with ${wanted}: ${beginning.map((run) => run.runId).join(', ')}. Give more of the id.`,
  )
}

function known(runId: string): RunId {
  if (isRunId(runId)) return runId
  throw new AppError('run-damaged', `The history names a run by an impossible id: ${JSON.stringify(runId)}`)
}

/** @throws AppError `call-unknown` */
export async function callDetail(project: string, runId: RunId, callId: number): Promise<CallDetail> {
  const store = openStore(project)
  const { records, view } = await store.read(runId)
  const call = foldHistory(records).calls.find((other) => other.call === callId)
  if (call === undefined)
    throw new AppError('call-unknown', `Run ${runId} has no call ${callId}. List its calls with: reprise show ${runId}`)
  const { saved } = call
  return {
    callId,
    kind: call.kind,
    label: call.label,
    phase: call.phase,
    fp: call.fp,
    params: call.params,
    result: saved?.result ?? null,
    output: saved?.result.kind === 'ok' ? await store.value(runId, saved.result.output) : null,
    usage: saved?.usage ?? null,
    ms: saved?.ms ?? null,
    tries: saved?.tries ?? null,
    backend: saved?.backend ?? null,
    attempt: saved?.attempt ?? null,
    whyLive: view.calls.find((other) => other.callId === callId)?.whyLive ?? null,
  }
}
