/** Folders whose runs the window shows. One is open at a time; everything about runs is asked of that one. */
import * as z from 'zod'
import { RunId } from '../ids.ts'
import { Done, method, Nothing } from './method.ts'

export const Project = z.object({
  path: z.string(),
  name: z.string(),
  /** The folder is there. */
  exists: z.boolean(),
  /** Milliseconds since 1970. */
  openedAt: z.number(),
})
export type Project = z.infer<typeof Project>

/** Newest first, the open one included. */
export const recent = method('projects.recent', { input: Nothing, output: z.array(Project) })
export const current = method('projects.current', { input: Nothing, output: Project.nullable() })
/** Opens a folder: a recent one, or one that was dropped or chosen. */
export const open = method('projects.open', { input: z.object({ path: z.string().min(1) }), output: Project })
/** Takes a folder off the list of recent ones; nothing in it is touched. */
export const forget = method('projects.forget', { input: z.object({ path: z.string().min(1) }), output: z.array(Project) })
/** Shows the project's folder, a run's folder or a run's script in the system's file manager. */
export const reveal = method('projects.reveal', {
  input: z.discriminatedUnion('what', [
    z.object({ what: z.literal('project') }),
    z.object({ what: z.literal('run'), runId: RunId }),
    z.object({ what: z.literal('script'), runId: RunId }),
  ]),
  output: Done,
})

/** Something in the runs folder that is not as it should be, or only worth knowing. */
export const Finding = z.object({
  kind: z.string(),
  /** A note asks nothing of anybody. */
  level: z.enum(['problem', 'note']),
  runId: z.string().nullable(),
  path: z.string(),
  /** One sentence. */
  what: z.string(),
  /** What a repair does; null when a repair leaves it alone. */
  fix: z.string().nullable(),
})
export type Finding = z.infer<typeof Finding>
/** Looks at every journal and the list of runs; changes nothing. */
export const check = method('projects.check', { input: Nothing, output: z.array(Finding) })
/** Mends what is safe to mend; gives what is left. */
export const repair = method('projects.repair', { input: Nothing, output: z.array(Finding) })
