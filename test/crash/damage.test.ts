import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chanceOf } from '../../main/crash/chance.ts'
import { flipBit, tearTail, unnoticed, withFlippedPayload } from '../../main/crash/damage.ts'
import { encodeRecord } from '../../main/store/journal-format.ts'
import { readJournal } from '../../main/store/read-journal.ts'
import type { NewRecord } from '../../shared/run/record.ts'
import { begun, call, result, tempFolder } from '../store/run-fixtures.ts'

function lines(...records: NewRecord[]): string[] {
  return records.map((record, index) => encodeRecord({ ...record, n: index + 1, at: 1000 + index } as Parameters<typeof encodeRecord>[0]))
}

const whole = lines(begun, call(1), result(1), call(2), result(2))
const bytesOf = (list: readonly string[]) => Buffer.from(list.map((line) => `${line}\n`).join(''))

function journal(): string {
  const path = join(tempFolder(), 'journal.jsonl')
  writeFileSync(path, bytesOf(whole))
  return path
}

test('every single flipped bit of a journal is noticed or harms nothing', () => {
  const before = bytesOf(whole)
  for (let bit = 0; bit < before.length * 8; bit++) {
    const after = Buffer.from(before)
    after[bit >> 3] = (after[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(unnoticed(before, after)).toBeNull()
  }
})

test('a line that vanished without a trace is not noticed, and that is told', () => {
  expect(unnoticed(bytesOf(whole), bytesOf(whole.slice(0, -1)))).toContain('no line is reported as bad')
})

test('a line with another result under a right checksum is told as a wrong result', () => {
  const forged = [...whole.slice(0, -1), ...lines(begun, call(1), result(1), call(2), result(2, 'something else')).slice(-1)]
  expect(unnoticed(bytesOf(whole), bytesOf(forged))).toContain('says what nobody wrote')
})

test('a torn tail takes the last line only', () => {
  for (let seed = 0; seed < 20; seed++) {
    const path = journal()
    expect(tearTail(path, chanceOf(seed))).toBe(true)
    expect(readFileSync(path, 'utf8').startsWith(bytesOf(whole.slice(0, -1)).toString())).toBe(true)
    const read = readJournal(path)
    expect(read.records).toHaveLength(whole.length - 1)
    expect(read.cut).not.toBeNull()
  }
})

test('a flipped bit changes one byte', () => {
  const path = journal()
  flipBit(path, chanceOf(5))
  const [before, after] = [bytesOf(whole), readFileSync(path)]
  expect(after).toHaveLength(before.length)
  expect([...after].filter((byte, index) => byte !== before[index])).toHaveLength(1)
})

test('a stored value is harmed only while somebody looks', async () => {
  const folder = tempFolder()
  const name = 'a'.repeat(64)
  writeFileSync(join(folder, name), 'value')
  let seen = ''
  expect(
    await withFlippedPayload(folder, chanceOf(1), async (sha256) => {
      seen = readFileSync(join(folder, sha256), 'latin1')
    }),
  ).toBe(true)
  expect(seen).not.toBe('value')
  expect(readFileSync(join(folder, name), 'latin1')).toBe('value')
  expect(await withFlippedPayload(join(folder, 'nothing'), chanceOf(1), async () => undefined)).toBe(false)
})
