/** What one call's agent told and was allowed, in order: lines of `transcripts/<call>.jsonl`. */
import * as z from 'zod'

export const TRANSCRIPT_KINDS = ['text', 'thinking', 'tool-started', 'tool-ended', 'plan', 'usage', 'notice', 'permission'] as const

export const TranscriptEvent = z.object({
  /** Counts from 1 within the call, over all its starts. */
  n: z.number().int(),
  /** Milliseconds since 1970. */
  at: z.number(),
  attempt: z.number().int(),
  generation: z.number().int(),
  kind: z.enum(TRANSCRIPT_KINDS).or(z.string()),
  /** As the agent wrote it, so it may hold terminal escapes; secrets are taken out. */
  text: z.string(),
})
export type TranscriptEvent = z.infer<typeof TranscriptEvent>

/** A piece of a transcript, oldest first; `total` is the `n` of its newest line. */
export const TranscriptPage = z.object({ events: z.array(TranscriptEvent), total: z.number().int() })
export type TranscriptPage = z.infer<typeof TranscriptPage>

export interface TranscriptQuery {
  /** Only lines with a smaller `n`; absent: from the newest line on back. */
  before?: number
  limit: number
}
