import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Ledger } from '../../main/crash/ledger.ts'
import { encodeRecord } from '../../main/store/journal-format.ts'
import type { NewRecord } from '../../shared/run/record.ts'
import { begun, call, result, tempFolder } from '../store/run-fixtures.ts'

function ledger() {
  const folder = tempFolder()
  const [journal, log] = [join(folder, 'journal.jsonl'), join(folder, 'log')]
  const write = (...records: NewRecord[]) =>
    writeFileSync(
      journal,
      [begun, ...records]
        .map((record, i) => `${encodeRecord({ ...record, n: i + 1, at: i } as Parameters<typeof encodeRecord>[0])}\n`)
        .join(''),
    )
  const start = (...calls: number[]) =>
    writeFileSync(log, calls.map((number) => `${JSON.stringify({ call: number, prompt: `prompt ${number}` })}\n`).join(''), { flag: 'a' })
  return { ledger: new Ledger(() => journal, log), write, start }
}

const delivered = (number: number) => ({ t: 'delivered' as const, call: number })
const NOTHING = { lost: [], paidTwice: [], rerun: [], rerunOfOneKill: 0, redone: [] }

test('a result that was handed out and is in the journal is not lost', () => {
  const { ledger: it, write, start } = ledger()
  start(1)
  write(call(1), result(1))
  expect(it.close([delivered(1)])).toEqual(NOTHING)
})

test('a result that was handed out and is not in the journal is lost, once', () => {
  const { ledger: it, write, start } = ledger()
  start(1)
  write(call(1))
  expect(it.close([delivered(1)])).toEqual({ ...NOTHING, lost: ['prompt 1'] })
  expect(it.close([])).toEqual(NOTHING)
})

test('a call at work at the kill that is started again counts as run again', () => {
  const { ledger: it, write, start } = ledger()
  start(1)
  write(call(1))
  it.close([])
  start(1)
  expect(it.close([])).toEqual({ ...NOTHING, rerun: ['prompt 1'], rerunOfOneKill: 1 })
})

test('calls that two kills cut off and one process starts again are counted by their kills', () => {
  const { ledger: it, write, start } = ledger()
  start(2)
  write(call(1), result(1), call(2))
  it.close([])
  write(call(1), call(2))
  it.harmed()
  start(1)
  expect(it.close([])).toEqual({ ...NOTHING, redone: ['prompt 1'] })
  start(1, 2)
  expect(it.close([])).toEqual({ ...NOTHING, rerun: ['prompt 1', 'prompt 2'], rerunOfOneKill: 1 })
})

test('a saved call that is started again counts as paid twice', () => {
  const { ledger: it, write, start } = ledger()
  start(1)
  write(call(1), result(1))
  it.close([])
  start(1)
  expect(it.close([])).toEqual({ ...NOTHING, paidTwice: ['prompt 1'] })
})

test('a result lost to reported damage is no longer promised', () => {
  const { ledger: it, write, start } = ledger()
  start(1, 2)
  write(call(1), result(1), call(2), result(2))
  it.close([delivered(1), delivered(2)])
  write(call(1), result(1), call(2))
  expect(it.harmed()).toBe(1)
  start(2)
  expect(it.close([])).toEqual({ ...NOTHING, redone: ['prompt 2'] })
})
