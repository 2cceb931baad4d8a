/**
 * The journal's records: what one line of `journal.jsonl` says. The member order here is the order on disk.
 * The store adds `v`, `n`, `at` and `crc`; everybody else sees a record with `n` and `at`.
 */
import type { PermissionMode } from '../contract/agents.ts'
import type { ErrorData } from '../errors.ts'
import type { Json } from '../json.ts'

export const CALL_KINDS = ['agent', 'check', 'gate', 'sleep', 'open-child'] as const
export type CallKind = (typeof CALL_KINDS)[number]

/** What the fingerprint of a call begins with that an older tool recorded under a key of its own. */
export const OLDER_KEY = 'older:'

/**
 * A value inline up to 64 KB of JSON, else a reference to `payload/<sha256>`. `unreadable` is never written: who reads the
 * records for a resume finds it where the file is gone or was changed.
 */
export type Value = { inline: Json } | { blob: { sha256: string; bytes: number; type: string }; unreadable?: true }

/** Tokens of one call, all tries together. */
export interface Usage {
  inputTokens: number
  outputTokens: number
  cachedInputTokens?: number
  reasoningTokens?: number
}

export const DEAD_REASONS = [
  'agent-error',
  'schema-mismatch',
  'timeout',
  'stalled',
  'worktree-failed',
  'refused',
  'rate-limited',
  'unknown-agent',
  'unknown-model',
  'unserialisable',
] as const
export type DeadReason = (typeof DEAD_REASONS)[number]

/** How a call ended. `dead` and `abandoned` count as without result when the run is resumed. */
export type CallResult =
  | { kind: 'ok'; output: Value }
  | { kind: 'skipped' }
  | { kind: 'abandoned' }
  | { kind: 'dead'; reason: DeadReason; detail: string }

/** The process that works on an attempt. Who is alive is decided by pid and start time on one boot of one host. */
export interface Owner {
  pid: number
  /** Start time of the process in the operating system's own unit (on Linux clock ticks since boot). */
  startTime: number
  /** Id of the machine's boot, so that a reused pid after a restart is no owner. */
  boot: string
  host: string
}

/** What a person chose for all calls of an attempt. */
export interface RunChoices {
  /** Model of calls that name none. */
  model?: string
  /** How free agents are with their tools, over what their profiles say. */
  permissions?: PermissionMode
}

export const RESUME_POLICIES = ['content', 'prefix', 'none'] as const
export type ResumePolicy = (typeof RESUME_POLICIES)[number]

export const PAUSE_REASONS = ['quota', 'auth', 'same-failure', 'budget', 'money', 'user'] as const
export type PauseReason = (typeof PAUSE_REASONS)[number]
export type WaitReason = 'gate' | 'wait' | 'sleep' | 'in-flight'

/** Calls of kind agent and check in one attempt: ok + dead + skipped + abandoned = settled, replayed + live = made. */
export interface Counts {
  ok: number
  dead: number
  skipped: number
  abandoned: number
  replayed: number
  live: number
}

/** How an attempt ended. */
export type End =
  | { status: 'completed' }
  | { status: 'failed'; error: ErrorData }
  | { status: 'killed' }
  | { status: 'paused'; reason: PauseReason; resetAt?: string }
  | { status: 'waiting'; reason: WaitReason; until?: number }

export interface Shown {
  path: string
  sha256: string
  text: Value
}

/** One record without what the store adds. Times are milliseconds since 1970. */
export type NewRecord =
  | {
      t: 'attempt'
      attempt: number
      token: string
      owner: Owner
      /** Sha-256 of the text that runs; the text itself is `source/<first 16 digits>.<ext>`. */
      script: string
      /** The attempt's input; absent means that the script sees `undefined`. */
      args?: Json
      engine: string
      policy: ResumePolicy
      /** First call (number) that a person chose to run again, with everything made after it. */
      from?: number
      backend: string | null
      choices?: RunChoices
    }
  | {
      t: 'call'
      call: number
      kind: CallKind
      fp: string
      label: string | null
      phase: string | null
      params: Json
      /** Filled in by the store: tells a call of an owner that lost the run from one of the owner that has it. */
      attempt?: number
    }
  | {
      t: 'started'
      call: number
      attempt: number
      generation: number
      worker: string
      /** Of a sleep, or a gate with a time limit: when it ends by itself. */
      wakeAt?: number
      session?: string
      /** Of a gate that shows a file: the text as it was when the gate opened. */
      shown?: Shown
    }
  | {
      t: 'result'
      call: number
      attempt: number
      result: CallResult
      usage: Usage
      /** In US dollars, null when nobody told. */
      cost: number | null
      ms: number
      tries: number
      backend: string | null
    }
  | { t: 'command'; id: string; outcome: string }
  | { t: 'end'; attempt: number; end: End; counts: Counts; value?: Value }

/** A record as read: `n` is its line's own number in the journal, from 1. */
export type JournalRecord = NewRecord & { n: number; at: number }

/** A journal line that could not be used. `line` counts from 1. */
export interface BadLine {
  line: number
  reason: string
  path: string
}
