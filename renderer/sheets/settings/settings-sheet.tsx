/** What a person set for the whole app. Every change counts at once; there is nothing to confirm. */
import { useState } from 'react'
import type { Settings } from '../../../shared/contract/settings.ts'
import { useStores, useWindow } from '../../store/stores.ts'
import { Button } from '../../ui/button.tsx'
import type { Choice } from '../../ui/choice-menu.tsx'
import { ChoiceMenu } from '../../ui/choice-menu.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { BudgetField } from '../new-run/fields.tsx'
import { readBudget } from '../new-run/run-input.ts'

const THEMES: Choice<Settings['theme']>[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]
const DENSITIES: Choice<Settings['density']>[] = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'dense', label: 'Dense' },
]
const MOTIONS: Choice<Settings['reduceMotion']>[] = [
  { value: 'system', label: 'As the system' },
  { value: 'on', label: 'Always' },
]
const ALERTS: Choice<Settings['notifyRunEnded']>[] = [
  { value: 'in-background', label: 'In the background', note: 'Only while another window has the focus' },
  { value: 'always', label: 'Always' },
  { value: 'never', label: 'Never' },
]
const AT_ONCE: Choice<string>[] = [
  { value: '', label: 'As usual' },
  ...Array.from({ length: 16 }, (_, index) => ({ value: String(index + 1), label: String(index + 1) })),
]

export function SettingsSheet() {
  const { window: frame } = useStores()
  const settings = useWindow((state) => state.settings)
  const { closeSheet, changeSettings } = frame.getState()
  const [agent, setAgent] = useState(settings.agent ?? '')
  const [budget, setBudget] = useState(settings.budget === null ? '' : String(settings.budget))
  const change = (next: Partial<Settings>) => void changeSettings(next)
  return (
    <Sheet
      title="Settings"
      lead="For this app, in every project."
      onClose={closeSheet}
      footer={
        <>
          <span className="push" />
          <Button hint="esc" onClick={closeSheet}>
            Close
          </Button>
        </>
      }
    >
      <div className="form form--wide">
        <span className="form-label">Theme</span>
        <ChoiceMenu autoFocus label="Theme" value={settings.theme} choices={THEMES} onChange={(theme) => change({ theme })} />
        <span className="form-label">Rows</span>
        <ChoiceMenu label="Rows" value={settings.density} choices={DENSITIES} onChange={(density) => change({ density })} />
        <span className="form-label">Reduce motion</span>
        <ChoiceMenu
          label="Reduce motion"
          value={settings.reduceMotion}
          choices={MOTIONS}
          onChange={(reduceMotion) => change({ reduceMotion })}
        />
        <span className="form-label">Default agent</span>
        <div className="form-line">
          <input
            className="field form-short"
            aria-label="Default agent"
            placeholder="none"
            value={agent}
            onChange={(event) => setAgent(event.target.value)}
            onBlur={() => change({ agent: agent.trim() === '' ? null : agent.trim() })}
          />
          <span className="dense secondary">for calls that name none</span>
        </div>
        <BudgetField
          label="Budget"
          text={budget}
          onText={(text) => {
            setBudget(text)
            const read = readBudget(text)
            if (read.ok) change({ budget: read.value ?? null })
          }}
        />
        <span className="form-label">Calls at once</span>
        <ChoiceMenu
          label="Calls at once"
          value={settings.concurrency === null ? '' : String(settings.concurrency)}
          choices={AT_ONCE}
          onChange={(n) => change({ concurrency: n === '' ? null : Number(n) })}
        />
        <span className="form-label">Tell a run's end</span>
        <ChoiceMenu
          label="Tell a run's end"
          value={settings.notifyRunEnded}
          choices={ALERTS}
          onChange={(notifyRunEnded) => change({ notifyRunEnded })}
        />
        <span className="form-label">While runs are live</span>
        <label className="choice">
          <input type="checkbox" checked={settings.keepAwake} onChange={(event) => change({ keepAwake: event.target.checked })} />
          Keep the computer awake
        </label>
        <span className="form-label">Keys</span>
        <label className="choice">
          <input type="checkbox" checked={settings.singleKeys} onChange={(event) => change({ singleKeys: event.target.checked })} />
          Single keys in lists and timeline
        </label>
      </div>
    </Sheet>
  )
}
