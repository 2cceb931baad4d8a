/** One row: what it sets, in a sentence what that means, the control, and where it counts. */
import { createContext, useContext, useId } from 'react'
import { isWanted } from '../../words/search.ts'

const WantedContext = createContext('')

export function Wanted({ value, children }: { value: string; children: React.ReactNode }) {
  return <WantedContext.Provider value={value.trim().toLowerCase()}>{children}</WantedContext.Provider>
}

export function SettingRow(props: {
  name: string
  note?: string | undefined
  /** Where it counts. */
  where?: 'app' | 'project' | undefined
  children: React.ReactNode
}) {
  const id = useId()
  const wanted = useContext(WantedContext)
  if (!isWanted(wanted, `${props.name} ${props.note ?? ''} ${props.where ?? ''}`)) return null
  return (
    <div className="setting" role="group" aria-labelledby={id}>
      <div>
        <p id={id} className="strong">
          {props.name}
        </p>
        {props.note !== undefined && <p className="dense secondary">{props.note}</p>}
      </div>
      <div className="setting-control">{props.children}</div>
      <span className="dense quiet">{props.where}</span>
    </div>
  )
}

export function Switch({ label, checked, onChange }: { label: string; checked: boolean; onChange: (checked: boolean) => void }) {
  return (
    <label className="choice">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  )
}
