/** What a resume would do, found by really executing the script against the history (nothing starts, nothing is written). */
import * as z from 'zod'
import { WhyLive } from './events.ts'

export const PlannedCall = z.object({
  callId: z.number().int().nullable(),
  kind: z.string(),
  label: z.string().nullable(),
  title: z.string(),
  phase: z.string().nullable(),
})
export type PlannedCall = z.infer<typeof PlannedCall>

export const ResumePlan = z.object({
  runId: z.string(),
  attempt: z.number().int(),
  replayed: z.array(PlannedCall),
  /** Starts live for certain, each with the reason; old and new text when the same call asked something else before. */
  certainLive: z.array(PlannedCall.extend({ why: WhyLive, old: z.string().optional(), new: z.string().optional() })),
  /** Recorded results that the script had not asked for when it came to the first live call. */
  notReached: z.array(PlannedCall),
  scriptChanged: z.boolean(),
  childrenChanged: z.array(z.string()),
  /** Where the unchanged script asks for something else than it did before, a sentence each: it is not deterministic. */
  unexpected: z.array(z.string()),
  /** Calls that were running when the owner died and may not be repeated unasked. */
  inFlight: z.array(PlannedCall),
  /** Going by last time: about so many more calls and output tokens. Not certain. */
  estimate: z.object({ calls: z.number().int(), outputTokens: z.number() }),
  /** True when the script came to its end by replay alone. */
  complete: z.boolean(),
})
export type ResumePlan = z.infer<typeof ResumePlan>
