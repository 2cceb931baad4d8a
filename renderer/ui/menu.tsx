/** A menu under a button. Items that can't act stay in the list and say why. */
import { DropdownMenu } from 'radix-ui'

export interface MenuItem {
  id: string
  label: React.ReactNode
  mark?: React.ReactNode
  note?: string | undefined
  hint?: string | undefined
  whyNot?: string | null | undefined
  run: () => void
}

export function Menu({
  trigger,
  items,
  align = 'start',
}: {
  trigger: React.ReactNode
  items: readonly MenuItem[]
  align?: 'start' | 'end'
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align={align} sideOffset={4} loop>
          {items.map((item) => (
            <DropdownMenu.Item
              key={item.id}
              className="menu-item"
              disabled={item.whyNot !== undefined && item.whyNot !== null}
              onSelect={item.run}
            >
              <span>{item.mark}</span>
              <span>{item.label}</span>
              <span className="key">{item.hint}</span>
              {(item.whyNot ?? item.note) !== undefined && <span className="note">{item.whyNot ?? item.note}</span>}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
