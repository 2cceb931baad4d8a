/** Harms a file beside the journal, as disks do, and holds what the store says of the run afterwards against what it said before. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertNever } from '../../shared/assert-never.ts'
import { AppError } from '../../shared/errors.ts'
import type { RunId } from '../../shared/ids.ts'
import { canonicalJson } from '../../shared/json.ts'
import type { RunRead } from '../engine/ports.ts'
import type { RunPaths } from '../store/paths.ts'
import type { LocalRunStore } from '../store/run-store.ts'
import type { Chance } from './chance.ts'
import { flipBit, harmWhole, tearTail } from './damage.ts'

const FILES = ['state', 'events', 'info', 'payload'] as const

export interface Harm {
  how: 'tear' | 'flip'
  /** What was not noticed, in words; null when everything was. */
  missed: string | null
}

/**
 * Harms one of the run's files: its cached view, its events, its `run.json` (mended afterwards, since nothing goes on
 * without it) or a stored value. Null when the run has no such file yet.
 */
export async function harmBeside(store: LocalRunStore, files: RunPaths, runId: RunId, chance: Chance): Promise<Harm | null> {
  const which = FILES[chance.below(FILES.length)] ?? 'state'
  const how = chance.next() < 0.5 ? 'tear' : 'flip'
  switch (which) {
    case 'state': {
      if (sizeOf(files.state) === 0) return null
      const cached = await viewOf(store, runId)
      harmWhole(files.state, how, chance)
      const after = await viewOf(store, runId)
      rmSync(files.state)
      // Events that were harmed before may be known to the cache alone.
      const folded = await viewOf(store, runId)
      return { how, missed: after === cached || after === folded ? null : 'a harmed state.json changed the view' }
    }
    case 'events': {
      if (sizeOf(files.events) === 0) return null
      const before = okCalls(await store.read(runId))
      if (how === 'flip') flipBit(files.events, chance)
      else if (!tearTail(files.events, chance)) return null
      return { how, missed: untold(await store.read(runId), before) }
    }
    case 'info': {
      const before = readFileSync(files.info)
      const { info } = await store.read(runId)
      harmWhole(files.info, how, chance)
      const missed = await unnamed(store, runId, canonicalJson(info))
      writeFileSync(files.info, before)
      return { how, missed }
    }
    case 'payload': {
      const names = namesIn(files.payload)
      const name = names[chance.below(names.length)]
      if (name === undefined) return null
      harmWhole(join(files.payload, name), how, chance)
      return { how, missed: await stillRead(store, runId, name) }
    }
    default:
      return assertNever(which)
  }
}

async function viewOf(store: LocalRunStore, runId: RunId): Promise<string> {
  return canonicalJson((await store.read(runId)).view)
}

function okCalls({ view }: RunRead): Set<number> {
  return new Set(view.calls.filter((call) => call.status === 'ok').map((call) => call.callId))
}

/** The journal has the last word on results, whatever became of the events. */
function untold(read: RunRead, before: ReadonlySet<number>): string | null {
  const { view, records, info } = read
  const saved = new Set(records.flatMap((record) => (record.t === 'result' && record.result.kind === 'ok' ? [record.call] : [])))
  for (const call of okCalls(read)) if (!saved.has(call) && !before.has(call)) return `harmed events gave call ${call} a result`
  const shown = new Map(view.calls.map((call) => [call.callId, call.status]))
  const hidden = records.find(
    (record) => record.t === 'result' && record.attempt === view.attempt && shown.get(record.call) !== record.result.kind,
  )
  if (hidden !== undefined) return `harmed events hid line ${hidden.n}`
  return view.title === info.title ? null : 'harmed events gave the run another title'
}

/** A run whose `run.json` was harmed is one damaged row, unless the harm changed nothing of what it says. */
async function unnamed(store: LocalRunStore, runId: RunId, info: string): Promise<string | null> {
  const row = (await store.list({ limit: 200 })).runs.find((one) => one.runId === runId)
  if (row === undefined) return 'a harmed run.json took its run out of the list'
  if (row.damaged !== null) return null
  const read = await store.read(runId).catch((error: unknown) => AppError.wrap(error))
  if (read instanceof AppError) return 'a run that can not be read is listed as whole'
  return canonicalJson(read.info) === info ? null : 'a harmed run.json was believed'
}

async function stillRead(store: LocalRunStore, runId: RunId, sha256: string): Promise<string | null> {
  for (const record of (await store.read(runId)).records) {
    if (record.t !== 'result' || record.result.kind !== 'ok' || !('blob' in record.result.output)) continue
    if (record.result.output.blob.sha256 !== sha256) continue
    const answer = await store.value(runId, record.result.output).catch((error: unknown) => AppError.wrap(error))
    if (!(answer instanceof AppError)) return 'a harmed stored value was read as if whole'
  }
  return null
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^[0-9a-f]{64}$/.test(name))
  } catch {
    return []
  }
}
