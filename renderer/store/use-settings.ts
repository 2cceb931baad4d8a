/** The person's settings, and how a row of them is changed: it counts, and is kept, at once. */
import type { Settings } from '../../shared/contract/settings.ts'
import { useStores, useWindow } from './stores.ts'

export function useSettings(): { settings: Settings; change: (next: Partial<Settings>) => void } {
  const { window: frame } = useStores()
  const settings = useWindow((state) => state.settings)
  return { settings, change: (next) => void frame.getState().changeSettings(next) }
}
