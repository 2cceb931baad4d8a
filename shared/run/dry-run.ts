/** What a dry run tells: each call that a script would make with simulated agents, and what a real run would come to. */
import * as z from 'zod'
import { ErrorDataSchema } from './events.ts'
import { PlannedCall } from './plan.ts'
import { RUN_STATUSES } from './view.ts'

export const Estimate = z.object({
  /** Calls of agents and checks. */
  calls: z.number().int(),
  /** Null when nothing is known of how much a call of this workflow takes. */
  outputTokens: z.number().int().nullable(),
  /** How many earlier runs that goes by. */
  runs: z.number().int(),
})
export type Estimate = z.infer<typeof Estimate>

export const DryRun = z.object({
  /** How the script ended. `killed`: it went on waiting for what no dry run brings about. */
  status: z.enum(RUN_STATUSES),
  error: ErrorDataSchema.nullable(),
  calls: z.array(PlannedCall),
  estimate: Estimate,
})
export type DryRun = z.infer<typeof DryRun>
