/** Makes any text safe and measurable for a terminal: what an agent writes can move no cursor and set no colour. */
import { stripVTControlCharacters } from 'node:util'

const WIDE =
  /[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u
const ZERO = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u
const ASCII = /^[ -~]*$/

let segmenter: Intl.Segmenter | undefined

/** Made when first needed: it costs more than the rest of a short command. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(text)
}

/** Without escape sequences, control characters (but newline and tab) and marks that turn the writing direction. */
export function printable(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll('\r\n', '\n')
    .replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '')
}

/** The same on one line, runs of white space as one blank. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim()
}

function cells(grapheme: string): number {
  if (ZERO.test(grapheme)) return 0
  return WIDE.test(grapheme) || grapheme.includes('\ufe0f') ? 2 : 1
}

/** Cells that a text takes in a terminal. Knows no escape sequences: colour comes after measuring. */
export function width(text: string): number {
  if (ASCII.test(text)) return text.length
  let sum = 0
  for (const { segment } of graphemesOf(text)) sum += cells(segment)
  return sum
}

/** Cut to that many cells, with … at the cut. */
export function cut(text: string, columns: number): string {
  if (width(text) <= columns) return text
  if (columns <= 0) return ''
  let kept = ''
  let used = 0
  for (const { segment } of graphemesOf(text)) {
    used += cells(segment)
    if (used > columns - 1) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

/** Filled up with blanks to that many cells. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - width(text)))
}
