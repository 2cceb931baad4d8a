/** The one clock of a screen: ticks each second while something runs, stands still otherwise. */
import { useEffect, useState } from 'react'
import { useStores } from './stores.ts'

export function useNow(ticking: boolean): number {
  const { clock } = useStores()
  const [now, setNow] = useState(clock)
  useEffect(() => {
    setNow(clock())
    if (!ticking) return
    const timer = setInterval(() => setNow(clock()), 1000)
    return () => clearInterval(timer)
  }, [ticking, clock])
  return now
}
