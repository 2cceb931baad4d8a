/** Runs, attempts, records and owners for the store's tests, in real temporary folders. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ulid } from 'ulid'
import { afterEach } from 'vitest'
import type { Attempt, NewRun, OpenRun } from '../../main/engine/ports.ts'
import { IndexStore } from '../../main/store/index-store.ts'
import { currentOwner } from '../../main/store/owner.ts'
import { projectPaths } from '../../main/store/paths.ts'
import { sha256Of } from '../../main/store/payload.ts'
import type { LocalRunStore } from '../../main/store/run-store.ts'
import { openStore } from '../../main/store/run-store.ts'
import { summarize } from '../../main/store/run-summary.ts'
import { RequestId, RunId } from '../../shared/ids.ts'
import type { Json } from '../../shared/json.ts'
import type { NewEvent, RunEvent } from '../../shared/run/events.ts'
import type { Counts, JournalRecord, NewRecord, Owner } from '../../shared/run/record.ts'
import { reduce } from '../../shared/run/reduce.ts'
import type { RunView } from '../../shared/run/view.ts'

export const TEXT = 'return await agent("say hello")\n'
export const COUNTS: Counts = { ok: 1, dead: 0, skipped: 0, abandoned: 0, replayed: 0, live: 1 }

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 })
})

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'reprise-store-'))
  folders.push(folder)
  return folder
}

export function runsOf(project: string): string {
  return join(project, '.claude', 'workflow-runs')
}

export function fileOf(project: string, runId: string, name: string): string {
  return join(runsOf(project), runId, name)
}

export function newRunId(): RunId {
  return RunId.parse(ulid())
}

export function newRequestId(): RequestId {
  return RequestId.parse(ulid())
}

export function newRun(project: string, more: Partial<NewRun> = {}): NewRun {
  return {
    runId: newRunId(),
    title: 'review',
    source: { kind: 'file', path: join(project, 'review.ts'), name: null, sha256: sha256Of(TEXT), ext: 'ts' },
    project,
    workspace: 'current',
    git: null,
    limits: { concurrency: 4, maxAgents: 1000, budget: null, maxCost: null, stallMs: null },
    seed: 'seed',
    engine: '0.1.0',
    backend: 'simulated',
    policy: 'content',
    text: TEXT,
    ...more,
  }
}

/** A process of this machine that ended: our pid with a start that is not ours. */
export function deadOwner(): Owner {
  return { ...currentOwner(), startTime: 1 }
}

export function attempt(more: Partial<Attempt> = {}): Attempt {
  return {
    owner: currentOwner(),
    script: { sha256: sha256Of(TEXT), text: TEXT, ext: 'ts' },
    engine: '0.1.0',
    policy: 'content',
    backend: 'simulated',
    ...more,
  }
}

type Of<T extends NewRecord['t']> = Extract<NewRecord, { t: T }>

/** The first record of a journal of this process. */
export const begun: NewRecord = {
  t: 'attempt',
  attempt: 1,
  token: 't',
  owner: currentOwner(),
  script: 's',
  engine: '1',
  policy: 'content',
  backend: null,
}

export const call = (number: number, prompt = `prompt ${number}`): Of<'call'> => ({
  t: 'call',
  call: number,
  kind: 'agent',
  fp: sha256Of(prompt),
  label: `call ${number}`,
  phase: null,
  params: { prompt },
})

export const started = (number: number, attemptNumber = 1): Of<'started'> => ({
  t: 'started',
  call: number,
  attempt: attemptNumber,
  generation: 1,
  worker: 'local',
})

export const result = (number: number, output: Json = `answer ${number}`, attemptNumber = 1): Of<'result'> => ({
  t: 'result',
  call: number,
  attempt: attemptNumber,
  result: { kind: 'ok', output: { inline: output } },
  usage: { inputTokens: 10, outputTokens: 5 },
  cost: null,
  ms: 7,
  tries: 1,
  backend: 'simulated',
})

export const completed = (attemptNumber = 1): Of<'end'> => ({
  t: 'end',
  attempt: attemptNumber,
  end: { status: 'completed' },
  counts: COUNTS,
  value: { inline: 'done' },
})

export const base = (runId: string, seq: number, attemptNumber = 1) => ({ seq, at: 1000 + seq, runId, attempt: attemptNumber })

export function startedEvent(runId: string, seq = 1, attemptNumber = 1): Extract<RunEvent, { type: 'run.started' }> {
  return {
    type: 'run.started',
    ...base(runId, seq, attemptNumber),
    number: 1,
    title: 'review',
    path: 'review.ts',
    script: sha256Of(TEXT),
    scriptChanged: false,
    declaredPhases: [{ title: 'Review' }],
    backend: 'simulated',
    policy: 'content',
    concurrency: 4,
    budget: null,
    startedAt: 1000,
  }
}

export function queuedEvent(runId: string, seq: number, number: number, phase: string | null = null): RunEvent {
  const event: NewEvent = {
    type: 'call.queued',
    callId: number,
    kind: 'agent',
    label: `call ${number}`,
    title: `call ${number}`,
    phase,
    source: 'live',
    whyLive: 'new-call',
    agent: null,
    model: null,
    fp: sha256Of(`prompt ${number}`),
  }
  return { ...event, ...base(runId, seq) }
}

export function viewFrom(events: readonly RunEvent[]): RunView {
  let view: RunView | null = null
  for (const event of events) view = reduce(view, event)
  if (view === null) throw new Error('these events give no view')
  return view
}

/** A store with one run in it, owned by `owner`, and its open handle. */
export async function startedRun(
  owner: Owner = currentOwner(),
  project = tempFolder(),
): Promise<{ project: string; store: LocalRunStore; runId: RunId; run: OpenRun }> {
  const store = openStore(project)
  const { runId, token } = await store.create(newRun(project), newRequestId(), owner)
  return { project, store, runId, run: await store.adopt(runId, token) }
}

/** The row that a run had in the index when its owner was killed at work. */
export function claimRunning(project: string, runId: string): void {
  const start = startedEvent(runId)
  new IndexStore(projectPaths(project)).append({ summary: summarize(viewFrom([start]), 0), owner: deadOwner() })
}

export function opened(taken: OpenRun | { heldBy: Owner }): OpenRun {
  if ('heldBy' in taken) throw new Error(`held by process ${taken.heldBy.pid}`)
  return taken
}

/** What a record says, without its place in the file. */
export function saidBy(records: readonly JournalRecord[]): string[] {
  return records.map((record) => {
    if (record.t === 'attempt' || record.t === 'end') return `${record.t} ${record.attempt}`
    return 'call' in record ? `${record.t} ${record.call}` : `${record.t} ${record.id}`
  })
}
