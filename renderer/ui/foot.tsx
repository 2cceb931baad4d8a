/** The footer: what the keys do here, and when the run was last saved. Reads the command list; says nothing of its own. */
import { keysOf, type Place } from '../commands/command.ts'
import { COMMANDS } from '../commands/commands.ts'
import { showKey } from '../commands/keys.ts'
import { useControls } from '../commands/use-commands.ts'
import { useStores, useWindow } from '../store/stores.ts'

export function Foot({ place, children }: { place: Place; children?: React.ReactNode }) {
  const stores = useStores()
  const controls = useControls()
  const bound = useWindow((state) => state.settings.keys)
  const context = { stores, controls }
  const shown = COMMANDS.filter(
    (command) =>
      command.short !== undefined && (command.place === place || command.place === 'anywhere') && (command.when?.(context) ?? true),
  )
  const here = shown.filter((command) => command.place === place)
  const rest = shown.filter((command) => command.place !== place)
  return (
    <footer className="foot">
      {[...here, ...rest].map((command) => (
        <span key={command.id}>
          <kbd>{keysOf(command, bound).slice(0, 1).map(showKey)}</kbd>
          {command.short}
        </span>
      ))}
      <span className="push">{children}</span>
    </footer>
  )
}
