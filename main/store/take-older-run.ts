/**
 * Makes a run of an older tool one of ours, so that it can go on: a journal of ours beside the older one begins with what
 * that says, as records of attempt 1. Each file is made whole or not at all, once, and from what does not change, so that a
 * crash or a second claimant between two of them does no harm. The older journal is never touched.
 */
import { existsSync, linkSync } from 'node:fs'
import { join } from 'node:path'
import type { ErrorData } from '../../shared/errors.ts'
import type { End, NewRecord, Value } from '../../shared/run/record.ts'
import type { RunView } from '../../shared/run/view.ts'
import { createFile } from './atomic-write.ts'
import { writeError } from './disk.ts'
import { encodeRecord } from './journal-format.ts'
import { claimNumber } from './make-run.ts'
import { readOlderRun } from './older-run.ts'
import { NOBODY } from './owner.ts'
import type { ProjectPaths, RunPaths } from './paths.ts'
import { BESIDE_OLDER, makeRunsFolder } from './paths.ts'
import { putValue } from './payload.ts'
import { encodeRunInfo } from './run-info.ts'

/**
 * Does nothing for a run that is ours already, or none at all. Its files have other paths afterwards.
 * @throws AppError `disk-full`, `no-permission`, `project-unwritable`
 */
export function takeOlderRun(paths: ProjectPaths, files: RunPaths): void {
  const older = existsSync(files.info) ? null : readOlderRun(files)
  if (older === null) return
  makeRunsFolder(paths)
  try {
    const { info, view, records } = older
    const result = (value: Value): Value => ('inline' in value ? putValue(files, value.inline) : value)
    const first: NewRecord = {
      ...{ t: 'attempt', attempt: 1, token: 'older', owner: NOBODY, script: '', engine: info.engine, policy: 'content', backend: null },
    }
    const calls = records.map((record): NewRecord => {
      if (record.t === 'call') return { ...record, attempt: 1 }
      if (record.t !== 'result' || record.result.kind !== 'ok') return record
      return { ...record, result: { kind: 'ok', output: result(record.result.output) } }
    })
    const end = endOf(view)
    const ends: NewRecord[] =
      end === null ? [] : [{ t: 'end', attempt: 1, end, counts: view.counts, ...(view.value !== null && { value: result(view.value) }) }]
    const lines = [first, ...calls, ...ends].map((record, i) => encodeRecord({ ...record, n: i + 1, at: info.createdAt }))
    createFile(join(files.folder, BESIDE_OLDER), `${lines.join('\n')}\n`)
    keepState(files)
    createFile(files.info, encodeRunInfo({ ...info, project: paths.project, number: claimNumber(paths, info.runId) }))
  } catch (error) {
    throw writeError(error, files.folder)
  }
}

/** Null: it was cut off. */
function endOf({ status, error }: RunView): End | null {
  switch (status) {
    case 'completed':
    case 'killed':
      return { status }
    case 'failed':
      return { status, error: { code: 'script-error', message: error?.message ?? 'failed' } satisfies ErrorData }
    default:
      return null
  }
}

/** Our cache takes the place of the older state, which stays readable beside it. */
function keepState(files: RunPaths): void {
  try {
    linkSync(files.state, join(files.folder, 'state.older.json'))
  } catch {
    // It is there already, or the file system has no links; nothing is read from it any more.
  }
}
