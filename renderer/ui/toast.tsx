/** One line about what just happened, with the way back when there is one. Goes away by itself unless it is being used. */
import { useEffect, useState } from 'react'
import { useStores, useWindow } from '../store/stores.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

const SHOWN_MS = 8000

export function ToastLine() {
  const { window: store } = useStores()
  const toast = useWindow((state) => state.toast)
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (toast === null || held) return
    const timer = setTimeout(() => store.getState().showToast(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [toast, held, store])
  if (toast === null) return null
  const { action } = toast
  return (
    <section
      className="toast"
      aria-label="Message"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{toast.text}</span>
      {action !== null && (
        <button
          type="button"
          className="link"
          onClick={() => {
            store.getState().showToast(null)
            action.run()
          }}
        >
          {action.label}
        </button>
      )}
      <Button look="quiet" small aria-label="Close message" onClick={() => store.getState().showToast(null)}>
        <Icon name="close" />
      </Button>
    </section>
  )
}
