/** How the app looks and moves. */
import { type Settings, ZOOMS } from '../../../shared/contract/settings.ts'
import { useSettings } from '../../store/use-settings.ts'
import type { Choice } from '../../ui/choice-menu.tsx'
import { ChoiceMenu } from '../../ui/choice-menu.tsx'
import { SettingRow, Switch } from './setting-row.tsx'

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
const ZOOM_CHOICES: Choice<string>[] = ZOOMS.map((zoom) => ({ value: String(zoom), label: `${zoom} %` }))

export function GeneralRows() {
  const { settings, change } = useSettings()
  return (
    <>
      <SettingRow name="Theme" where="app">
        <ChoiceMenu label="Theme" value={settings.theme} choices={THEMES} onChange={(theme) => change({ theme })} />
      </SettingRow>
      <SettingRow name="Density" note="Rows of the list: 36 pixels high, or 28." where="app">
        <ChoiceMenu label="Density" value={settings.density} choices={DENSITIES} onChange={(density) => change({ density })} />
      </SettingRow>
      <SettingRow name="Reduce motion" note="Sheets cut in, and following now jumps instead of creeping." where="app">
        <ChoiceMenu
          label="Reduce motion"
          value={settings.reduceMotion}
          choices={MOTIONS}
          onChange={(reduceMotion) => change({ reduceMotion })}
        />
      </SettingRow>
      <SettingRow name="Zoom" note="Everything on the page, text included." where="app">
        <ChoiceMenu
          label="Zoom"
          value={String(settings.zoom)}
          choices={ZOOM_CHOICES}
          onChange={(value) => {
            const zoom = ZOOMS.find((one) => String(one) === value)
            if (zoom !== undefined) change({ zoom })
          }}
        />
      </SettingRow>
      <SettingRow name="While runs are live" where="app">
        <Switch label="Keep the computer awake" checked={settings.keepAwake} onChange={(keepAwake) => change({ keepAwake })} />
      </SettingRow>
    </>
  )
}
