/** The worktrees that a run has left, asked for again whenever that may have changed. */
import { useEffect, useState } from 'react'
import type { Worktree } from '../../../shared/contract/worktrees.ts'
import type { RunView } from '../../../shared/run/view.ts'
import { useRun, useStores } from '../../store/stores.ts'

/** Empty until they are known. @param moment asked again when this changes: never more often than calls end */
export function useWorktrees({ runId, status }: RunView, moment: number | null): readonly Worktree[] {
  const { bridge } = useStores()
  const [list, setList] = useState<readonly Worktree[]>([])
  const round = useRun((state) => state.worktreeRound)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when the run or its call ends, or a copy is gone
  useEffect(() => {
    let current = true
    void bridge.runs.worktrees({ runId }).then((answer) => {
      if (current && answer.ok) setList(answer.value.worktrees)
    })
    return () => {
      current = false
    }
  }, [bridge, runId, status, moment, round])
  return list
}
