/** Single keys on or off, and every command with its key: found by its words, bound to another key by pressing it. */
import { useState } from 'react'
import { type Command, keysOf } from '../../commands/command.ts'
import { COMMANDS } from '../../commands/commands.ts'
import { pressedKey, showKey } from '../../commands/keys.ts'
import { useStores, useWindow } from '../../store/stores.ts'
import { Button } from '../../ui/button.tsx'
import { isWanted } from '../../words/search.ts'
import { SettingRow, Switch } from './setting-row.tsx'

const PLACES: Record<Command['place'], string> = { anywhere: 'anywhere', list: 'in the list', run: 'in a run' }

/** Another command that the same key would run at the same place; null when the key is free. */
export function clash(command: Command, key: string, bound: Readonly<Record<string, readonly string[]>>): Command | null {
  const meets = (other: Command) => other.place === command.place || other.place === 'anywhere' || command.place === 'anywhere'
  return COMMANDS.find((other) => other.id !== command.id && meets(other) && keysOf(other, bound).includes(key)) ?? null
}

export function KeyRows() {
  const { window: frame } = useStores()
  const settings = useWindow((state) => state.settings)
  const [open, setOpen] = useState(false)
  const rebound = Object.keys(settings.keys).length
  return (
    <>
      <SettingRow name="Single-key shortcuts" note="They work only inside the list and the timeline." where="app">
        <Switch label="On" checked={settings.singleKeys} onChange={(singleKeys) => void frame.getState().changeSettings({ singleKeys })} />
      </SettingRow>
      <SettingRow
        name="All keys"
        note={`${COMMANDS.length} commands${rebound === 0 ? '' : `, ${rebound} with keys of your own`}. Search and bind them to other keys.`}
        where="app"
      >
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Close' : 'Search and rebind…'}
        </Button>
        {rebound > 0 && <Button onClick={() => void frame.getState().changeSettings({ keys: {} })}>Reset all</Button>}
      </SettingRow>
      {open && <KeyList />}
    </>
  )
}

function KeyList() {
  const [text, setText] = useState('')
  const bound = useWindow((state) => state.settings.keys)
  const wanted = text.trim().toLowerCase()
  const shown = COMMANDS.filter((command) => isWanted(wanted, `${command.words} ${keysOf(command, bound).map(showKey).join(' ')}`))
  return (
    <div className="setting-list">
      <input
        className="field"
        type="search"
        aria-label="Search commands and keys"
        placeholder="Search commands and keys"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <ul>
        {shown.map((command) => (
          <Binding key={command.id} command={command} />
        ))}
      </ul>
      {shown.length === 0 && <p className="secondary">No command matches “{text}”.</p>}
    </div>
  )
}

function Binding({ command }: { command: Command }) {
  const { window: frame } = useStores()
  const bound = useWindow((state) => state.settings.keys)
  const [listening, setListening] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const keys = keysOf(command, bound)
  const isOwn = Object.hasOwn(bound, command.id)
  const bind = (next: readonly string[] | null) => {
    const { [command.id]: _, ...others } = bound
    void frame.getState().changeSettings({ keys: next === null ? others : { ...others, [command.id]: [...next] } })
    setListening(false)
    setProblem(null)
  }
  const take = (event: React.KeyboardEvent) => {
    if (!listening) return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') return setListening(false)
    const key = pressedKey(event)
    if (key === null) return
    const other = clash(command, key, bound)
    if (other === null) return bind([key])
    setProblem(`${showKey(key)} is “${other.words}” already`)
    frame.getState().say(`${showKey(key)} is taken by ${other.words}`)
  }
  return (
    <li className="binding">
      <span>
        {command.words} <span className="dense quiet">{PLACES[command.place]}</span>
      </span>
      <span className="key">{keys.length === 0 ? 'no key' : keys.map(showKey).join('  ')}</span>
      <span className="setting-control">
        <Button
          aria-label={listening ? `Press a key for ${command.words}` : `Change the key of ${command.words}`}
          onClick={() => setListening(true)}
          onBlur={() => setListening(false)}
          onKeyDown={take}
        >
          {listening ? 'Press a key…' : 'Change'}
        </Button>
        {isOwn && (
          <Button look="quiet" onClick={() => bind(null)} aria-label={`Reset the key of ${command.words}`}>
            Reset
          </Button>
        )}
      </span>
      {problem !== null && <p className="dense secondary">{problem}</p>}
    </li>
  )
}
