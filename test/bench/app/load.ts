/** Projects of the sizes that the app is measured with, made by the store itself. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ulid } from 'ulid'
import { IndexStore } from '../../../main/store/index-store.ts'
import { currentOwner } from '../../../main/store/owner.ts'
import { projectPaths } from '../../../main/store/paths.ts'
import { sha256Of } from '../../../main/store/payload.ts'
import { openStore } from '../../../main/store/run-store.ts'
import { summarize } from '../../../main/store/run-summary.ts'
import { RequestId, RunId } from '../../../shared/ids.ts'
import { RunEvent } from '../../../shared/run/events.ts'
import type { NewRecord } from '../../../shared/run/record.ts'
import { reduce } from '../../../shared/run/reduce.ts'
import type { RunView } from '../../../shared/run/view.ts'

const TEXT = 'return 1\n'
const USAGE = { inputTokens: 900, outputTokens: 150 }
const PHASES = ['Collect', 'Review', 'Verify', 'Report']

const phaseOf = (call: number, calls: number) => PHASES[Math.floor((call * PHASES.length) / (calls + 1))] ?? null

export interface Loaded {
  runId: RunId
  /** Of the last event on disk. */
  lastSeq: number
}

/**
 * A run with so many calls. `done`: all have ended and so has the run; `live`: they are queued, and this process owns the run.
 * @param project its folder
 */
export async function makeRun(project: string, calls: number, how: 'done' | 'live'): Promise<Loaded> {
  const store = openStore(project, { durability: 'os' })
  const runId = RunId.parse(ulid())
  const path = join(project, 'load.js')
  const { token } = await store.create(
    {
      runId,
      title: `load of ${calls}`,
      source: { kind: 'file', path, name: null, sha256: sha256Of(TEXT), ext: 'js' },
      project,
      workspace: 'current',
      git: null,
      limits: { concurrency: 16, maxAgents: calls, budget: null, maxCost: null, stallMs: null },
      seed: 'seed',
      engine: '0.1.0',
      backend: 'simulated',
      policy: 'content',
      text: TEXT,
    },
    RequestId.parse(ulid()),
    currentOwner(),
  )
  const run = await store.adopt(runId, token)
  const zero = Date.now() - (how === 'done' ? calls * 40 : 1000)
  const events: RunEvent[] = []
  const add = (at: number, event: Record<string, unknown>) =>
    events.push(RunEvent.parse({ ...event, seq: events.length + 1, at: zero + at, runId, attempt: 1 }))
  add(0, {
    type: 'run.started',
    number: 1,
    title: `load of ${calls}`,
    path,
    script: sha256Of(TEXT),
    scriptChanged: false,
    declaredPhases: PHASES.map((title) => ({ title })),
    backend: 'simulated',
    policy: 'content',
    concurrency: 16,
    budget: null,
    startedAt: zero,
  })
  const records: NewRecord[] = []
  for (let call = 1; call <= calls; call += 1) {
    const prompt = `Look at part ${call}`
    const phase = phaseOf(call, calls)
    const at = how === 'done' ? call * 40 : 0
    records.push({ t: 'call', call, kind: 'agent', fp: sha256Of(prompt), label: `part ${call}`, phase, params: { prompt } })
    add(at, {
      type: 'call.queued',
      callId: call,
      kind: 'agent',
      label: `part ${call}`,
      title: prompt,
      phase,
      source: 'live',
      whyLive: 'new-call',
      agent: null,
      model: null,
      fp: sha256Of(prompt),
    })
    if (how === 'live') continue
    records.push({ t: 'started', call, attempt: 1, generation: 1, worker: 'local' })
    records.push({
      t: 'result',
      call,
      attempt: 1,
      result: { kind: 'ok', output: { inline: `answer ${call}` } },
      usage: USAGE,
      cost: null,
      ms: 400 + ((call * 37) % 900),
      tries: 1,
      backend: 'simulated',
    })
    add(at + 10, { type: 'call.started', callId: call, generation: 1, worker: 'local' })
    add(at + 410 + ((call * 37) % 900), endOf(call))
  }
  await run.append(records)
  if (how === 'done') {
    const counts = { ok: calls, dead: 0, skipped: 0, abandoned: 0, replayed: 0, live: calls }
    await run.append([{ t: 'end', attempt: 1, end: { status: 'completed' }, counts, value: { inline: null } }])
    add(calls * 40 + 2000, {
      type: 'run.ended',
      status: 'completed',
      reason: null,
      resetAt: null,
      error: null,
      counts,
      value: { inline: null },
    })
  }
  run.publish(events, viewOf(events))
  // As the engine leaves a run that has ended.
  if (how === 'done') await run.release(viewOf(events))
  return { runId, lastSeq: events.length }
}

/** What an ended call says in its event, but for its place in the stream. */
export function endOf(call: number): Record<string, unknown> {
  return {
    type: 'call.ended',
    callId: call,
    outcome: 'ok',
    source: 'live',
    reason: null,
    detail: null,
    ms: 400 + ((call * 37) % 900),
    usage: USAGE,
    cost: null,
    tries: 1,
    summary: `${call % 7} findings`,
    backend: 'simulated',
    fromAttempt: null,
  }
}

function viewOf(events: readonly RunEvent[]): RunView {
  let view: RunView | null = null
  for (const event of events) view = reduce(view, event)
  if (view === null) throw new Error('these events give no view')
  return view
}

/** A history of so many ended runs, as the index has them; nothing of them is opened while the list is scrolled. */
export async function makeHistory(project: string, runs: number): Promise<void> {
  const { runId } = await makeRun(project, 12, 'done')
  const { view } = await openStore(project).read(runId)
  const paths = projectPaths(project)
  const index = new IndexStore(paths)
  const now = Date.now()
  for (let number = 2; number <= runs; number += 1) {
    const id = RunId.parse(ulid(now - number * 600_000))
    mkdirSync(join(paths.runs, id))
    const startedAt = now - number * 600_000
    const made: RunView = {
      ...view,
      runId: id,
      number,
      title: `run ${number % 9}`,
      startedAt,
      updatedAt: startedAt + 60_000,
      endedAt: startedAt + 60_000,
    }
    index.append({ summary: summarize(made, 12), owner: null })
  }
}
