/** `run.json`: what a run is, written once when it is made. */
import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { PermissionMode } from '../../shared/contract/agents.ts'
import { AppError } from '../../shared/errors.ts'
import { RunId } from '../../shared/ids.ts'
import { RESUME_POLICIES } from '../../shared/run/record.ts'
import { STALL_MINUTES } from '../../shared/run/stall.ts'
import type { RunInfo } from '../engine/ports.ts'
import { sealed, sealOf } from './checksum.ts'
import { isMissing } from './disk.ts'
import type { RunPaths } from './paths.ts'

const VERSION = 1

const RunFile = z.object({
  schemaVersion: z.number().int(),
  runId: RunId,
  number: z.number().int(),
  requestId: z.string(),
  createdAt: z.number(),
  title: z.string(),
  source: z.object({
    kind: z.enum(['file', 'named']),
    path: z.string(),
    name: z.string().nullable(),
    sha256: z.string(),
    ext: z.enum(['ts', 'js', 'mjs']),
  }),
  args: z.json().exactOptional(),
  project: z.string(),
  workspace: z.enum(['current', 'worktree']),
  git: z.object({ head: z.string(), branch: z.string().nullable() }).nullable(),
  limits: z.object({
    concurrency: z.number(),
    maxAgents: z.number(),
    budget: z.number().nullable(),
    // Runs of earlier versions know neither.
    maxCost: z.number().nullable().default(null),
    stallMs: z
      .number()
      .nullable()
      .default(STALL_MINUTES * 60_000),
  }),
  seed: z.string(),
  engine: z.string(),
  backend: z.string().nullable(),
  policy: z.enum(RESUME_POLICIES),
  choices: z.object({ model: z.string().exactOptional(), permissions: PermissionMode.exactOptional() }).exactOptional(),
  imported: z.object({ attempts: z.number().int().nonnegative() }).exactOptional(),
  redacted: z.literal(true).exactOptional(),
})

export function encodeRunInfo(info: RunInfo): string {
  return sealed(`${JSON.stringify({ schemaVersion: VERSION, ...info }, null, 2)}\n`)
}

/**
 * Reads `run.json`.
 * @throws AppError `run-damaged`, `newer-format`
 */
export function readRunInfo(run: RunPaths): RunInfo {
  let text: string
  let value: unknown
  try {
    text = readFileSync(run.info, 'utf8')
    value = JSON.parse(text)
  } catch (error) {
    const why = isMissing(error) ? 'is gone' : "can't be read"
    throw new AppError('run-damaged', `${run.info} ${why}, so this run can't be opened. Its results are in journal.jsonl beside it.`, {
      cause: error,
    })
  }
  const version = z.object({ schemaVersion: z.number() }).safeParse(value)
  if (version.success && version.data.schemaVersion > VERSION) {
    throw new AppError('newer-format', `${run.info} was written by a newer version of Reprise. Update to open it.`)
  }
  if (sealOf(text) === 'altered') {
    throw new AppError(
      'run-damaged',
      `${run.info} does not match its checksum, so this run can't be opened. Its results are in journal.jsonl beside it.`,
    )
  }
  const parsed = RunFile.safeParse(value)
  if (!parsed.success) {
    throw new AppError('run-damaged', `${run.info} is damaged: ${z.prettifyError(parsed.error)}`, { cause: parsed.error })
  }
  const { schemaVersion: _, ...info } = parsed.data
  return info
}
