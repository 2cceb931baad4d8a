/** The run view: everything a screen shows of one run, folded from its events. The UI derives no state of its own. */
import * as z from 'zod'
import { Committed, CountsSchema, ErrorDataSchema, ValueSchema, WhyLive } from './events.ts'
import { CALL_KINDS } from './record.ts'

/** States of a run (engine rules: an attempt's end record, or the death of its owner). `killed` is *Stopped* on screen. */
export const RUN_STATUSES = ['queued', 'running', 'waiting', 'paused', 'completed', 'failed', 'killed', 'interrupted'] as const
export const RunStatus = z.enum(RUN_STATUSES)
export type RunStatus = z.infer<typeof RunStatus>

export const CALL_STATUSES = ['queued', 'running', 'retrying', 'waiting', 'ok', 'dead', 'skipped', 'abandoned', 'cut-off'] as const
export const CallStatus = z.enum(CALL_STATUSES)
export type CallStatus = z.infer<typeof CallStatus>

/** What a person can do to one call that has not ended. */
export const CallAction = z.enum(['skip', 'retry'])
export type CallAction = z.infer<typeof CallAction>

/** A permission that an agent waits for. `question` names it in the whole run. */
export const OpenQuestion = z.object({ question: z.string(), tool: z.string(), title: z.string(), at: z.number() })
export type OpenQuestion = z.infer<typeof OpenQuestion>

export const CallView = z.object({
  callId: z.number().int(),
  kind: z.enum(CALL_KINDS),
  label: z.string().nullable(),
  title: z.string(),
  phase: z.string().nullable(),
  status: CallStatus,
  source: z.enum(['replayed', 'live']),
  whyLive: WhyLive.nullable(),
  agent: z.string().nullable(),
  model: z.string().nullable(),
  fp: z.string(),
  queuedAt: z.number(),
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  /** Time worked, all tries; null until it ended. */
  ms: z.number().nullable(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cost: z.number().nullable(),
  tries: z.number(),
  summary: z.string(),
  reason: z.string().nullable(),
  detail: z.string().nullable(),
  backend: z.string().nullable(),
  fromAttempt: z.number().nullable(),
  /** What it did last, for the row of a running call. */
  lastProgress: z.string().nullable(),
  /** Of a sleep, or a gate with a time limit: when it ends by itself. */
  wakeAt: z.number().exactOptional(),
  /** Of a gate that was opened: what can be chosen. */
  options: z.array(z.string()).exactOptional(),
  /** Permissions that are open now, oldest first; absent when none is. */
  questions: z.array(OpenQuestion).exactOptional(),
  /** Of a call at work whose backend streams: when it was last heard of. Absent where silence means nothing. */
  lastEventAt: z.number().exactOptional(),
  /** The backend's own name for the conversation. */
  session: z.string().exactOptional(),
  actions: z.array(CallAction),
})
export type CallView = z.infer<typeof CallView>

export const PhaseView = z.object({
  title: z.string(),
  detail: z.string().nullable(),
  declared: z.boolean(),
  status: z.enum(['not-yet', 'running', 'ended']),
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
})
export type PhaseView = z.infer<typeof PhaseView>

export const AttemptView = z.object({
  attempt: z.number().int(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  status: z.string(),
  counts: CountsSchema,
})
export type AttemptView = z.infer<typeof AttemptView>

export const LogLine = z.object({
  seq: z.number(),
  at: z.number(),
  text: z.string(),
  level: z.enum(['info', 'warning']),
  source: z.enum(['replayed', 'live']),
})
export type LogLine = z.infer<typeof LogLine>

export const ACTIONS = ['stop', 'resume', 'pause', 'skip', 'retry', 'decide', 'answer', 'export', 'delete'] as const
export const Action = z.enum(ACTIONS)
export type Action = z.infer<typeof Action>

export const RunView = z.object({
  runId: z.string(),
  number: z.number().int(),
  title: z.string(),
  path: z.string(),
  script: z.string(),
  scriptChanged: z.boolean(),
  status: RunStatus,
  /** Of paused and waiting runs: what for. */
  reason: z.string().nullable(),
  resetAt: z.string().nullable(),
  error: ErrorDataSchema.nullable(),
  attempt: z.number().int(),
  attempts: z.array(AttemptView),
  backend: z.string().nullable(),
  concurrency: z.number(),
  budget: z.number().nullable(),
  /** US dollars the run may spend; null = no limit. */
  maxCost: z.number().nullable(),
  /** In order of first mention. */
  phases: z.array(PhaseView),
  currentPhase: z.string().nullable(),
  /** Of the last attempt, in call order. */
  calls: z.array(CallView),
  counts: CountsSchema,
  /** Output tokens of the calls delivered in the last attempt, replayed ones included; and only the live ones. */
  outputTokens: z.number(),
  liveOutputTokens: z.number(),
  cost: z.number().nullable(),
  /** What counts against the limits of the run. */
  committed: Committed,
  startedAt: z.number(),
  /** Start of the last attempt. */
  attemptStartedAt: z.number(),
  updatedAt: z.number(),
  endedAt: z.number().nullable(),
  /** The newest 200 lines. */
  log: z.array(LogLine),
  value: ValueSchema.nullable(),
  /** Journal lines that could not be read; their results are lost, all others are safe. */
  badLines: z.array(z.object({ line: z.number(), reason: z.string(), path: z.string() })),
  allowedActions: z.array(Action),
  /** Kept whatever its age, until it is unpinned. */
  pinned: z.literal(true).exactOptional(),
  lastSeq: z.number().int(),
})
export type RunView = z.infer<typeof RunView>

/** One row of the history: what the index keeps of a run. */
export const RunSummary = z.object({
  runId: z.string(),
  number: z.number().int(),
  title: z.string(),
  path: z.string(),
  status: RunStatus,
  reason: z.string().nullable(),
  /** One plain sentence without the state word, e.g. `“lint” died in Verify`. */
  sentence: z.string(),
  attempt: z.number().int(),
  counts: CountsSchema,
  queued: z.number().int(),
  outputTokens: z.number(),
  cost: z.number().nullable(),
  startedAt: z.number(),
  updatedAt: z.number(),
  endedAt: z.number().nullable(),
  backend: z.string().nullable(),
  currentPhase: z.string().nullable(),
  /** One cell a phase, in order, for the strip of a row. */
  strip: z.array(
    z.object({ title: z.string(), state: z.enum(['not-yet', 'running', 'waiting', 'done', 'replayed', 'failed', 'stopped']) }),
  ),
  /** Set when the run folder can't be read: the row then only names it and says why. */
  damaged: z.string().nullable(),
  pinned: z.literal(true).exactOptional(),
})
export type RunSummary = z.infer<typeof RunSummary>
