/** Reads runs for people: by the ways they name one, whole, or one call of it. */
import { AppError } from '../../shared/errors.ts'
import { isRunId, type RunId } from '../../shared/ids.ts'
import type { TranscriptPage, TranscriptQuery } from '../../shared/run/transcript.ts'
import type { RunSummary } from '../../shared/run/view.ts'
import { foldHistory } from '../engine/history.ts'
import type { RunInfo } from '../engine/ports.ts'
import { readShownFile } from '../host/shown-file.ts'
import { recordsUpTo } from '../store/read-attempt.ts'
import { openStore } from '../store/run-store.ts'
import type { CallDetail } from './service.ts'

/** An ambiguous beginning names so many of the runs that it could mean. */
const CANDIDATES = 5

/** @throws AppError `run-unknown`, or `run-ambiguous` with the candidates */
export async function resolveRun(project: string, reference: string): Promise<RunId> {
  const wanted = reference.trim()
  const { runs } = await openStore(project).list({ limit: Number.MAX_SAFE_INTEGER })
  const none = (hint: string): AppError => new AppError('run-unknown', `There is no run “${reference}” in ${project}. ${hint}`)
  if (wanted === 'last') {
    // Of a damaged run nobody knows when it started: it is the last one only where there is no other.
    const order = (run: RunSummary): number => (run.damaged === null ? run.startedAt : 0)
    const last = runs.toSorted((a, b) => order(b) - order(a) || b.number - a.number)[0]
    if (last === undefined) throw new AppError('run-unknown', `Nothing has run in ${project} yet. Start with: reprise run <file|name>`)
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
  const shown = beginning.slice(0, CANDIDATES).map((run) => run.runId)
  const more = beginning.length > shown.length ? ` and ${beginning.length - shown.length} more` : ''
  throw new AppError('run-ambiguous', `${beginning.length} runs begin with ${wanted}: ${shown.join(', ')}${more}. Give more of the id.`)
}

function known(runId: string): RunId {
  if (isRunId(runId)) return runId
  throw new AppError('run-damaged', `The history names a run by an impossible id: ${JSON.stringify(runId)}`)
}

/** Reads only the piece that is asked for, however long the transcript is. */
export async function transcriptOf(project: string, runId: RunId, callId: number, query: TranscriptQuery): Promise<TranscriptPage> {
  return openStore(project).transcript(runId, callId, query)
}

/**
 * @param attempt the call as it stood when this attempt ended; undefined: as it stands now
 * @throws AppError `call-unknown`, `attempt-unknown`
 */
export async function callDetail(project: string, runId: RunId, callId: number, attempt?: number): Promise<CallDetail> {
  const store = openStore(project)
  const read = await store.read(runId)
  const view = attempt === undefined ? read.view : await store.readAttempt(runId, attempt)
  const records = attempt === undefined ? read.records : recordsUpTo(read.records, attempt)
  const call = foldHistory(records).calls.find((other) => other.call === callId)
  if (call === undefined)
    throw new AppError('call-unknown', `Run ${runId} has no call ${callId}. List its calls with: reprise show ${runId}`)
  const { saved } = call
  const shown = call.started?.shown
  const text = shown === undefined ? null : await store.value(runId, shown.text)
  const now = shown === undefined || saved !== null ? null : await changedSince(read.info, shown)
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
    ...(shown !== undefined && { shown: { path: shown.path, sha256: shown.sha256, text: String(text) } }),
    ...(now !== null && { shownNow: now }),
  }
}

/** The file that a gate shows, when it is another one than at the gate's opening; null when it is the same, or can't be read. */
export async function changedSince(
  info: RunInfo,
  shown: { path: string; sha256: string },
): Promise<{ sha256: string; text: string } | null> {
  const now = await readShownFile(await folderOf(info), shown.path)
  return 'refused' in now || now.sha256 === shown.sha256 ? null : now
}

/** Where the run works: the project, or the worktree that stands for it. */
async function folderOf({ project, workspace, runId }: RunInfo): Promise<string> {
  if (workspace === 'current') return project
  const { Worktrees } = await import('../agents/worktree/worktrees.ts')
  return (await new Worktrees(project).list(runId)).find((one) => one.call === null)?.path ?? project
}
