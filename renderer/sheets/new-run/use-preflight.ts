/** Reads the chosen script; asks again when target or agent change. The last answer counts. */
import { useEffect, useState } from 'react'
import type { Preflight } from '../../../shared/contract/runs.ts'
import type { ErrorData } from '../../../shared/errors.ts'
import { useStores } from '../../store/stores.ts'
import type { Target } from '../../store/window-store.ts'

export type Reading = { at: 'none' } | { at: 'reading' } | { at: 'read'; preflight: Preflight } | { at: 'failed'; error: ErrorData }

export function usePreflight(target: Target | null, agent: string | null): { reading: Reading; again: () => void } {
  const { bridge } = useStores()
  const [reading, setReading] = useState<Reading>({ at: 'none' })
  const [round, setRound] = useState(0)
  const key = target === null ? null : JSON.stringify(target)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` asks again, `key` stands for the target
  useEffect(() => {
    if (key === null) return setReading({ at: 'none' })
    let current = true
    setReading((before) => (before.at === 'read' ? before : { at: 'reading' }))
    const ask = { target: JSON.parse(key) as Target, ...(agent === null ? {} : { agent }) }
    void bridge.runs.preflight(ask).then((answer) => {
      if (current) setReading(answer.ok ? { at: 'read', preflight: answer.value } : { at: 'failed', error: answer.error })
    })
    return () => {
      current = false
    }
  }, [key, agent, round, bridge])
  return { reading, again: () => setRound((n) => n + 1) }
}
