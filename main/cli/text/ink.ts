/** Colour in the terminal. Colour means state and is never the only sign of it: each state has a glyph and a word as well. */
import { STATUS, type Tone } from '../../../shared/run/status.ts'
import type { Io } from '../io.ts'

const GREEN = 32
const RED = 31
const YELLOW = 33
const BLUE = 34
const MAGENTA = 35
const GREY = 90

const CODES: Readonly<Record<Tone, number>> = {
  queued: GREY,
  running: BLUE,
  waiting: YELLOW,
  paused: YELLOW,
  completed: GREEN,
  partial: YELLOW,
  replayed: MAGENTA,
  failed: RED,
  stopped: GREY,
  interrupted: YELLOW,
  skipped: GREY,
  next: GREY,
}

/** The glyph of a tone, in its colour. */
export function mark(ink: Ink, tone: Tone): string {
  return ink.tone(tone, STATUS[tone].glyph)
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
