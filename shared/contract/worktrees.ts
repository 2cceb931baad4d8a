/** The git worktrees that a run has left: what was changed there, and what becomes of it. */
import * as z from 'zod'
import { RunId } from '../ids.ts'
import { Done, method } from './method.ts'

export const Worktree = z.object({
  /** Null: that of the whole run. */
  callId: z.number().int().nullable(),
  label: z.string().nullable(),
  path: z.string(),
  branch: z.string(),
  /** Somebody works there now: it can be looked at, and neither applied nor discarded. */
  atWork: z.boolean(),
  /** Since the commit that the run started from; lines of a file that is no text count as none. */
  files: z.array(z.object({ path: z.string(), added: z.number().int(), removed: z.number().int() })),
})
export type Worktree = z.infer<typeof Worktree>

const OfRun = z.object({ runId: RunId })
const OfWorktree = OfRun.extend({ callId: z.number().int().nullable() })

export const worktrees = method('runs.worktrees', { input: OfRun, output: z.object({ worktrees: z.array(Worktree) }) })
/** The changes as a patch. */
export const worktreeDiff = method('runs.worktreeDiff', { input: OfWorktree, output: z.object({ diff: z.string() }) })
/** Puts the changes into the project's own files, all or none, without a commit; the worktree is gone then. */
export const applyWorktree = method('runs.applyWorktree', { input: OfWorktree, output: Worktree })
/** Takes the worktree away with its branch and everything in it. */
export const discardWorktree = method('runs.discardWorktree', { input: OfWorktree, output: Worktree })
/** Shows its folder in the system's file manager. */
export const openWorktree = method('runs.openWorktree', { input: OfWorktree, output: Done })
