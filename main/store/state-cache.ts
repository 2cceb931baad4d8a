/**
 * `state.json`: the run view as of some byte of journal and events, so that a reader folds only the rest; and under `run`
 * the same run in the words that older tools of the family read. A cache: losing it costs time, never a result.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import * as z from 'zod'
import { assertNever } from '../../shared/assert-never.ts'
import type { Value } from '../../shared/run/record.ts'
import type { RunStatus } from '../../shared/run/view.ts'
import { RunView } from '../../shared/run/view.ts'
import { replaceFile, replaceFileLater } from './atomic-write.ts'
import { sealed, sealOf } from './checksum.ts'
import type { Disk } from './disk.ts'
import type { RunPaths } from './paths.ts'
import { payloadPath } from './paths.ts'

const VERSION = 1
const WRITE_EVERY_MS = 1000
/** A large view is written less often: at most this part of the time goes into writing it. */
const WRITE_SHARE = 1 / 20
const PREVIEW_BYTES = 2000

export interface CachedState {
  view: RunView
  journalBytes: number
  eventsBytes: number
}

const StateFile = z.object({
  schemaVersion: z.literal(VERSION),
  view: RunView,
  journalBytes: z.number().int().nonnegative(),
  eventsBytes: z.number().int().nonnegative(),
})

/** The cached view, null when there is none that can be used. Never throws. */
export function readState(run: RunPaths, runId: string): CachedState | null {
  try {
    const text = readFileSync(run.state, 'utf8')
    if (sealOf(text) !== 'whole') return null
    const parsed = StateFile.safeParse(JSON.parse(text))
    return parsed.success && parsed.data.view.runId === runId ? parsed.data : null
  } catch {
    return null
  }
}

export class StateCache {
  readonly #run: RunPaths
  readonly #disk: Disk
  #next: (() => CachedState) | null = null
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()
  #busy = false
  #notBefore = 0

  constructor(run: RunPaths, disk: Disk) {
    this.#run = run
    this.#disk = disk
  }

  /** Writes the newest state soon, at most once a second. */
  offer(state: () => CachedState): void {
    this.#next = state
    if (this.#timer !== null || this.#busy) return
    this.#timer = setTimeout(() => this.#start(), Math.max(0, this.#notBefore - Date.now()))
    this.#timer.unref()
  }

  /** Writes the last state; afterwards nothing is written any more. Failing is no loss. */
  async settle(state: CachedState): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#next = null
    await this.#writing
    if (this.#timer !== null) clearTimeout(this.#timer)
    try {
      replaceFile(this.#run.state, encodeState(this.#run, state), this.#disk)
    } catch {
      // Readers fold journal and events instead.
    }
  }

  #start(): void {
    this.#timer = null
    const state = this.#next
    if (state === null) return
    this.#next = null
    this.#busy = true
    const began = Date.now()
    const text = encodeState(this.#run, state())
    const spent = Date.now() - began
    this.#writing = replaceFileLater(this.#run.state, text, this.#disk)
      .catch(() => undefined)
      .then(() => {
        this.#busy = false
        this.#notBefore = Date.now() + Math.max(WRITE_EVERY_MS, spent / WRITE_SHARE)
        if (this.#next !== null) this.offer(this.#next)
      })
  }
}

/** The text of `state.json`. */
export function encodeState(run: RunPaths, { view, journalBytes, eventsBytes }: CachedState): string {
  return sealed(`${JSON.stringify({ schemaVersion: VERSION, run: familyRun(run, view), view, journalBytes, eventsBytes })}\n`)
}

function familyRun(run: RunPaths, view: RunView): { [key: string]: unknown } {
  return {
    runId: view.runId,
    workflowName: view.title,
    status: familyStatus(view.status),
    phases: view.phases.map((phase) => phase.title),
    declaredPhases: view.phases.filter((phase) => phase.declared).map((phase) => phase.title),
    currentPhase: view.currentPhase,
    agents: view.calls
      .filter((call) => call.kind === 'agent')
      .map((call) => ({
        id: call.callId,
        label: call.label ?? call.title,
        phase: call.phase,
        status: call.status,
        model: call.model,
        tokens: call.outputTokens,
      })),
    agentCount: view.calls.filter((call) => call.kind === 'agent').length,
    ...familyValue(run, view.value),
    ...(view.error === null ? {} : { error: view.error.message }),
    startedAt: view.startedAt,
    updatedAt: view.updatedAt,
  }
}

function familyValue(run: RunPaths, value: Value | null): { [key: string]: unknown } {
  if (value === null) return {}
  if ('inline' in value) return { returnValue: value.inline }
  return { returnValuePreview: previewOf(payloadPath(run, value.blob.sha256)), returnValueFile: `payload/${value.blob.sha256}` }
}

function previewOf(path: string): string {
  try {
    const fd = openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(PREVIEW_BYTES)
      return bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, 0))
    } finally {
      closeSync(fd)
    }
  } catch {
    return ''
  }
}

function familyStatus(status: RunStatus): 'running' | 'completed' | 'failed' | 'killed' {
  switch (status) {
    case 'completed':
    case 'failed':
    case 'killed':
      return status
    case 'interrupted':
      return 'killed'
    case 'queued':
    case 'running':
    case 'waiting':
    case 'paused':
      return 'running'
    default:
      return assertNever(status)
  }
}
