/** Keys as written in the command list ("Mod+K", "Shift+S", "R"), matched against events and shown as people know them. */

interface Pressed {
  key: string
  metaKey: boolean
  ctrlKey: boolean
  altKey: boolean
  shiftKey: boolean
}

/** Set once at start: ⌘ on a mac, Ctrl elsewhere. */
let mac = false
export function setKeyboard(isMac: boolean): void {
  mac = isMac
}

export function hasCommandKey(event: Pick<Pressed, 'metaKey' | 'ctrlKey'>): boolean {
  return mac ? event.metaKey : event.ctrlKey
}

/** True when the event is exactly this key: no modifier more, none less. */
export function matchesKey(event: Pressed, key: string): boolean {
  const parts = partsOf(key)
  const name = parts.at(-1) ?? ''
  const wantsShift = parts.includes('Shift')
  if (hasCommandKey(event) !== parts.includes('Mod') || event.altKey !== parts.includes('Alt')) return false
  if (mac ? event.ctrlKey : event.metaKey) return false
  const letter = /^[a-z]$/i.test(name)
  // Signs such as ? and + need Shift on some keyboards and not on others: the sign itself is what counts.
  if ((letter || name.length > 1) && event.shiftKey !== wantsShift) return false
  return letter ? event.key.toLowerCase() === name.toLowerCase() : event.key === name || (name === 'Space' && event.key === ' ')
}

function partsOf(key: string): string[] {
  return key === '+' ? ['+'] : key.split('+')
}

const SIGNS: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: '↵',
  Space: '␣',
  Backspace: '⌫',
  Escape: 'esc',
}

/** `Mod+K` → `⌘K` on a mac, `Ctrl K` elsewhere. */
export function showKey(key: string): string {
  const parts = partsOf(key)
  const shown = parts.map((part) => {
    if (part === 'Mod') return mac ? '⌘' : 'Ctrl '
    if (part === 'Shift') return '⇧'
    if (part === 'Alt') return mac ? '⌥' : 'Alt '
    return SIGNS[part] ?? part
  })
  return shown.join('')
}

/** The same key for `aria-keyshortcuts`. */
export function ariaKey(key: string): string {
  return key.replace('Mod', mac ? 'Meta' : 'Control')
}

/** The key of an event as the command list writes it; null for a modifier by itself. */
export function pressedKey(event: Pressed): string | null {
  if (['Control', 'Meta', 'Alt', 'Shift', 'Dead', 'Process'].includes(event.key)) return null
  const letter = /^[a-z]$/i.test(event.key)
  const name = event.key === ' ' ? 'Space' : letter ? event.key.toUpperCase() : event.key
  const shift = event.shiftKey && (letter || name.length > 1)
  return [hasCommandKey(event) && 'Mod', event.altKey && 'Alt', shift && 'Shift', name].filter((part) => part !== false).join('+')
}

/** True where letters belong to the text, so that single keys are no shortcuts. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable="true"]') !== null
}
