/** All keys by place, straight from the command list. */
import { keysOf, type Place } from '../../commands/command.ts'
import { COMMANDS } from '../../commands/commands.ts'
import { showKey } from '../../commands/keys.ts'
import { useStores, useWindow } from '../../store/stores.ts'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/sheet.tsx'

const PLACES: readonly [Place, string][] = [
  ['anywhere', 'Anywhere'],
  ['list', 'In the list of runs'],
  ['run', 'In a run'],
]

export function KeySheet() {
  const { window: frame } = useStores()
  const single = useWindow((state) => state.settings.singleKeys)
  const bound = useWindow((state) => state.settings.keys)
  const close = frame.getState().closeSheet
  return (
    <Sheet
      wide
      title="Keys"
      lead="Single keys act only while the list or the timeline has the focus."
      onClose={close}
      footer={
        <>
          <label className="choice">
            <input
              type="checkbox"
              checked={single}
              onChange={(event) => void frame.getState().changeSettings({ singleKeys: event.target.checked })}
            />
            Single keys on
          </label>
          <span className="push" />
          <Button hint="esc" onClick={close} data-autofocus="">
            Close
          </Button>
        </>
      }
    >
      <div className="key-table">
        {PLACES.map(([place, title]) => (
          <section key={place}>
            <h3>{title}</h3>
            <dl>
              {COMMANDS.filter((command) => command.place === place && keysOf(command, bound).length > 0).map((command) => (
                <div key={command.id} style={{ display: 'contents' }}>
                  <dt className="key">{keysOf(command, bound).map(showKey).join('  ')}</dt>
                  <dd>{command.words}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Sheet>
  )
}
