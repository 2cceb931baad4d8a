import { describe, expect, test } from 'vitest'
import { FakeClock, settled } from './support/fake-clock.ts'
import { FakeExecutor, ok } from './support/fake-executor.ts'
import { type MemoryAttempt, type MemoryAttemptOptions, program, startAttempt, valueOf } from './support/memory-attempt.ts'
import { MemoryJournal } from './support/memory-run.ts'

const HOUR = 3_600_000

/** Waits, in turns of the event loop, until it is so. */
async function until(isSo: () => boolean): Promise<void> {
  for (let turns = 0; turns < 2000; turns += 1) {
    if (isSo()) return
    await settled()
  }
  throw new Error('it never came')
}

const isWaiting = ({ events }: MemoryAttempt) => events.at(-1)?.type === 'run.waiting'
const answering = (): FakeExecutor => new FakeExecutor(() => ok('r'))
const options = (clock: FakeClock, more: Partial<MemoryAttemptOptions> = {}) => ({ executor: answering(), clock, ...more })

describe('a sleep', () => {
  const nap = program(async ({ sleep, agent }) => [await sleep(6 * HOUR), await agent('after')])

  test('ends when its time has come, gives null, and counts as no call', async () => {
    const clock = new FakeClock()
    const going = startAttempt(new MemoryJournal(), nap, options(clock))
    await until(() => isWaiting(going))
    clock.advance(6 * HOUR - 1)
    await settled()
    expect(going.events.at(-1)).toMatchObject({ type: 'run.waiting', for: 'sleep' })
    clock.advance(1)
    const view = await going.done
    expect([view.status, valueOf(view)]).toEqual(['completed', [null, 'r']])
    expect(view.counts).toMatchObject({ ok: 1, live: 1 })
    expect(view.calls[0]).toMatchObject({ kind: 'sleep', status: 'ok', title: 'Sleep 6h', ms: 6 * HOUR })
  })

  test('that was cut off waits for the rest only, and for nothing when its time has passed', async () => {
    const journal = new MemoryJournal()
    const clock = new FakeClock()
    const first = startAttempt(journal, nap, options(clock))
    await until(() => isWaiting(first))
    clock.advance(4 * HOUR)
    first.attempt.stop('keep')
    expect((await first.done).status).toBe('killed')
    const second = startAttempt(journal, nap, options(clock))
    await until(() => isWaiting(second))
    second.attempt.stop('keep')
    await second.done
    clock.advance(2 * HOUR)
    const third = startAttempt(journal, nap, options(clock))
    expect(valueOf(await third.done)).toEqual([null, 'r'])
    expect(journal.records.filter((record) => record.t === 'started' && record.wakeAt !== undefined)).toHaveLength(3)
    const wakeAts = journal.records.flatMap((record) => (record.t === 'started' && record.wakeAt !== undefined ? [record.wakeAt] : []))
    expect(new Set(wakeAts).size).toBe(1)
  })

  test('is replayed at once when it is over', async () => {
    const journal = new MemoryJournal()
    const clock = new FakeClock()
    const first = startAttempt(journal, nap, options(clock))
    await until(() => isWaiting(first))
    clock.advance(6 * HOUR)
    await first.done
    const executor = answering()
    expect((await startAttempt(journal, nap, { executor, clock }).done).status).toBe('completed')
    expect(executor.tasks).toEqual([])
  })

  test('takes no slot from an agent', async () => {
    const both = program(async ({ sleep, agent, parallel }) =>
      parallel([() => sleep(HOUR), () => sleep(HOUR), () => agent('a'), () => sleep(1000)]),
    )
    const executor = new FakeExecutor(() => null, 1)
    const going = startAttempt(new MemoryJournal(), both, { executor, clock: new FakeClock(), limits: { concurrency: 1 } })
    await until(() => executor.running.length === 1)
    expect(going.events.filter((event) => event.type === 'call.started')).toHaveLength(4)
    expect(going.events.some((event) => event.type === 'run.waiting')).toBe(false)
    going.attempt.stop('now')
    expect((await going.done).status).toBe('killed')
  })

  test('that nobody waits for is abandoned with its run', async () => {
    const race = program(async ({ sleep, agent }) => Promise.race([agent('quick'), sleep(HOUR)]))
    const view = await startAttempt(new MemoryJournal(), race, options(new FakeClock())).done
    expect([view.status, valueOf(view), view.calls[1]?.status]).toEqual(['completed', 'r', 'abandoned'])
  })

  test('can be skipped: the script goes on', async () => {
    const going = startAttempt(new MemoryJournal(), nap, options(new FakeClock()))
    await until(() => isWaiting(going))
    expect(going.attempt.skip(1)).toBe(true)
    expect(valueOf(await going.done)).toEqual([null, 'r'])
  })

  test('of a wrong length is refused at its line', async () => {
    const wrong = program(async ({ sleep }) => sleep('1s' as unknown as number))
    expect((await startAttempt(new MemoryJournal(), wrong, options(new FakeClock())).done).error).toMatchObject({
      message: expect.stringContaining('sleep() wants milliseconds'),
    })
  })
})

describe('a clock that jumps six hours (R25)', () => {
  test('wakes what is due and hurts no agent that runs', async () => {
    const both = program(async ({ sleep, agent, parallel }) =>
      parallel([() => agent('slow'), async () => (await sleep(5 * HOUR)) ?? 'woken']),
    )
    const clock = new FakeClock()
    const executor = new FakeExecutor(() => null)
    const going = startAttempt(new MemoryJournal(), both, { executor, clock })
    await until(() => executor.running.length === 1)
    clock.advance(6 * HOUR)
    await until(() => going.events.some((event) => event.type === 'call.ended'))
    expect(executor.running).toEqual([1])
    executor.end(1, ok('fine'))
    expect(valueOf(await going.done)).toEqual(['fine', 'woken'])
  })
})

describe('an owner without anybody to show the wait to', () => {
  test('leaves a run that sleeps for more than a minute, and the next attempt goes on', async () => {
    const journal = new MemoryJournal()
    const clock = new FakeClock()
    const long = program(async ({ sleep, agent }) => [await agent('a'), await sleep(HOUR), await agent('b')])
    const left = await startAttempt(journal, long, options(clock, { whenWaiting: 'leave' })).done
    expect([left.status, left.reason, left.calls.at(-1)?.status]).toEqual(['waiting', 'sleep', 'waiting'])
    expect(journal.records.at(-1)).toMatchObject({ t: 'end', end: { status: 'waiting', reason: 'sleep', until: 1000 + HOUR } })
    clock.advance(HOUR)
    const done = await startAttempt(journal, long, options(clock, { whenWaiting: 'leave', earlier: left })).done
    expect([done.status, valueOf(done), done.counts]).toMatchObject(['completed', ['r', null, 'r'], { replayed: 1, live: 1 }])
  })

  test('stays for a short one, and while anything works', async () => {
    const clock = new FakeClock()
    const short = program(async ({ sleep }) => sleep(60_000))
    const going = startAttempt(new MemoryJournal(), short, options(clock, { whenWaiting: 'leave' }))
    await until(() => isWaiting(going))
    clock.advance(60_000)
    expect((await going.done).status).toBe('completed')

    const executor = new FakeExecutor(() => null)
    const busy = program(async ({ sleep, agent, parallel }) => parallel([() => sleep(HOUR), () => agent('a')]))
    const working = startAttempt(new MemoryJournal(), busy, { executor, clock: new FakeClock(), whenWaiting: 'leave' })
    await until(() => executor.running.length === 1)
    executor.end(2, ok('r'))
    expect((await working.done).status).toBe('waiting')
    expect(working.events.findIndex((event) => event.type === 'run.waiting')).toBeGreaterThan(
      working.events.findIndex((event) => event.type === 'call.ended'),
    )
  })
})
