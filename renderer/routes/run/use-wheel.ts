/** Pinch and command-wheel zoom about the cursor; sideways scrolling pans while there is something to pan to. */
import { useEffect, useRef } from 'react'
import { hasCommandKey } from '../../commands/keys.ts'
import type { Viewport } from './use-viewport.ts'

export function useWheel(scroller: React.RefObject<HTMLDivElement | null>, viewport: Viewport): void {
  const latest = useRef(viewport)
  latest.current = viewport
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const onWheel = (event: WheelEvent) => {
      const { zoom, zoomBy, panBy } = latest.current
      if (event.ctrlKey || hasCommandKey(event)) {
        event.preventDefault()
        const paper = element.querySelector('.axis-live')?.getBoundingClientRect()
        zoomBy(Math.exp(-event.deltaY / 240), paper === undefined ? undefined : Math.max(0, event.clientX - paper.left))
        return
      }
      const sideways = event.shiftKey ? event.deltaY : event.deltaX
      if (zoom > 1 && Math.abs(sideways) > (event.shiftKey ? 0 : Math.abs(event.deltaY))) {
        event.preventDefault()
        panBy(sideways)
      }
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [scroller])
}
