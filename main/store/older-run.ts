/**
 * Run folders of older tools of this family: `state.json` (schemaVersion 1) without a `run.json`, and a journal of lines
 * `{key, result}`. They are listed and read; a recorded call keeps its key, marked as such, as its fingerprint.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { RunId } from '../../shared/ids.ts'
import { type CallResult, type JournalRecord, OLDER_KEY } from '../../shared/run/record.ts'
import { reduce } from '../../shared/run/reduce.ts'
import type { RunView } from '../../shared/run/view.ts'
import type { RunInfo, RunRead } from '../engine/ports.ts'
import { placed, startedEvent } from './lost-events.ts'
import { NOBODY } from './owner.ts'
import { OLDER_JOURNAL, type RunPaths } from './paths.ts'

const Time = z.union([z.number(), z.string()])
const OlderState = z.object({
  schemaVersion: z.literal(1),
  // Our own cache has one too: without its run.json such a run is damaged, not old.
  view: z.never().optional(),
  run: z.object({
    runId: RunId,
    workflowName: z.string(),
    status: z.enum(['running', 'completed', 'failed', 'killed']),
    description: z.string().optional(),
    startedAt: Time.optional(),
    updatedAt: Time.optional(),
    error: z.unknown().optional(),
    returnValue: z.json().optional(),
  }),
})
type OlderRun = z.infer<typeof OlderState>['run']

const OlderLine = z.object({
  key: z.string(),
  seq: z.number().optional(),
  result: z.json().optional(),
  dead: z.unknown().optional(),
  skipped: z.unknown().optional(),
})

const NO_USAGE = { inputTokens: 0, outputTokens: 0 }

/** The run of an older tool; null when the folder is none. */
export function readOlderRun(run: RunPaths): RunRead | null {
  const older = readState(run)
  if (older === null) return null
  const startedAt = timeOf(older.startedAt)
  const project = dirname(dirname(dirname(run.folder)))
  const info: RunInfo = {
    runId: older.runId,
    number: 0,
    requestId: '',
    createdAt: startedAt,
    title: older.workflowName,
    source: { ...workflowOf(project, older.workflowName), kind: 'named', name: older.workflowName, sha256: '' },
    project,
    workspace: 'current',
    git: null,
    limits: { concurrency: 1, maxAgents: 1000, budget: null, maxCost: null, stallMs: null },
    seed: older.runId,
    engine: 'older',
    backend: null,
    policy: 'content',
  }
  const { records, badLines } = readLines(run, startedAt)
  return { info, records, badLines, view: viewOf(older, info, records), owner: NOBODY, ownerAlive: false }
}

/** The project's workflow of that name as it is now: such a run tells neither its file nor its text. */
function workflowOf(project: string, name: string): { path: string; ext: 'ts' | 'js' | 'mjs' } {
  const folder = join(project, '.claude', 'workflows')
  const isName = !/[/\\\0]/.test(name)
  for (const infix of ['', '.workflow']) {
    for (const ext of ['ts', 'js', 'mjs'] as const) {
      const path = join(folder, `${name}${infix}.${ext}`)
      if (isName && existsSync(path)) return { path, ext }
    }
  }
  return { path: isName ? join(folder, `${name}.js`) : name, ext: 'js' }
}

function readState(run: RunPaths): OlderRun | null {
  try {
    const parsed = OlderState.safeParse(JSON.parse(readFileSync(run.state, 'utf8')))
    return parsed.success ? parsed.data.run : null
  } catch {
    return null
  }
}

function readLines(run: RunPaths, at: number): Pick<RunRead, 'records' | 'badLines'> {
  const badLines: RunRead['badLines'] = []
  const lines: z.infer<typeof OlderLine>[] = []
  const journal = join(run.folder, OLDER_JOURNAL)
  textOf(journal)
    .split('\n')
    .forEach((text, place) => {
      if (text.trim() === '') return
      const line = parseLine(text)
      if (line === null) badLines.push({ line: place + 1, reason: 'is no usable record', path: journal })
      else lines.push(line)
    })
  // Without numbers the order in the file is the order of delivery.
  if (lines.every((line) => line.seq !== undefined)) lines.sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0))
  const records = lines.flatMap((line, place): JournalRecord[] => [
    { t: 'call', call: place + 1, kind: 'agent', fp: OLDER_KEY + line.key, label: null, phase: null, params: {}, n: 2 * place + 1, at },
    {
      t: 'result',
      call: place + 1,
      attempt: 1,
      result: resultOf(line),
      usage: NO_USAGE,
      cost: null,
      ms: 0,
      tries: 1,
      backend: null,
      n: 2 * place + 2,
      at,
    },
  ])
  return { records, badLines }
}

function parseLine(text: string): z.infer<typeof OlderLine> | null {
  try {
    const parsed = OlderLine.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

function resultOf(line: z.infer<typeof OlderLine>): CallResult {
  if (line.dead) return { kind: 'dead', reason: 'agent-error', detail: typeof line.dead === 'string' ? line.dead : '' }
  if (line.skipped) return { kind: 'skipped' }
  return { kind: 'ok', output: { inline: line.result ?? null } }
}

function viewOf(older: OlderRun, info: RunInfo, records: readonly JournalRecord[]): RunView {
  const view = reduce(null, placed(startedEvent(info, null, null), 0))
  if (view === null) throw new Error('A run.started event always gives a view')
  const results = records.flatMap((record) => (record.t === 'result' ? [record.result.kind] : []))
  const count = (kind: CallResult['kind']): number => results.filter((result) => result === kind).length
  const counts = { ok: count('ok'), dead: count('dead'), skipped: count('skipped'), abandoned: 0, replayed: 0, live: results.length }
  const endedAt = timeOf(older.updatedAt) || info.createdAt
  // Whoever ran it left no trace of its process: what still says running was interrupted.
  const status = older.status === 'running' ? 'interrupted' : older.status
  const error =
    older.status === 'failed' ? { code: 'script-error', message: typeof older.error === 'string' ? older.error : 'failed' } : null
  return {
    ...view,
    status,
    error,
    counts,
    value: older.returnValue === undefined ? null : { inline: older.returnValue },
    updatedAt: endedAt,
    endedAt,
    attempts: view.attempts.map((attempt) => ({ ...attempt, status, endedAt, counts })),
    allowedActions: status === 'completed' ? ['delete'] : ['resume', 'delete'],
  }
}

function timeOf(time: number | string | undefined): number {
  const at = typeof time === 'string' ? Date.parse(time) : (time ?? 0)
  return Number.isNaN(at) ? 0 : at
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
