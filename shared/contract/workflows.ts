/** Named workflows of the open project and of the user. */
import * as z from 'zod'
import { PhaseMeta } from '../run/events.ts'
import { Done, method, Nothing } from './method.ts'
import { Diagnostic } from './runs.ts'

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

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const OfFile = z.object({ path: z.string().min(1) })

/** Reads a text that is not saved yet as the script of that file; nothing is written or run. */
export const check = method('workflows.check', { input: OfFile.extend({ text: z.string().max(4_194_304) }), output: z.array(Diagnostic) })
/** Writes the file and nothing else. `seen`: hash of the text that was edited; another one on disk is refused with `changed-since-you-looked`. */
export const save = method('workflows.save', {
  input: OfFile.extend({ text: z.string().max(4_194_304), seen: Sha256 }),
  output: z.object({ sha256: Sha256 }),
})
/** Opens the file in the program that the system has for it. */
export const openInEditor = method('workflows.openInEditor', { input: OfFile, output: Done })
/** Writes a small script that runs as it is to `.claude/workflows`; never over a file that is there. */
export const create = method('workflows.create', { input: z.object({ name: z.string().min(1).max(64) }), output: OfFile })
