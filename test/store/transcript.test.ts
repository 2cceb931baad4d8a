import { appendFileSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readTranscript, TranscriptWriter, transcriptFile } from '../../main/store/transcript.ts'

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'reprise-transcript-')), 'transcripts')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

const line = (text: string) => ({ attempt: 1, generation: 1, kind: 'text', text })

function write(texts: readonly string[]): void {
  const writer = new TranscriptWriter(folder)
  for (const [index, text] of texts.entries()) writer.add(1, line(text), 1000 + index)
  writer.flush()
}

const texts = (query: { before?: number; limit: number }) => readTranscript(folder, 1, query).events.map(({ text }) => text)

test('what was told is read again, newest lines last, a page at a time', () => {
  write(['one', 'two\nlines', '\u001b[31mred \u2028', 'four', 'five'])
  expect(readTranscript(folder, 1, { limit: 2 })).toEqual({
    events: [
      { n: 4, at: 1003, ...line('four') },
      { n: 5, at: 1004, ...line('five') },
    ],
    total: 5,
  })
  expect(texts({ limit: 2, before: 4 })).toEqual(['two\nlines', '\u001b[31mred \u2028'])
  expect(texts({ limit: 9, before: 2 })).toEqual(['one'])
  expect(texts({ limit: 9, before: 1 })).toEqual([])
  expect(texts({ limit: 9 })).toHaveLength(5)
})

test('a call without a transcript has none', () => {
  expect(readTranscript(folder, 7, { limit: 10 })).toEqual({ events: [], total: 0 })
})

test('a later owner goes on counting, also behind a line that a crash tore', () => {
  write(['one', 'two', 'three'])
  const file = transcriptFile(folder, 1)
  truncateSync(file, statSync(file).size - 5)
  write(['again'])
  expect(readTranscript(folder, 1, { limit: 10 }).events.map(({ n, text }) => [n, text])).toEqual([
    [1, 'one'],
    [2, 'two'],
    [3, 'again'],
  ])
})

test('lines that can’t be used are left out', () => {
  write(['one'])
  appendFileSync(transcriptFile(folder, 1), '\n{"n": 2\n\0\0\0\nnull\n')
  write(['two'])
  expect(texts({ limit: 10 })).toEqual(['one', 'two'])
})

describe('a transcript of many megabytes', () => {
  const LINES = 60_000
  const text = (n: number) => `line ${n} ${'x'.repeat((n * 37) % 700)}`

  test('gives any page whole, from its middle too', { timeout: 60_000 }, () => {
    write(['first'])
    const rows = Array.from({ length: LINES - 1 }, (_, i) => `\n${JSON.stringify({ n: i + 2, at: i, ...line(text(i + 2)) })}`)
    writeFileSync(transcriptFile(folder, 1), rows.join(''), { flag: 'a' })
    for (const before of [2, 3, 500, 29_999, 30_000, 59_999, LINES]) {
      const { events, total } = readTranscript(folder, 1, { limit: 300, before })
      expect(total).toBe(LINES)
      const first = Math.max(1, before - 300)
      expect(events.map(({ n }) => n)).toEqual(Array.from({ length: before - first }, (_, i) => first + i))
    }
    expect(texts({ limit: 1 })).toEqual([text(LINES)])
  })
})
