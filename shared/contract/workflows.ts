/** Named workflows of the open project and of the user. */
import * as z from 'zod'
import { PhaseMeta } from '../run/events.ts'
import { method, Nothing } from './method.ts'

export const Workflow = z.object({
  name: z.string(),
  path: z.string(),
  scope: z.enum(['project', 'user']),
  description: z.string().nullable(),
  phases: z.array(PhaseMeta),
  /** Why it can't be run as it is; null when it can. */
  problem: z.string().nullable(),
})
export type Workflow = z.infer<typeof Workflow>

export const list = method('workflows.list', { input: Nothing, output: z.array(Workflow) })
