/** Listens for keys and runs the commands of the place where the focus is. */
import { createContext, useContext, useEffect } from 'react'
import { useStores, useWindow } from '../store/stores.ts'
import { disarm } from './ask-twice.ts'
import { type Command, type CommandContext, type Controls, keysOf, type Place } from './command.ts'
import { COMMANDS } from './commands.ts'
import { isTyping, matchesKey, showKey } from './keys.ts'

const ControlsContext = createContext<Controls>({ list: null, lanes: null })
export const ControlsProvider = ControlsContext.Provider

export function useControls(): Controls {
  return useContext(ControlsContext)
}

/** The first key of a command as people see it; undefined when it has none. Hints on buttons and in the footer read it. */
export function useKeyHint(id: string): string | undefined {
  const bound = useWindow((state) => state.settings.keys)
  const command = COMMANDS.find((one) => one.id === id)
  const [first] = command === undefined ? [] : keysOf(command, bound)
  return first === undefined ? undefined : showKey(first)
}

/** Single keys act only inside the list or the timeline (`data-place`), or while nothing at all has the focus. */
function placesOf(target: EventTarget | null): readonly Place[] {
  if (!(target instanceof Element)) return ['anywhere']
  const place = target.closest('[data-place]')?.getAttribute('data-place')
  if (place === 'list' || place === 'run') return ['anywhere', place]
  if (target !== document.body) return ['anywhere']
  const only = document.querySelector('[data-place]')?.getAttribute('data-place')
  return only === 'list' || only === 'run' ? ['anywhere', only] : ['anywhere']
}

/** A letter or sign by itself. Arrows, Enter, Home and End belong to every list and stay. */
function isSingle(event: KeyboardEvent): boolean {
  return event.key.length === 1 && !event.metaKey && !event.ctrlKey && !event.altKey
}

export function commandFor(event: KeyboardEvent, context: CommandContext): Command | null {
  const places = placesOf(event.target)
  const bound = context.stores.window.getState().settings.keys
  const fits = (command: Command) =>
    places.includes(command.place) && keysOf(command, bound).some((key) => matchesKey(event, key)) && (command.when?.(context) ?? true)
  // The nearer place wins over "anywhere".
  return COMMANDS.find((command) => command.place !== 'anywhere' && fits(command)) ?? COMMANDS.find(fits) ?? null
}

export function useCommands(): void {
  const stores = useStores()
  const controls = useControls()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      if (isTyping(event.target) && !event.metaKey && !event.ctrlKey) return
      // A focused button or link keeps its own Enter and Space; a row's Enter is the row's.
      const ownKey = event.key === 'Enter' || event.key === ' '
      if (ownKey && event.target instanceof Element && event.target.closest('button, a, summary, [role="slider"]') !== null) return
      if (isSingle(event) && !stores.window.getState().settings.singleKeys) return
      const context = { stores, controls }
      const command = commandFor(event, context)
      if (command === null || !/stop$/.test(command.id)) disarm()
      if (command === null) return
      if (command.id === 'copy-output' && document.getSelection()?.isCollapsed === false) return
      event.preventDefault()
      const why = command.whyNot?.(context) ?? null
      if (why === null) command.run(context)
      else stores.window.getState().say(why)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [stores, controls])
}
