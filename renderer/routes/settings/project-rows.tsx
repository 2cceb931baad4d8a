/** The open project: where its runs lie and how many of them stay. */
import { reveal } from '../../commands/actions.ts'
import { useHistory, useStores, useWindow } from '../../store/stores.ts'
import { useSettings } from '../../store/use-settings.ts'
import { Button } from '../../ui/button.tsx'
import type { Choice } from '../../ui/choice-menu.tsx'
import { ChoiceMenu } from '../../ui/choice-menu.tsx'
import { counted } from '../../words/quantity.ts'
import { SettingRow } from './setting-row.tsx'

const KEEP: Choice<string>[] = [
  ...[50, 100, 200, 500, 1000].map((n) => ({ value: String(n), label: `The last ${n} runs` })),
  { value: '', label: 'All runs' },
]

export function ProjectRows() {
  const stores = useStores()
  const project = useWindow((state) => state.project)
  const { settings, change } = useSettings()
  const { keepRuns } = settings
  const total = useHistory((state) => state.total)
  const known = keepRuns === null || KEEP.some((choice) => choice.value === String(keepRuns))
  const choices = known ? KEEP : [{ value: String(keepRuns), label: `The last ${keepRuns} runs` }, ...KEEP]
  return (
    <>
      {project !== null && (
        <SettingRow name="Runs folder" note={`${project.path}/.claude/workflow-runs, ${counted(total, 'run')}`} where="project">
          <Button onClick={() => void reveal(stores)}>Reveal</Button>
        </SettingRow>
      )}
      <SettingRow name="Keep" note="Older ended runs go to the system's trash. Pinned ones stay." where="app">
        <ChoiceMenu
          label="Keep"
          value={keepRuns === null ? '' : String(keepRuns)}
          choices={choices}
          onChange={(n) => change({ keepRuns: n === '' ? null : Number(n) })}
        />
      </SettingRow>
    </>
  )
}
