/** Runs to export, and `.reprise` files as an attacker would make them. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync, type Zippable, zipSync } from 'fflate'
import type { OpenRun } from '../../main/engine/ports.ts'
import { exportRun } from '../../main/store/bundle-export.ts'
import { MANIFEST, type Manifest } from '../../main/store/bundle-format.ts'
import { currentOwner } from '../../main/store/owner.ts'
import { sha256Of } from '../../main/store/payload.ts'
import type { LocalRunStore } from '../../main/store/run-store.ts'
import type { RunId } from '../../shared/ids.ts'
import type { Json } from '../../shared/json.ts'
import type { RunEvent } from '../../shared/run/events.ts'
import type { NewRecord } from '../../shared/run/record.ts'
import {
  base,
  COUNTS,
  call,
  completed,
  queuedEvent,
  result,
  runsOf,
  started,
  startedEvent,
  startedRun,
  tempFolder,
  viewFrom,
} from './run-fixtures.ts'

export interface Finished {
  project: string
  store: LocalRunStore
  runId: RunId
}

/** A run of one call that has ended; its answer is `output`. */
export async function finishedRun(
  output: Json = 'answer 1',
  more: { prompt?: string; end?: NewRecord; project?: string } = {},
): Promise<Finished> {
  const { project, store, runId, run } = await startedRun(currentOwner(), more.project ?? tempFolder())
  await record(run, runId, output, more.prompt, more.end ?? completed())
  return { project, store, runId }
}

async function record(run: OpenRun, runId: string, output: Json, prompt: string | undefined, end: NewRecord): Promise<void> {
  const answer = result(1)
  await run.append([call(1, prompt), started(1)])
  await run.append([{ ...answer, result: { kind: 'ok', output: await run.put(output) } }, end])
  const events: RunEvent[] = [{ ...startedEvent(runId), number: run.info.number }, queuedEvent(runId, 2, 1, 'Review')]
  events.push({
    type: 'log',
    ...base(runId, 3),
    text: `said ${JSON.stringify(output).slice(0, 60)}`,
    level: 'info',
    source: 'live',
    line: null,
  })
  events.push({
    type: 'run.ended',
    ...base(runId, 4),
    status: end.t === 'end' ? end.end.status : 'completed',
    reason: null,
    resetAt: null,
    error: null,
    counts: COUNTS,
    value: { inline: 'done' },
  })
  // A later run ended later.
  for (const event of events) event.at += 1000 * run.info.number
  run.publish(events, viewFrom(events))
  await run.release(viewFrom(events))
}

export function bundleOf({ project, runId }: Finished, redact: Record<string, string> | null = null): string {
  return exportRun(project, runId, join(tempFolder(), 'run.reprise'), { replace: false, redact }).path
}

export function unpacked(path: string): Record<string, Uint8Array> {
  return unzipSync(readFileSync(path))
}

/** The same bundle with other contents, and a manifest that fits them. */
export function forged(path: string, change: (files: Zippable) => void, manifest: (sums: Manifest) => void = () => undefined): string {
  const files: Zippable = unpacked(path)
  const sums = JSON.parse(Buffer.from(files[MANIFEST] as Uint8Array).toString()) as Manifest
  delete files[MANIFEST]
  change(files)
  sums.files = Object.entries(files).map(([name, file]) => {
    const bytes = (Array.isArray(file) ? file[0] : file) as Uint8Array
    return { name, bytes: bytes.length, sha256: sha256Of(bytes) }
  })
  manifest(sums)
  files[MANIFEST] = Buffer.from(JSON.stringify(sums))
  const forgery = join(tempFolder(), 'forged.reprise')
  writeFileSync(forgery, zipSync(files))
  return forgery
}

/** Changes the table of contents' row of one file, whose fields `change` writes at their offsets. */
export function patched(path: string, name: string, change: (bytes: Buffer, row: number) => void): string {
  const bytes = readFileSync(path)
  const row = bytes.lastIndexOf(name) - 46
  change(bytes, row)
  writeFileSync(path, bytes)
  return path
}

/** Names of everything in a project's runs folder, hidden ones as well; empty when there is none. */
export function inRuns(project: string): string[] {
  try {
    return readdirSync(runsOf(project)).sort()
  } catch {
    return []
  }
}

/** A folder with a project's runs folder in it, and a neighbour that nothing may be written to. */
export function guarded(): { project: string; around: () => string[] } {
  const outer = tempFolder()
  const project = join(outer, 'project')
  mkdirSync(project)
  return { project, around: () => readdirSync(outer) }
}
