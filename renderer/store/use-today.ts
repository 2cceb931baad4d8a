/** What agents have cost today; asked again whenever the list of runs tells of something new. */
import { useEffect, useState } from 'react'
import type { OutputOf } from '../../shared/contract/bridge.ts'
import { useHistory, useStores } from './stores.ts'

export type Today = OutputOf<'agents.today'>

/** Null until it is known. @param again asked once more when this changes */
export function useToday(again: unknown = null): Today | null {
  const { bridge } = useStores()
  const ended = useHistory((state) => state.runs.reduce((newest, run) => Math.max(newest, run.endedAt ?? 0), 0))
  const [today, setToday] = useState<Today | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a run that ended has cost something
  useEffect(() => {
    let current = true
    void bridge.agents.today().then((answer) => {
      if (current && answer.ok) setToday(answer.value)
    })
    return () => {
      current = false
    }
  }, [bridge, ended, again])
  return today
}
