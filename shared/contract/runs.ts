/** Runs of the open project: look at them, start one, resume one, stop one. */
import * as z from 'zod'
import { RequestId, RunId } from '../ids.ts'
import { DryRun } from '../run/dry-run.ts'
import { PhaseMeta, WhyLive } from '../run/events.ts'
import { ResumePlan } from '../run/plan.ts'
import { CALL_KINDS, DEAD_REASONS, RESUME_POLICIES } from '../run/record.ts'
import { TranscriptPage } from '../run/transcript.ts'
import { type CallView, RUN_STATUSES, RunSummary, RunView } from '../run/view.ts'
import { PermissionMode } from './agents.ts'
import { Done, method } from './method.ts'

const count = z.number().int().positive()
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const OfRun = z.object({ runId: RunId })
/** A file as the person dropped or chose it, or the name of a workflow of the project or the user. */
export const Target = z.union([z.strictObject({ path: z.string().min(1) }), z.strictObject({ name: z.string().min(1) })])

export const Diagnostic = z.object({
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  message: z.string(),
  line: z.number(),
  column: z.number(),
})

const Place = z.object({ name: z.string(), line: z.number(), column: z.number() })

/** What reading a script tells before any of it runs. */
export const Preflight = z.object({
  path: z.string(),
  name: z.string().nullable(),
  text: z.string(),
  sha256: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  phases: z.array(PhaseMeta),
  diagnostics: z.array(Diagnostic),
  uses: z.object({
    hooks: z.array(z.string()),
    agentTypes: z.array(Place),
    models: z.array(Place),
    defaultAgent: z.boolean(),
    worktrees: z.boolean(),
    checks: z.boolean(),
    children: z.array(Place.extend({ isPath: z.boolean() })),
  }),
  /** The workflows that it calls by literal names: trusting the text is trusting them as they are now. */
  children: z.array(z.object({ name: z.string(), path: z.string(), sha256: z.string(), trustNeeded: z.string().nullable() })),
  /** Why the person must trust this text first; null when there is nothing to ask. */
  trustNeeded: z.string().nullable(),
})
export type Preflight = z.infer<typeof Preflight>

const Usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedInputTokens: z.number().exactOptional(),
  reasoningTokens: z.number().exactOptional(),
})

const Stored = z.union([
  z.object({ inline: z.json() }),
  z.object({ blob: z.object({ sha256: z.string(), bytes: z.number(), type: z.string() }) }),
])

/** Everything known of one call, for the inspector. */
export const CallDetail = z.object({
  callId: z.number().int(),
  kind: z.enum(CALL_KINDS).or(z.string()),
  label: z.string().nullable(),
  phase: z.string().nullable(),
  fp: z.string(),
  params: z.json(),
  result: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('ok'), output: Stored }),
      z.object({ kind: z.literal('skipped') }),
      z.object({ kind: z.literal('abandoned') }),
      z.object({ kind: z.literal('dead'), reason: z.enum(DEAD_REASONS), detail: z.string() }),
    ])
    .nullable(),
  /** In full, when the result is ok. */
  output: z.json().nullable(),
  usage: Usage.nullable(),
  ms: z.number().nullable(),
  tries: z.number().nullable(),
  backend: z.string().nullable(),
  attempt: z.number().nullable(),
  whyLive: WhyLive.nullable(),
  /** Of a gate that shows a file: the text as it was when the gate opened. */
  shown: z.object({ path: z.string(), sha256: Sha256, text: z.string() }).exactOptional(),
  /** Of a gate that waits: the text of that file as it is now, when it is another one. */
  shownNow: z.object({ sha256: Sha256, text: z.string() }).exactOptional(),
})
export type CallDetail = z.infer<typeof CallDetail>

const launchOptions = {
  /** Made by the page, once a sheet: asking twice with the same id starts one run. */
  requestId: RequestId,
  /** Hash of the text that the person saw. */
  seenSha256: Sha256.exactOptional(),
  /** Absent: the script's `args` is `undefined`. */
  args: z.json().exactOptional(),
  title: z.string().exactOptional(),
  budget: count.exactOptional(),
  /** US dollars. */
  maxCost: z.number().positive().exactOptional(),
  model: z.string().min(1).exactOptional(),
  permissions: PermissionMode.exactOptional(),
  /** Milliseconds of silence after which an agent is taken as stuck; null for never. */
  stallMs: z.number().int().positive().nullable().exactOptional(),
  concurrency: count.exactOptional(),
  maxAgents: count.exactOptional(),
  workspace: z.enum(['current', 'worktree']).exactOptional(),
  agent: z.string().min(1).exactOptional(),
}

const resumeOptions = {
  policy: z.enum(RESUME_POLICIES).exactOptional(),
  from: z.number().int().exactOptional(),
  inFlight: z.enum(['repeat', 'skip', 'stop', 'continue']).exactOptional(),
  args: z.json().exactOptional(),
  file: z.string().min(1).exactOptional(),
  budget: count.exactOptional(),
  /** US dollars. */
  maxCost: z.number().positive().exactOptional(),
  model: z.string().min(1).exactOptional(),
  permissions: PermissionMode.exactOptional(),
  /** Milliseconds of silence after which an agent is taken as stuck; null for never. */
  stallMs: z.number().int().positive().nullable().exactOptional(),
  concurrency: count.exactOptional(),
  agent: z.string().min(1).exactOptional(),
}

/** `existed`: the same request had made the run already, nothing was started. */
export const Started = z.object({ runId: RunId, number: z.number().int(), existed: z.boolean() })
export type Started = z.infer<typeof Started>

export const list = method('runs.list', {
  input: z.object({
    status: z.array(z.enum(RUN_STATUSES)).exactOptional(),
    workflow: z.string().exactOptional(),
    text: z.string().exactOptional(),
    offset: z.number().int().nonnegative().exactOptional(),
    limit: z.number().int().positive().max(1_000),
  }),
  output: z.object({ runs: z.array(RunSummary), total: z.number().int() }),
})
/** Of ten thousand calls each was checked when it was read; the thread that owns the windows has no time to do it again. */
const ReadRun = RunView.extend({ calls: z.array(z.custom<CallView>((call) => typeof call === 'object' && call !== null)) })
/** `attempt`: an earlier one, as it was when it ended; nothing can be done to it. */
export const show = method('runs.show', { input: OfRun.extend({ attempt: count.exactOptional() }), output: ReadRun })
export const call = method('runs.call', {
  input: OfRun.extend({ callId: z.number().int(), attempt: count.exactOptional() }),
  output: CallDetail,
})
/** What the call's agent told, newest lines last; `before` pages back from a line's `n`. */
export const transcript = method('runs.transcript', {
  input: OfRun.extend({
    callId: z.number().int(),
    before: z.number().int().positive().exactOptional(),
    limit: z.number().int().positive().max(5000),
  }),
  output: TranscriptPage,
})
/** The return value in full; no `value` when the run has none. */
export const value = method('runs.value', { input: OfRun, output: z.object({ value: z.json().exactOptional() }) })
export const preflight = method('runs.preflight', {
  input: z.object({ target: Target, agent: z.string().min(1).exactOptional() }),
  output: Preflight,
})
export const trust = method('runs.trust', { input: z.object({ sha256: Sha256, path: z.string().min(1) }), output: Done })
export const launch = method('runs.launch', { input: z.object({ target: Target, ...launchOptions }), output: Started })
const { requestId: _, title: __, workspace: ___, ...dryRunOptions } = launchOptions
/** Executes the script with simulated agents and tells its calls. Nothing is started and nothing is saved. */
export const dryRun = method('runs.dryRun', { input: z.object({ target: Target, ...dryRunOptions }), output: DryRun })
export const plan = method('runs.plan', { input: OfRun.extend(resumeOptions), output: ResumePlan })
export const resume = method('runs.resume', { input: OfRun.extend(resumeOptions), output: Started })
export const stop = method('runs.stop', {
  /** `keep` lets running calls end in order, `now` kills them; finished results are safe either way. */
  input: OfRun.extend({ how: z.enum(['keep', 'now']) }),
  output: z.enum(['accepted', 'ended', 'no-answer']),
})
/** Running calls finish and are saved, nothing new starts; the attempt then ends as paused. */
export const pause = method('runs.pause', { input: OfRun, output: z.enum(['accepted', 'ended', 'no-answer']) })
/** Decides a gate; a note of blanks is none. `seen`: hash of the text that was read; another one now is refused with `gate-stale`. */
export const decide = method('runs.decide', {
  input: OfRun.extend({
    callId: z.number().int(),
    choice: z.string().min(1),
    note: z.string().exactOptional(),
    seen: Sha256.exactOptional(),
  }),
  output: z.enum(['delivered', 'saved', 'already-decided']),
})
const CallOutcome = z.enum(['accepted', 'ended', 'refused', 'no-answer'])
const OfCall = OfRun.extend({ callId: z.number().int() })
/** Takes a call that has not ended as skipped: the script gets `null` for it. */
export const skip = method('runs.skip', { input: OfCall, output: CallOutcome })
/** Ends a running call and starts it again. */
export const retry = method('runs.retry', { input: OfCall, output: CallOutcome })
/** Answers a question that an agent asked. `allow-always`: this tool of this agent is asked for no more in this attempt. */
export const answer = method('runs.answer', {
  input: OfRun.extend({ question: z.string().min(1), answer: z.enum(['allow-once', 'allow-always', 'deny']) }),
  output: CallOutcome,
})
/** Saves a run where the person says; null when they chose no place. A redacted one can only be looked at. */
export const exportRun = method('runs.export', {
  input: OfRun.extend({ redact: z.boolean().exactOptional() }),
  output: z.object({ path: z.string(), runId: RunId, number: z.number().int(), files: z.number().int(), redacted: z.boolean() }).nullable(),
})
/** Takes in a file that an export wrote. */
export const importRun = method('runs.import', {
  input: z.object({ path: z.string().min(1) }),
  output: z.object({ runId: RunId, number: z.number().int(), title: z.string(), redacted: z.boolean() }),
})
/** To the system's trash. Never one that is at work or pinned: then none of them goes. */
export const remove = method('runs.remove', {
  input: z.object({ runIds: z.array(RunId).min(1) }),
  output: z.object({ removed: z.array(RunId) }),
})
/** Points at a file of a run in the system's file manager. `source` is the text that ran last. */
export const revealFile = method('runs.revealFile', {
  input: OfRun.extend({ file: z.enum(['folder', 'journal', 'bad-lines', 'source']) }),
  output: Done,
})
/** Points at the file that a gate shows. */
export const revealShown = method('runs.revealShown', { input: OfCall, output: Done })
/** A pinned run stays whatever its age. */
export const pin = method('runs.pin', { input: OfRun.extend({ pinned: z.boolean() }), output: Done })
/** From here on `runs.changed` tells of this run, also when another process owns it; until `runs.unwatch`. */
export const watch = method('runs.watch', { input: OfRun, output: Done })
export const unwatch = method('runs.unwatch', { input: OfRun, output: Done })
