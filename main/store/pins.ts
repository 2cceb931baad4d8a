/** Pinned runs: an empty file in the run's folder. No retention and no removal takes a run that has it. */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import type { RunView } from '../../shared/run/view.ts'
import { writeError } from './disk.ts'
import type { RunPaths } from './paths.ts'

export function isPinned(run: Pick<RunPaths, 'pin'>): boolean {
  return existsSync(run.pin)
}

/** @throws AppError `disk-full`, `no-permission` */
export function setPinned(run: Pick<RunPaths, 'pin'>, pinned: boolean): void {
  try {
    if (pinned) writeFileSync(run.pin, '')
    else rmSync(run.pin, { force: true })
  } catch (error) {
    throw writeError(error, run.pin)
  }
}

/** The view with its pin as it is now: a cached view may be older. */
export function withPin(view: RunView, run: Pick<RunPaths, 'pin'>): RunView {
  const { pinned: _, ...plain } = view
  if (!isPinned(run)) return plain
  return { ...plain, pinned: true, allowedActions: plain.allowedActions.filter((action) => action !== 'delete') }
}
