/** What the sheet of a new run begins with. */
import { useState } from 'react'
import { readBudget, readMinutes, readMoney } from '../../sheets/new-run/run-input.ts'
import { useSettings } from '../../store/use-settings.ts'
import { useToday } from '../../store/use-today.ts'
import type { Choice } from '../../ui/choice-menu.tsx'
import { ChoiceMenu } from '../../ui/choice-menu.tsx'
import { money } from '../../words/quantity.ts'
import { SettingRow } from './setting-row.tsx'

const AT_ONCE: Choice<string>[] = [
  { value: '', label: 'As usual' },
  ...Array.from({ length: 16 }, (_, index) => ({ value: String(index + 1), label: String(index + 1) })),
]

export function NewRunRows() {
  const { settings, change } = useSettings()
  const today = useToday()
  return (
    <>
      <SettingRow name="Default agent" note="For calls that name none. Left empty, the sheet asks each time." where="app">
        <Amount
          label="Default agent"
          placeholder="none"
          first={settings.agent ?? ''}
          read={(text) => ({ ok: true, value: text.trim() === '' ? undefined : text.trim() })}
          onValue={(agent) => change({ agent: agent ?? null })}
        />
      </SettingRow>
      <SettingRow
        name="Token budget"
        note="Output tokens that a new run may spend, such as 500k. Left empty, there is no limit."
        where="app"
      >
        <Amount
          label="Token budget"
          placeholder="no limit"
          first={settings.budget === null ? '' : String(settings.budget)}
          read={readBudget}
          onValue={(budget) => change({ budget: budget ?? null })}
        />
      </SettingRow>
      <SettingRow name="Money cap" note="US dollars that a new run may spend, where the agent tells prices." where="app">
        <Amount
          label="Money cap"
          placeholder="no limit"
          first={settings.maxCost === null ? '' : String(settings.maxCost)}
          read={readMoney}
          onValue={(maxCost) => change({ maxCost: maxCost ?? null })}
        />
      </SettingRow>
      <SettingRow
        name="Day limit"
        note={`US dollars that all runs of a day may cost together; then they pause.${today === null ? '' : ` Today so far: ${money(today.cost)}.`}`}
        where="app"
      >
        <Amount
          label="Day limit"
          placeholder="no limit"
          first={settings.maxCostPerDay === null ? '' : String(settings.maxCostPerDay)}
          read={readMoney}
          onValue={(maxCostPerDay) => change({ maxCostPerDay: maxCostPerDay ?? null })}
        />
      </SettingRow>
      <SettingRow name="Stuck after" note="Minutes without a sign of life after which an agent is taken as stuck." where="app">
        <Amount
          label="Stuck after"
          placeholder="never"
          first={settings.stallMinutes === null ? '' : String(settings.stallMinutes)}
          read={readMinutes}
          onValue={(stallMinutes) => change({ stallMinutes: stallMinutes ?? null })}
        />
      </SettingRow>
      <SettingRow name="Calls at once" note="At most 16. As usual leaves it to the engine, which goes by this computer." where="app">
        <ChoiceMenu
          label="Calls at once"
          value={settings.concurrency === null ? '' : String(settings.concurrency)}
          choices={AT_ONCE}
          onChange={(n) => change({ concurrency: n === '' ? null : Number(n) })}
        />
      </SettingRow>
    </>
  )
}

type Read<T> = { ok: true; value: T | undefined } | { ok: false; reason: string }

/** A field that takes what can be read as it is typed, and says what can't. */
function Amount<T>(props: {
  label: string
  placeholder: string
  first: string
  read: (text: string) => Read<T>
  onValue: (value: T | undefined) => void
}) {
  const [text, setText] = useState(props.first)
  const read = props.read(text)
  return (
    <>
      <input
        className={read.ok ? 'field form-short' : 'field form-short field--invalid'}
        aria-label={props.label}
        aria-invalid={!read.ok}
        placeholder={props.placeholder}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          const now = props.read(event.target.value)
          if (now.ok) props.onValue(now.value)
        }}
      />
      {!read.ok && <p className="dense secondary">{read.reason}</p>}
    </>
  )
}
