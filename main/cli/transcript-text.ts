/** A call's transcript in words, one line an event; long ones are cut from the front. */
import type { TranscriptEvent } from '../../shared/run/transcript.ts'
import type { Ink } from './text/ink.ts'
import { printable } from './text/printable.ts'

const MARKS: Readonly<Record<string, string>> = {
  text: '  ',
  thinking: '~ ',
  'tool-started': '> ',
  'tool-ended': '< ',
  plan: '# ',
  usage: '= ',
  notice: '! ',
  permission: '? ',
}

/** @param total how many lines there are; those before the first shown are told as a number */
export function transcriptLines({ events, total }: { events: readonly TranscriptEvent[]; total: number }, ink: Ink): string[] {
  if (events.length === 0) return []
  const hidden = total - events.length
  const lines: string[] = ['', ink.bold('Transcript')]
  if (hidden > 0) lines.push(ink.dim(`${hidden} earlier lines; all of them with --verbose`))
  let start = ''
  for (const { attempt, generation, kind, text, at } of events) {
    const key = `${attempt}.${generation}`
    if (key !== start) lines.push(ink.dim(`attempt ${attempt}, start ${generation}, ${new Date(at).toISOString()}`))
    start = key
    const line = `${MARKS[kind] ?? '  '}${printable(text).replaceAll('\n', '\n  ')}`
    lines.push(kind === 'text' ? line : ink.dim(line))
  }
  return lines
}
