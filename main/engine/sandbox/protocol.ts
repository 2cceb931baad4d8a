/** What the run host and the script's thread say to each other. Structured-cloned, so plain data only. */
import type { ErrorData } from '../../../shared/errors.ts'
import type { Json } from '../../../shared/json.ts'
import type { WhyLive } from '../../../shared/run/events.ts'
import type { CallKind, ResumePolicy } from '../../../shared/run/record.ts'
import type { PreparedScript } from '../source/check-script.ts'

/** One recorded call, as the scheduler needs it. `rank` orders recorded deliveries: the `n` of its last result record. */
export interface RecordedCall {
  call: number
  kind: CallKind
  fp: string
  /** `reusable`: replayed; `lazy`: abandoned last time, started only when nothing else moves; `rerun`: goes live at once. */
  state: 'reusable' | 'lazy' | 'rerun'
  why: WhyLive
  rank: number
  /** The recorded result, when reusable and small; null output of a skipped call. Absent: ask for it when it is delivered. */
  output?: Json
  outputTokens: number
  /** When the result was recorded: what `now()` says after its delivery. */
  at: number
  /** Takes a place in the limit of agents of the run. */
  counts: boolean
  /** The same script with the same input asked for it and got its result: it is to ask for it again. */
  isExpected: boolean
  /** Calls of which each, once it was asked for, takes this result away: a person chose to run again from there. */
  takenAfter?: number[]
}

export interface ScriptInit {
  script: PreparedScript
  /** Absent: `undefined`. */
  args?: Json
  seed: string
  startedAt: number
  attempt: number
  budget: number | null
  maxAgents: number
  policy: ResumePolicy
  history: RecordedCall[]
}

export type ToScript =
  | { t: 'result'; call: number; output: Json; outputTokens: number; at: number }
  | { t: 'value'; call: number; output: Json }
  /** From now on every hook rejects with this error and nothing is delivered any more. */
  | { t: 'halt'; error: ErrorData }
  | { t: 'ping'; id: number }

/** A thread may be started before it is known what it runs: that is the first message. */
export type ToThread = { t: 'init'; init: ScriptInit } | ToScript

export interface AskedCall {
  t: 'call'
  call: number
  kind: CallKind
  fp: string
  label: string | null
  phase: string | null
  request: Json
  /** Null: taken from the journal. */
  whyLive: WhyLive | null
  /** True when the journal has no `call` record of it yet. */
  isNew: boolean
  /** Abandoned last time: asked for, but started only when nothing else moves (`start`). */
  lazy: boolean
  /** Nothing of the kind is recorded, at a point before the end of what the same script asked for with the same results. */
  isUnexpected: boolean
  /** Of an unexpected call: the line in the script as written of the hook call; else null. */
  line: number | null
}

/** What the thread gets as the result of an `open-child` call: the text made ready, or why there is none. */
export type OpenedChild = { script: PreparedScript } | { refused: ErrorData }

export type FromScript =
  | AskedCall
  | { t: 'start'; call: number }
  | { t: 'delivered'; call: number }
  | { t: 'need'; call: number }
  /** `child`: the call that opened the workflow whose phase it is; null for the run's own script. */
  | { t: 'phase'; title: string; source: 'replayed' | 'live'; child: number | null }
  /** The child's body has settled: it is in no phase any more. */
  | { t: 'child-ended'; child: number }
  | { t: 'log'; text: string; level: 'info' | 'warning'; source: 'replayed' | 'live'; line: number | null }
  /** Quiet, and waiting for live calls; `heard` counts the results that it was handed until now. */
  | { t: 'idle'; heard: number }
  | { t: 'settled'; outcome: { ok: true; value: Json } | { ok: false; error: ErrorData } }
  | { t: 'stuck'; error: ErrorData }
  /** A limit was met: the run ends with this error once what is running has finished. */
  | { t: 'limit'; error: ErrorData }
  /** `memory`: bytes that the script's thread keeps. */
  | { t: 'pong'; id: number; memory: number }
