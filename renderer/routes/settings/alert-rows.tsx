/** When the app speaks up while nobody looks at it. */
import type { Settings } from '../../../shared/contract/settings.ts'
import { useSettings } from '../../store/use-settings.ts'
import type { Choice } from '../../ui/choice-menu.tsx'
import { ChoiceMenu } from '../../ui/choice-menu.tsx'
import { SettingRow, Switch } from './setting-row.tsx'

const ENDS: Choice<Settings['notifyRunEnded']>[] = [
  { value: 'in-background', label: 'In the background', note: 'Only while another window has the focus' },
  { value: 'always', label: 'Always' },
  { value: 'never', label: 'Never' },
]

export function AlertRows() {
  const { settings, change } = useSettings()
  return (
    <>
      <SettingRow name="When a gate or an agent waits for you" where="app">
        <Switch label="Notify" checked={settings.notifyWaiting} onChange={(notifyWaiting) => change({ notifyWaiting })} />
        <Switch label="Count on the app's icon" checked={settings.badge} onChange={(badge) => change({ badge })} />
      </SettingRow>
      <SettingRow name="When a run ends" note="Never for a run that you stopped yourself." where="app">
        <ChoiceMenu
          label="When a run ends"
          value={settings.notifyRunEnded}
          choices={ENDS}
          onChange={(notifyRunEnded) => change({ notifyRunEnded })}
        />
      </SettingRow>
    </>
  )
}
