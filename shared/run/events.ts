/**
 * The stream of one run, as screens, the command line and other processes see it. `seq` has no gaps. Events never claim
 * more than the journal: `call.ended` follows its durable result. Readers keep unknown types and show unknown end states
 * as failed.
 */
import * as z from 'zod'
import { CALL_KINDS } from './record.ts'

const Source = z.enum(['replayed', 'live'])
const Usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedInputTokens: z.number().optional(),
  reasoningTokens: z.number().optional(),
})
export const CountsSchema = z.object({
  ok: z.number(),
  dead: z.number(),
  skipped: z.number(),
  abandoned: z.number(),
  replayed: z.number(),
  live: z.number(),
})
export const ErrorDataSchema = z.object({
  code: z.string(),
  message: z.string(),
  line: z.number().optional(),
  column: z.number().optional(),
  data: z.json().optional(),
  stack: z.string().optional(),
})
export const ValueSchema = z.union([
  z.object({ inline: z.json() }),
  z.object({ blob: z.object({ sha256: z.string(), bytes: z.number(), type: z.string() }) }),
])
export const PhaseMeta = z.object({ title: z.string(), detail: z.string().optional(), model: z.string().optional() })
export type PhaseMeta = z.infer<typeof PhaseMeta>

/** What all results of a run have spent, of every attempt, dead ones too: output tokens, and US dollars as far as they are known. */
export const Committed = z.object({ outputTokens: z.number(), cost: z.number() })
export type Committed = z.infer<typeof Committed>

/** Why a call of this attempt is executed and not taken from the journal. */
export const WHY_LIVE = [
  'no-saved-result',
  'new-call',
  'prompt-changed',
  'options-changed',
  'died-last-time',
  'was-running',
  'you-chose',
  'earlier-call-changed',
  'result-unreadable',
  'was-simulated',
] as const
export const WhyLive = z.enum(WHY_LIVE)
export type WhyLive = z.infer<typeof WhyLive>

const base = { seq: z.number().int(), at: z.number(), runId: z.string(), attempt: z.number().int() }
const event = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) => z.object({ type: z.literal(type), ...base, ...shape })

export const RunEvent = z.discriminatedUnion('type', [
  event('run.started', {
    number: z.number(),
    title: z.string(),
    /** The workflow's file as the person named it, and the hash of the text that runs. */
    path: z.string(),
    script: z.string(),
    scriptChanged: z.boolean(),
    declaredPhases: z.array(PhaseMeta),
    /** Default agent of the run; `simulated` for a run that costs nothing. */
    backend: z.string().nullable(),
    policy: z.string(),
    concurrency: z.number(),
    /** Output tokens the run may spend; null = no limit. */
    budget: z.number().nullable(),
    /** US dollars the run may spend; null = no limit. */
    maxCost: z.number().nullable().exactOptional(),
    startedAt: z.number(),
    /** What the attempts before have spent. */
    committed: Committed.exactOptional(),
  }),
  event('phase.started', { phase: z.string(), source: Source }),
  event('phase.ended', { phase: z.string(), source: Source }),
  event('call.queued', {
    callId: z.number().int(),
    kind: z.enum(CALL_KINDS),
    /** The given label, else null; `title` is what a row shows then: the first words of what was asked. */
    label: z.string().nullable(),
    title: z.string(),
    phase: z.string().nullable(),
    source: Source,
    whyLive: WhyLive.nullable(),
    agent: z.string().nullable(),
    model: z.string().nullable(),
    fp: z.string(),
  }),
  event('call.started', {
    callId: z.number().int(),
    generation: z.number().int(),
    worker: z.string(),
    /** Of a sleep, or a gate with a time limit: when it ends by itself. */
    wakeAt: z.number().exactOptional(),
    /** Its backend tells what it does as it does it, so silence means something. */
    streams: z.boolean().exactOptional(),
  }),
  /** The backend's own name for the conversation, once it is known. */
  event('call.session', { callId: z.number().int(), session: z.string() }),
  event('call.progress', {
    callId: z.number().int(),
    kind: z.enum(['text', 'thinking', 'tool-started', 'tool-ended', 'plan', 'usage', 'notice']),
    text: z.string(),
  }),
  event('call.retrying', { callId: z.number().int(), reason: z.string(), detail: z.string(), delayMs: z.number(), tries: z.number() }),
  event('call.ended', {
    callId: z.number().int(),
    outcome: z.enum(['ok', 'dead', 'skipped', 'abandoned']),
    source: Source,
    reason: z.string().nullable(),
    detail: z.string().nullable(),
    /** Time worked, all tries; of a replayed call: its time when it was live. */
    ms: z.number(),
    usage: Usage,
    cost: z.number().nullable(),
    tries: z.number(),
    summary: z.string(),
    backend: z.string().nullable(),
    /** Of a replayed call: the attempt in which the result was made. */
    fromAttempt: z.number().int().nullable(),
  }),
  /** `question` names it in the whole run. It is open until it is answered, or its call ends or starts again. */
  event('permission.asked', { callId: z.number().int(), question: z.string(), tool: z.string(), title: z.string() }),
  /** `by`: `nobody` when it was denied because its time was over. */
  event('permission.answered', { callId: z.number().int(), question: z.string(), answer: z.string(), by: z.string() }),
  event('log', { text: z.string(), level: z.enum(['info', 'warning']), source: Source, line: z.number().nullable() }),
  event('gate.opened', { callId: z.number().int(), question: z.string(), options: z.array(z.string()) }),
  event('gate.decided', { callId: z.number().int(), choice: z.string(), note: z.string().nullable(), by: z.string() }),
  event('run.waiting', { for: z.string() }),
  event('run.ended', {
    status: z.string(),
    reason: z.string().nullable(),
    resetAt: z.string().nullable(),
    error: ErrorDataSchema.nullable(),
    counts: CountsSchema,
    value: ValueSchema.nullable(),
  }),
])
export type RunEvent = z.infer<typeof RunEvent>
type WithoutBase<E> = E extends unknown ? Omit<E, 'seq' | 'at' | 'runId' | 'attempt'> : never
/** An event before it has its place in the stream. */
export type NewEvent = WithoutBase<RunEvent>
