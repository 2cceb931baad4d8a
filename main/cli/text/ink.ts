/** Colour in the terminal. Colour means state and is never the only sign of it: each state has a glyph and a word as well. */
import type { CallStatus, RunStatus } from '../../../shared/run/view.ts'
import type { Io } from '../io.ts'

export type Tone = RunStatus | CallStatus | 'replayed' | 'error' | 'warning'

const GREEN = 32
const RED = 31
const YELLOW = 33
const BLUE = 34
const MAGENTA = 35
const GREY = 90

const CODES: Readonly<Record<Tone, number>> = {
  queued: GREY,
  running: BLUE,
  retrying: YELLOW,
  waiting: YELLOW,
  paused: YELLOW,
  completed: GREEN,
  ok: GREEN,
  failed: RED,
  dead: RED,
  error: RED,
  warning: YELLOW,
  killed: GREY,
  skipped: GREY,
  abandoned: GREY,
  'cut-off': YELLOW,
  interrupted: YELLOW,
  replayed: MAGENTA,
}

export const GLYPHS: Readonly<Record<Tone, string>> = {
  queued: '○',
  running: '▶',
  retrying: '▶',
  waiting: '◆',
  paused: '‖',
  completed: '✓',
  ok: '✓',
  failed: '✕',
  dead: '✕',
  error: '✕',
  warning: '!',
  killed: '■',
  skipped: '–',
  abandoned: '–',
  'cut-off': '⊘',
  interrupted: '⊘',
  replayed: '↺',
}

export interface Ink {
  tone(tone: Tone, text: string): string
  bold(text: string): string
  dim(text: string): string
}

const PLAIN: Ink = { tone: (_, text) => text, bold: (text) => text, dim: (text) => text }

function wrap(on: number, off: number, text: string): string {
  return text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`
}

const COLOUR: Ink = {
  tone: (tone, text) => wrap(CODES[tone], 39, text),
  bold: (text) => wrap(1, 22, text),
  dim: (text) => wrap(2, 22, text),
}

/** Colour only on a terminal, and not when `NO_COLOR` is set to anything or the terminal is a dumb one. */
export function inkFor(io: Io, stream: 'stdout' | 'stderr'): Ink {
  const unwanted = (io.env.NO_COLOR ?? '') !== '' || io.env.TERM === 'dumb'
  return io.isTty[stream] && !unwanted ? COLOUR : PLAIN
}
