/** Gives the focus back to whatever had it before a sheet opened; to the list or the timeline when that is gone. */
import { useRef } from 'react'

export function useOpener(): (event: Event) => void {
  const opener = useRef(document.activeElement)
  return (event) => {
    event.preventDefault()
    const { current } = opener
    const back = current instanceof HTMLElement && current.isConnected && current !== document.body ? current : null
    ;(back ?? document.querySelector<HTMLElement>('[data-place] [role="row"][tabindex="0"], [data-place] tr[tabindex="0"]'))?.focus()
  }
}
