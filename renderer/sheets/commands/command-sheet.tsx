/** One field over runs and commands: type, move, Enter. */
import { Dialog } from 'radix-ui'
import { useState } from 'react'
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
import { SearchList, type SearchOption } from '../../ui/search-list.tsx'
import { useOpener } from '../../ui/use-opener.ts'

const RUNS_SHOWN = 8
/** Moving and opening rows has no meaning while this sheet has the focus. */
const KEYS_ONLY = /^(list-(up|down|first|last|open|new)|row-|call-|commands$|region|tab-|close$|log$)/

interface Option extends SearchOption {
  run: () => void
}

export function CommandSheet() {
  const stores = useStores()
  const controls = useControls()
  const runs = useHistory((state) => state.runs)
  const bound = useWindow((state) => state.settings.keys)
  const [text, setText] = useState('')
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
  const take = (option: Option) => {
    if (typeof option.whyNot === 'string') return stores.window.getState().say(option.whyNot)
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
            <SearchList
              field="Search runs and commands"
              list="Runs and commands"
              placeholder="Search runs or type a command"
              className="options"
              nothing={`Nothing matches “${text}”`}
              text={text}
              onText={setText}
              options={options}
              onTake={take}
            />
          </Dialog.Content>
        </Dialog.Overlay>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
