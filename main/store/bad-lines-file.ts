/** `journal.bad.jsonl`: the bytes of journal lines that could not be used, each once, so that nothing is lost for good. */
import { appendFileSync, readFileSync } from 'node:fs'
import type { RunPaths } from './paths.ts'
import type { JournalReader } from './read-journal.ts'

/** Copies bad lines that are not there yet. For the owner of the run only; failing is no reason to refuse the run. */
export function keepBadLines(files: RunPaths, reader: JournalReader, at: number): void {
  const cut = reader.cut
  const bad = cut === null ? reader.bad : [...reader.bad, cut]
  if (bad.length === 0) return
  const kept = offsetsKept(files.badLines)
  let text = ''
  for (const { line, offset, reason, bytes } of bad) {
    if (!kept.has(offset)) text += `${JSON.stringify({ line, offset, reason, at, base64: bytes.toString('base64') })}\n`
  }
  try {
    if (text !== '') appendFileSync(files.badLines, text)
  } catch {
    // The bytes are still in the journal, which nobody rewrites.
  }
}

function offsetsKept(path: string): Set<number> {
  const offsets = new Set<number>()
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return offsets
  }
  for (const line of text.split('\n')) {
    const offset = /^\{"line":\d+,"offset":(\d+),/.exec(line)?.[1]
    if (offset !== undefined) offsets.add(Number(offset))
  }
  return offsets
}
