/** One field over runs and commands: type, move, Enter. */
import { Dialog } from 'radix-ui'
import { useId, useState } from 'react'
import { runState } from '../../../shared/run/status.ts'
import { openRun } from '../../commands/actions.ts'
import { keysOf } from '../../commands/command.ts'
import { COMMANDS } from '../../commands/commands.ts'
import { showKey } from '../../commands/keys.ts'
import { useControls } from '../../commands/use-commands.ts'
import { matches } from '../../store/history-store.ts'
import { useHistory, useStores, useWindow } from '../../store/stores.ts'
import { Glyph } from '../../ui/glyph.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useOpener } from '../../ui/use-opener.ts'

const RUNS_SHOWN = 8
/** Moving and opening rows has no meaning while this sheet has the focus. */
const KEYS_ONLY = /^(list-(up|down|first|last|open|new)|row-|call-|commands$|region|tab-|close$|log$)/

interface Option {
  id: string
  group: 'Runs' | 'Commands'
  label: React.ReactNode
  mark: React.ReactNode
  hint: string
  whyNot: string | null
  run: () => void
}

export function CommandSheet() {
  const stores = useStores()
  const controls = useControls()
  const runs = useHistory((state) => state.runs)
  const bound = useWindow((state) => state.settings.keys)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const listId = useId()
  const giveBack = useOpener()
  const close = stores.window.getState().closeSheet
  const context = { stores, controls }
  const page = stores.window.getState().page.name === 'run' ? 'run' : 'list'

  const options: Option[] = [
    ...(text === '' ? runs.slice(0, 4) : runs.filter((run) => matches(run, text)).slice(0, RUNS_SHOWN)).map((run): Option => {
      const state = runState(run)
      return {
        id: run.runId,
        group: 'Runs',
        label: (
          <>
            {run.title} <span className="number">#{run.number}</span> <span className="secondary">{state.word}</span>
          </>
        ),
        mark: <Glyph tone={state.tone} />,
        hint: '',
        whyNot: null,
        run: () => openRun(stores, run.runId),
      }
    }),
    ...COMMANDS.filter(
      (command) =>
        (command.place === 'anywhere' || command.place === page) &&
        !KEYS_ONLY.test(command.id) &&
        (command.when?.(context) ?? true) &&
        command.words.toLowerCase().includes(text.toLowerCase()),
    ).map(
      (command): Option => ({
        id: command.id,
        group: 'Commands',
        label: command.words,
        mark: <Icon name="right" />,
        hint: showKey(keysOf(command, bound)[0] ?? ''),
        whyNot: command.whyNot?.(context) ?? null,
        run: () => command.run(context),
      }),
    ),
  ]
  const current = Math.min(at, Math.max(0, options.length - 1))
  const choose = (option: Option | undefined) => {
    if (option === undefined) return
    if (option.whyNot !== null) return stores.window.getState().say(option.whyNot)
    close()
    option.run()
  }
  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim">
          <Dialog.Content
            className="sheet sheet--commands"
            aria-describedby={undefined}
            onCloseAutoFocus={giveBack}
            onKeyDown={(event) => event.stopPropagation()}
          >
            <Dialog.Title className="heard">Runs and commands</Dialog.Title>
            <input
              className="field"
              role="combobox"
              aria-expanded="true"
              aria-controls={listId}
              aria-activedescendant={options[current] === undefined ? undefined : `${listId}-${current}`}
              aria-label="Search runs and commands"
              placeholder="Search runs or type a command"
              value={text}
              onChange={(event) => {
                setText(event.target.value)
                setAt(0)
              }}
              onKeyDown={(event) => {
                const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
                if (by !== 0) {
                  event.preventDefault()
                  const next = (current + by + options.length) % Math.max(1, options.length)
                  setAt(next)
                  document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' })
                }
                if (event.key === 'Enter') {
                  event.preventDefault()
                  choose(options[current])
                }
              }}
            />
            <div className="options" role="listbox" id={listId} aria-label="Runs and commands">
              {options.length === 0 && <p className="option secondary">Nothing matches “{text}”</p>}
              {options.map((option, index) => (
                <div key={option.id} role="presentation">
                  {option.group !== options[index - 1]?.group && <h3 role="presentation">{option.group}</h3>}
                  {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys */}
                  <div
                    id={`${listId}-${index}`}
                    className="option"
                    role="option"
                    aria-selected={index === current}
                    aria-disabled={option.whyNot !== null}
                    onPointerMove={() => setAt(index)}
                    onClick={() => choose(option)}
                  >
                    {option.mark}
                    <span>
                      {option.label}
                      {option.whyNot !== null && <span className="secondary"> · {option.whyNot}</span>}
                    </span>
                    <span className="key">{option.hint}</span>
                  </div>
                </div>
              ))}
            </div>
          </Dialog.Content>
        </Dialog.Overlay>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
