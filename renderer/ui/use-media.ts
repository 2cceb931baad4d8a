/** Whether a media query holds, kept up to date. */
import { useSyncExternalStore } from 'react'

/** The window is too small for panes side by side: the page scrolls as one. Same bounds as `styles/modes.css`. */
export const NARROW = '(max-width: 900px), (max-height: 520px)'

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = matchMedia(query)
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    () => matchMedia(query).matches,
  )
}
