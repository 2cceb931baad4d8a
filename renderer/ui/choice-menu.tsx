/** One of a few values, as a menu of radio items: the face of every drop-down field. */
import { DropdownMenu } from 'radix-ui'
import { Icon } from './icon.tsx'

export interface Choice<T extends string> {
  value: T
  label: string
  note?: string | undefined
}

export function ChoiceMenu<T extends string>(props: {
  label: string
  value: T | null
  choices: readonly Choice<T>[]
  placeholder?: string
  grow?: boolean
  autoFocus?: boolean
  onChange: (value: T) => void
}) {
  const current = props.choices.find((choice) => choice.value === props.value)
  const shown = current?.label ?? props.placeholder ?? ''
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <button
          type="button"
          className={props.grow === true ? 'select select--grow' : 'select form-short'}
          aria-label={`${props.label}: ${shown}`}
          data-autofocus={props.autoFocus === true ? '' : undefined}
        >
          <span>{shown}</span>
          <Icon name="down" />
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" sideOffset={4} loop>
          <DropdownMenu.RadioGroup value={props.value ?? ''} onValueChange={(value) => props.onChange(value as T)}>
            {props.choices.map((choice) => (
              <DropdownMenu.RadioItem key={choice.value} className="menu-item" value={choice.value}>
                <span>
                  <DropdownMenu.ItemIndicator>
                    <Icon name="check" />
                  </DropdownMenu.ItemIndicator>
                </span>
                <span>{choice.label}</span>
                {choice.note !== undefined && <span className="note">{choice.note}</span>}
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
