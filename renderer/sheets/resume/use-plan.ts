/** The plan for a choice of policy, found by a dry run; asked for again when the choice changes. The last answer counts. */
import { useEffect, useState } from 'react'
import type { ErrorData } from '../../../shared/errors.ts'
import type { ResumePlan } from '../../../shared/run/plan.ts'
import type { ResumePolicy } from '../../../shared/run/record.ts'
import { useStores } from '../../store/stores.ts'

export interface Reuse {
  policy: ResumePolicy
  /** First call that runs again, with all after it. */
  from: number | null
}

export type Planning =
  | { at: 'asking'; before: ResumePlan | null }
  | { at: 'planned'; plan: ResumePlan }
  | { at: 'failed'; error: ErrorData }

export function usePlan(runId: string, reuse: Reuse): Planning {
  const { bridge } = useStores()
  const { policy, from } = reuse
  const [planning, setPlanning] = useState<Planning>({ at: 'asking', before: null })
  useEffect(() => {
    let current = true
    setPlanning((now) => ({ at: 'asking', before: now.at === 'planned' ? now.plan : null }))
    void bridge.runs.plan({ runId, policy, ...(from === null ? {} : { from }) }).then((answer) => {
      if (current) setPlanning(answer.ok ? { at: 'planned', plan: answer.value } : { at: 'failed', error: answer.error })
    })
    return () => {
      current = false
    }
  }, [runId, policy, from, bridge])
  return planning
}
