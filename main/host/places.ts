/**
 * Where the calls of a run work: in the project, in a worktree of the whole run, or in one of their own. Who asks for a
 * worktree gets one or none at all, never the project's own tree instead.
 */
import { relative } from 'node:path'
import { type Changes, Worktrees } from '../agents/worktree/worktrees.ts'
import type { CallTask, RunInfo } from '../engine/ports.ts'

export interface Place {
  cwd: string
  /** Ends the work there. What was changed and stays is told in words; null when there is nothing to tell. */
  leave(): Promise<string | null>
}

export class Places {
  private readonly project: string
  private readonly run: Pick<RunInfo, 'runId' | 'workspace' | 'git'>
  private readonly worktrees: Worktrees
  private own: Promise<string> | null = null

  constructor(project: string, run: Pick<RunInfo, 'runId' | 'workspace' | 'git'>) {
    this.project = project
    this.run = run
    this.worktrees = new Worktrees(project)
  }

  /**
   * The folder that stands for the project in this run.
   * @throws WorktreeError
   */
  async folder(): Promise<string> {
    if (this.run.workspace === 'current') return this.project
    this.own ??= this.worktrees.make(this.run.runId, null, this.run.git?.head ?? null, true)
    try {
      return await this.own
    } catch (error) {
      this.own = null
      throw error
    }
  }

  /**
   * Where one call works. A new start of a call begins anew; one that goes on with a session goes on with its files too.
   * @throws WorktreeError
   */
  async of(task: Pick<CallTask, 'call' | 'session'>, isolated: boolean): Promise<Place> {
    if (!isolated) return { cwd: await this.folder(), leave: async () => null }
    const cwd = await this.worktrees.make(this.run.runId, task.call, this.run.git?.head ?? null, task.session !== undefined)
    return { cwd, leave: () => this.leave(task.call) }
  }

  /** A worktree of the run in which nothing was changed goes; it is made again when it is needed. */
  async close(): Promise<void> {
    if (this.own !== null) await this.leave(null)
  }

  private async leave(call: number | null): Promise<string | null> {
    try {
      const base = this.run.git?.head
      const worktree = (await this.worktrees.list(this.run.runId)).find((one) => one.call === call)
      if (worktree === undefined || base === undefined) return null
      const changes = await this.worktrees.removeIfUnchanged(worktree, base)
      return changes === null
        ? null
        : `${changedWords(changes)} in ${relative(this.project, worktree.path)}, kept until you apply or discard it`
    } catch (error) {
      return `Its worktree could not be looked at: ${error instanceof Error ? error.message : String(error)}`
    }
  }
}

function changedWords({ files }: Changes): string {
  const added = files.reduce((sum, file) => sum + file.added, 0)
  const removed = files.reduce((sum, file) => sum + file.removed, 0)
  return `${files.length === 1 ? '1 file' : `${files.length} files`} changed (+${added} −${removed})`
}
