/**
 * A sheet over the page: traps focus, opens on the element marked `data-autofocus`, confirms with the command key and Enter,
 * closes with Escape and gives the focus back to whatever opened it.
 */
import clsx from 'clsx'
import { Dialog } from 'radix-ui'
import { useRef } from 'react'
import { hasCommandKey } from '../commands/keys.ts'
import { useOpener } from './use-opener.ts'

export interface SheetProps {
  title: string
  lead?: React.ReactNode
  wide?: boolean
  /** Opens on its heading, so that the command key and Enter are a deliberate second step. */
  focusTitle?: boolean
  onClose: () => void
  /** What the command key and Enter do. */
  onConfirm?: (() => void) | undefined
  footer: React.ReactNode
  children: React.ReactNode
}

export function Sheet({ title, lead, wide = false, focusTitle = false, onClose, onConfirm, footer, children }: SheetProps) {
  const frame = useRef<HTMLDivElement>(null)
  const giveBack = useOpener()
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim">
          <Dialog.Content
            ref={frame}
            className={clsx('sheet', wide && 'sheet--wide')}
            aria-describedby={undefined}
            onOpenAutoFocus={(event) => {
              const first = frame.current?.querySelector<HTMLElement>('[data-autofocus]')
              if (first === null || first === undefined) return
              event.preventDefault()
              first.focus()
            }}
            onCloseAutoFocus={giveBack}
            onKeyDown={(event) => {
              event.stopPropagation()
              if (event.key !== 'Enter' || !hasCommandKey(event)) return
              event.preventDefault()
              onConfirm?.()
            }}
          >
            <div className="sheet-head">
              <Dialog.Title tabIndex={focusTitle ? -1 : undefined} data-autofocus={focusTitle ? '' : undefined}>
                {title}
              </Dialog.Title>
              {lead !== undefined && <p>{lead}</p>}
            </div>
            {/* A body that scrolls has to be reachable by keyboard. */}
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll region without focusable content could not be scrolled */}
            <section className="sheet-body" tabIndex={0} aria-label="Details">
              {children}
            </section>
            <div className="sheet-foot">{footer}</div>
          </Dialog.Content>
        </Dialog.Overlay>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
