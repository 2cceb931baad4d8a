import { expect, test } from 'vitest'
import { HeldJournal } from '../../main/engine/held-journal.ts'
import type { Clock } from '../../main/engine/ports.ts'
import { AppError } from '../../shared/errors.ts'
import type { JournalRecord, NewRecord } from '../../shared/run/record.ts'
import { MemoryJournal, openMemoryRun } from './support/memory-run.ts'

/** Time passes at once, in a turn of its own. */
const clock: Clock = { now: () => 0, after: () => new Promise((resolve) => setImmediate(resolve)) }
const command = (id: string): NewRecord => ({ t: 'command', id, outcome: 'accepted' })

/** A run whose next appends fail as told, one after another. */
function failing(...failures: (AppError | null)[]) {
  const journal = new MemoryJournal()
  const run = openMemoryRun(journal, Number.POSITIVE_INFINITY)
  const append = async (records: NewRecord[]): Promise<JournalRecord[]> => {
    const failure = failures.shift() ?? null
    if (failure !== null) throw failure
    return records.map((record) => journal.add(record))
  }
  const told: string[] = []
  const held = new HeldJournal({ ...run, append }, clock, (error) => told.push(error.code))
  const ids = () => journal.records.flatMap((record) => (record.t === 'command' ? [record.id] : []))
  return { held, ids, told }
}

const full = () => new AppError('disk-full', 'The disk is full.')

test('what can not be written waits, is told once, and goes out in its order', async () => {
  const { held, ids, told } = failing(full(), full(), full())
  const first = held.save([command('call')], false)
  await Promise.resolve()
  const second = held.save([command('result')], true)
  await Promise.all([first, second])
  expect(ids()).toEqual(['call', 'result'])
  expect(told).toEqual(['disk-full'])
})

test('a run that was taken over is not tried again, and everything that waits is told', async () => {
  const { held, ids } = failing(full(), new AppError('fenced', 'Taken over.'))
  const first = held.save([command('a')], true)
  await Promise.resolve()
  const second = held.save([command('b')], true)
  await expect(first).rejects.toMatchObject({ code: 'fenced' })
  await expect(second).rejects.toMatchObject({ code: 'fenced' })
  expect(ids()).not.toContain('a')
})

test('once it is given up, a write is tried once more and then given up', async () => {
  const { held, ids } = failing(full(), full(), full())
  const saved = held.save([command('a')], true)
  held.giveUp()
  await expect(saved).rejects.toMatchObject({ code: 'disk-full' })
  expect(ids()).toEqual([])
})

test('who saved first hears first, also when all were held', async () => {
  const { held, ids } = failing(full(), full(), full())
  const heard: string[] = []
  const save = (id: string) => held.save([command(id)], true, () => heard.push(id))
  await Promise.all([save('a'), save('b'), save('c')])
  await Promise.all([save('d'), save('e')])
  expect(heard).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(ids()).toEqual(heard)
})

test('what a record is going to name waits for room too, and is told of once', async () => {
  const { held, told } = failing()
  const failures = [full(), full()]
  const write = async () => {
    const failure = failures.shift()
    if (failure !== undefined) throw failure
    return 'written'
  }
  expect(await Promise.all([held.beside(write), held.beside(write)])).toEqual(['written', 'written'])
  expect(told).toEqual(['disk-full'])
  held.giveUp()
  await expect(held.beside(() => Promise.reject(full()))).rejects.toMatchObject({ code: 'disk-full' })
})
