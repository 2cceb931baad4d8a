/** Copies a text and says so. */
import { useStores } from '../store/stores.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

export function CopyButton({ what, text }: { what: string; text: () => string }) {
  const { window: store } = useStores()
  const copy = async () => {
    await navigator.clipboard.writeText(text())
    store.getState().say(`${what} copied`)
  }
  return (
    <Button
      look="quiet"
      small
      className="push"
      aria-label={`Copy ${what.toLowerCase()}`}
      title={`Copy ${what.toLowerCase()}`}
      onClick={copy}
    >
      <Icon name="copy" />
    </Button>
  )
}
