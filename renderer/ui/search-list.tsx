/** A field over the options that it filters: the arrow keys choose, Enter takes (the combobox pattern of ARIA, with a list). */
import { type ReactNode, useId, useState } from 'react'

export interface SearchOption {
  id: string
  /** Options of one group stand together, under its name. */
  group: string
  mark: ReactNode
  label: ReactNode
  /** Its key, at the end of the row. */
  hint?: string
  /** Why it can't be taken now; null or absent when it can. */
  whyNot?: string | null
}

export interface SearchListProps<O extends SearchOption> {
  /** Names of the field and of the list. */
  field: string
  list: string
  placeholder: string
  className: string
  text: string
  onText(text: string): void
  options: readonly O[]
  /** Said when there are none. */
  nothing: string
  /** Place of the option that is chosen at first; -1 as 0. */
  startAt?: number
  onTake(option: O): void
}

export function SearchList<O extends SearchOption>({ options, onText, onTake, ...props }: SearchListProps<O>) {
  const id = useId()
  const [at, setAt] = useState(Math.max(0, props.startAt ?? 0))
  const current = Math.min(at, Math.max(0, options.length - 1))
  const move = (by: number) => {
    const next = (current + by + options.length) % Math.max(1, options.length)
    setAt(next)
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const option = options[current]
    if (by === 0 && (event.key !== 'Enter' || option === undefined)) return
    event.preventDefault()
    if (by !== 0) return move(by)
    event.stopPropagation()
    if (option !== undefined) onTake(option)
  }
  return (
    <>
      <input
        className="field"
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={options[current] === undefined ? undefined : `${id}-${current}`}
        aria-label={props.field}
        placeholder={props.placeholder}
        value={props.text}
        onChange={(event) => {
          onText(event.target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div className={props.className} role="listbox" id={id} aria-label={props.list}>
        {options.length === 0 && <p className="option secondary">{props.nothing}</p>}
        {options.map((option, index) => (
          <div key={option.id} role="presentation">
            {option.group !== options[index - 1]?.group && <h3 role="presentation">{option.group}</h3>}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys */}
            <div
              id={`${id}-${index}`}
              className="option"
              role="option"
              aria-selected={index === current}
              aria-disabled={typeof option.whyNot === 'string'}
              onPointerMove={() => setAt(index)}
              onClick={() => onTake(option)}
            >
              {option.mark}
              <span>
                {option.label}
                {typeof option.whyNot === 'string' && <span className="secondary"> · {option.whyNot}</span>}
              </span>
              {option.hint !== undefined && <span className="key">{option.hint}</span>}
            </div>
          </div>
        ))}
      </div>
    </>
  )
}
