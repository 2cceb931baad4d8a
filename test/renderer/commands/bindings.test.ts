import { expect, test } from 'vitest'
import { keysOf } from '../../../renderer/commands/command.ts'
import { COMMANDS } from '../../../renderer/commands/commands.ts'
import { pressedKey } from '../../../renderer/commands/keys.ts'
import { clash } from '../../../renderer/routes/settings/key-rows.tsx'

const press = (key: string, more: Partial<Record<'ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey', boolean>> = {}) =>
  pressedKey({ key, ctrlKey: false, altKey: false, shiftKey: false, metaKey: false, ...more })
const named = (id: string) => {
  const command = COMMANDS.find((one) => one.id === id)
  if (command === undefined) throw new Error(`there is no command ${id}`)
  return command
}

test('no two commands of one place come with the same key, but for those that are never offered together', () => {
  const clashes = COMMANDS.flatMap((command) =>
    command.when !== undefined
      ? []
      : command.keys
          .filter((key) => {
            const other = clash(command, key, {})
            return other !== null && other.when === undefined && other.place === command.place
          })
          .map((key) => `${command.id} ${key}`),
  )
  expect(clashes).toEqual([])
})

test('each command has a name of its own', () => {
  expect(new Set(COMMANDS.map((command) => command.id)).size).toBe(COMMANDS.length)
})

test('a key that a person bound takes the place of the command’s own', () => {
  expect(keysOf(named('list-peek'), {})).toEqual(['Space'])
  expect(keysOf(named('list-peek'), { 'list-peek': ['V'] })).toEqual(['V'])
  expect(clash(named('list-peek'), 'N', {})?.id).toBe('list-new')
  expect(clash(named('list-peek'), 'N', { 'list-new': ['M'] })).toBeNull()
})

test('a pressed key is written as the command list writes it; a modifier alone is none', () => {
  expect([
    press('k', { ctrlKey: true }),
    press('S', { shiftKey: true }),
    press(' '),
    press('?', { shiftKey: true }),
    press('Shift'),
  ]).toEqual(['Mod+K', 'Shift+S', 'Space', '?', null])
})
