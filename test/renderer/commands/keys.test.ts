import { beforeEach, describe, expect, test } from 'vitest'
import { COMMANDS } from '../../../renderer/commands/commands.ts'
import { matchesKey, setKeyboard, showKey } from '../../../renderer/commands/keys.ts'

const press = (key: string, more: Partial<Record<'metaKey' | 'ctrlKey' | 'altKey' | 'shiftKey', boolean>> = {}) => ({
  key,
  metaKey: false,
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
})

beforeEach(() => setKeyboard(false))

describe('a key', () => {
  test('fits exactly: no modifier more, none less', () => {
    expect(matchesKey(press('r'), 'R')).toBe(true)
    expect(matchesKey(press('R', { shiftKey: true }), 'R')).toBe(false)
    expect(matchesKey(press('r', { ctrlKey: true }), 'R')).toBe(false)
    expect(matchesKey(press('S', { shiftKey: true }), 'Shift+S')).toBe(true)
  })
  test('that is a sign fits however the keyboard makes it', () => {
    expect(matchesKey(press('?', { shiftKey: true }), '?')).toBe(true)
    expect(matchesKey(press('+', { shiftKey: true }), '+')).toBe(true)
    expect(matchesKey(press('+'), '+')).toBe(true)
  })
  test('with the command key is Ctrl, on a mac ⌘, and never the other', () => {
    expect(matchesKey(press('k', { ctrlKey: true }), 'Mod+K')).toBe(true)
    expect(matchesKey(press('k', { metaKey: true }), 'Mod+K')).toBe(false)
    setKeyboard(true)
    expect(matchesKey(press('k', { metaKey: true }), 'Mod+K')).toBe(true)
    expect(matchesKey(press('k', { ctrlKey: true }), 'Mod+K')).toBe(false)
  })
  test('is shown as people know it', () => {
    expect(showKey('Mod+K')).toBe('Ctrl K')
    expect(showKey('Shift+S')).toBe('⇧S')
    setKeyboard(true)
    expect(showKey('Mod+K')).toBe('⌘K')
  })
})

test('no two commands of one place share a key', () => {
  for (const place of ['list', 'run'] as const) {
    const keys = COMMANDS.filter((command) => command.place === place || command.place === 'anywhere').flatMap((command) => command.keys)
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
  }
})

test('every command has words of its own that begin with a capital and end without a full stop', () => {
  for (const command of COMMANDS) expect(command.words).toMatch(/^[A-Z].*[^.]$/)
  expect(new Set(COMMANDS.map((command) => command.id)).size).toBe(COMMANDS.length)
})
