/** The worktrees that a run has left, for the person who decides what becomes of them. */
import type { Worktree as WorktreeView } from '../../shared/contract/worktrees.ts'
import { AppError } from '../../shared/errors.ts'
import { RunId } from '../../shared/ids.ts'
import type { RunSummary } from '../../shared/run/view.ts'
import { type Worktree, WorktreeError, Worktrees } from '../agents/worktree/worktrees.ts'
import type { RunRead } from '../engine/ports.ts'
import { reconcile } from '../store/reconcile.ts'
import { openStore } from '../store/run-store.ts'

export async function worktreesOf(project: string, runId: RunId): Promise<WorktreeView[]> {
  const read = await openStore(project).read(runId)
  const worktrees = new Worktrees(project)
  const base = read.info.git?.head
  if (base === undefined) return []
  const found = await worktrees.list(runId)
  return Promise.all(found.map((one) => viewOf(one, read, worktrees, base)))
}

/** @throws AppError `worktree-unknown` */
export async function worktreeDiff(project: string, runId: RunId, callId: number | null): Promise<string> {
  const { worktrees, worktree, base } = await find(project, runId, callId)
  return worktrees.diff(worktree, base)
}

/** @throws AppError `worktree-unknown`, `run-busy`, `worktree-conflict`: nothing was changed then */
export async function applyWorktree(project: string, runId: RunId, callId: number | null): Promise<WorktreeView> {
  const { worktrees, worktree, base, view } = await takeOver(project, runId, callId)
  try {
    await worktrees.apply(worktree, base)
  } catch (error) {
    if (error instanceof WorktreeError) throw new AppError('worktree-conflict', error.message, { cause: error })
    throw error
  }
  return view
}

/** @throws AppError `worktree-unknown`, `run-busy` */
export async function discardWorktree(project: string, runId: RunId, callId: number | null): Promise<WorktreeView> {
  const { worktrees, worktree, view } = await takeOver(project, runId, callId)
  await worktrees.remove(worktree)
  return view
}

/** Brings runs in order after a crash, their worktrees too: those in which nothing was changed yet go. */
export async function reconcileAll(project: string): Promise<RunSummary[]> {
  const { interrupted } = await reconcile(project)
  for (const { runId } of interrupted) await sweep(project, RunId.parse(runId))
  return interrupted
}

async function sweep(project: string, runId: RunId): Promise<void> {
  const base = (await openStore(project).read(runId)).info.git?.head
  if (base === undefined) return
  const worktrees = new Worktrees(project)
  for (const worktree of await worktrees.list(runId)) await worktrees.removeIfUnchanged(worktree, base).catch(() => null)
}

/** Worktrees of runs that are gone: nothing knows any more what was changed there. */
export async function orphanWorktrees(project: string): Promise<Worktree[]> {
  const found = await new Worktrees(project).list()
  if (found.length === 0) return []
  const { runs } = await openStore(project).list({ limit: Number.MAX_SAFE_INTEGER })
  const known = new Set(runs.map(({ runId }) => runId))
  return found.filter(({ runId }) => !known.has(runId))
}

async function find(project: string, runId: RunId, callId: number | null) {
  const read = await openStore(project).read(runId)
  const worktrees = new Worktrees(project)
  const worktree = (await worktrees.list(runId)).find(({ call }) => call === callId)
  const base = read.info.git?.head
  if (worktree === undefined || base === undefined) {
    const whose = callId === null ? 'Run' : `Call ${callId} of run`
    throw new AppError('worktree-unknown', `${whose} #${read.info.number} has no worktree. List them with: reprise worktrees ${runId}`)
  }
  return { read, worktrees, worktree, base }
}

async function takeOver(project: string, runId: RunId, callId: number | null) {
  const { read, worktrees, worktree, base } = await find(project, runId, callId)
  const view = await viewOf(worktree, read, worktrees, base)
  if (view.atWork) {
    throw new AppError(
      'run-busy',
      `${worktree.path} is being worked in. Wait until it is done, or stop the run first: reprise stop ${runId}`,
    )
  }
  return { worktrees, worktree, base, view }
}

async function viewOf(worktree: Worktree, read: RunRead, worktrees: Worktrees, base: string): Promise<WorktreeView> {
  const { call, path, branch } = worktree
  const { files } = await worktrees.changes(worktree, base)
  const of = read.view.calls.find(({ callId }) => callId === call)
  const isActive = read.ownerAlive && (read.view.status === 'running' || read.view.status === 'waiting' || read.view.status === 'queued')
  const atWork = isActive && (call === null || (of !== undefined && of.endedAt === null))
  return { callId: call, label: of?.label ?? of?.title ?? null, path, branch, atWork, files }
}
