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

  test('that is slept anew by choice and cut off waits for the rest of the new time', async () => {
    const journal = new MemoryJournal()
    const clock = new FakeClock()
    const first = startAttempt(journal, nap, options(clock))
    await until(() => isWaiting(first))
    clock.advance(6 * HOUR)
    await first.done
    const again = startAttempt(journal, nap, options(clock, { input: { from: 1 } }))
    await until(() => isWaiting(again))
    clock.advance(4 * HOUR)
    again.attempt.stop('keep')
    await again.done
    const rest = startAttempt(journal, nap, options(clock))
    await until(() => isWaiting(rest))
    clock.advance(2 * HOUR)
    expect(valueOf(await rest.done)).toEqual([null, 'r'])
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

describe('a gate', () => {
  const ask = program(async ({ gate, agent }) => {
    const decided = await gate('Ship it?', { show: 'the plan' })
    return [decided, await agent('after')]
  })

  test('waits for a person, and the script gets the choice, the note, by whom and when', async () => {
    const going = startAttempt(new MemoryJournal(), ask, options(new FakeClock()))
    await until(() => isWaiting(going))
    expect(going.events.at(-1)).toMatchObject({ for: 'gate' })
    expect(going.events).toContainEqual(
      expect.objectContaining({ type: 'gate.opened', question: 'Ship it?', options: ['approve', 'changes'] }),
    )
    expect((await going.attempt.decide(1, { choice: 'approve', note: 'fine', by: 'me' })).outcome).toBe('accepted')
    const view = await going.done
    expect(valueOf(view)).toEqual([{ choice: 'approve', note: 'fine', by: 'me', at: 1000 }, 'r'])
    expect(view.calls[0]).toMatchObject({ status: 'ok', summary: 'approve' })
    expect(view.counts).toMatchObject({ ok: 1 })
  })

  test('takes one decision only, and only a choice that it offers', async () => {
    const going = startAttempt(new MemoryJournal(), ask, options(new FakeClock()))
    await until(() => isWaiting(going))
    expect((await going.attempt.decide(1, { choice: 'perhaps', by: 'me' })).outcome).toBe('stale')
    const both = [going.attempt.decide(1, { choice: 'changes', by: 'a' }), going.attempt.decide(1, { choice: 'approve', by: 'b' })]
    expect((await Promise.all(both)).map(({ outcome }) => outcome)).toEqual(['accepted', 'stale'])
    expect(valueOf(await going.done)).toMatchObject([{ choice: 'changes', by: 'a' }, 'r'])
  })

  test('that was decided is replayed, never asked again', async () => {
    const journal = new MemoryJournal()
    const first = startAttempt(journal, ask, options(new FakeClock()))
    await until(() => isWaiting(first))
    await first.attempt.decide(1, { choice: 'approve', by: 'me' })
    const value = valueOf(await first.done)
    const again = startAttempt(journal, ask, options(new FakeClock()))
    expect(valueOf(await again.done)).toEqual(value)
    expect(again.events.some((event) => event.type === 'gate.opened')).toBe(false)
  })

  test('is left by an owner that has nobody to ask; the run goes on with the decision that was journaled meanwhile', async () => {
    const journal = new MemoryJournal()
    const left = await startAttempt(journal, ask, options(new FakeClock(), { whenWaiting: 'leave' })).done
    expect([left.status, left.reason, left.allowedActions]).toEqual(['waiting', 'gate', ['decide', 'resume', 'stop', 'export', 'delete']])
    const again = await startAttempt(journal, ask, options(new FakeClock(), { whenWaiting: 'leave', earlier: left })).done
    expect([again.status, again.calls[0]?.status]).toEqual(['waiting', 'waiting'])
  })

  test('with a time limit gives null when nobody chose, and asks again on resume', async () => {
    const journal = new MemoryJournal()
    const limited = program(async ({ gate }) => gate('Now?', { timeoutMs: HOUR }))
    const clock = new FakeClock()
    const going = startAttempt(journal, limited, options(clock))
    await until(() => isWaiting(going))
    clock.advance(HOUR)
    const view = await going.done
    expect([view.status, valueOf(view), view.calls[0]?.reason, view.counts.dead]).toEqual(['completed', null, 'timeout', 0])
    const again = startAttempt(journal, limited, options(clock))
    await until(() => isWaiting(again))
    again.attempt.stop('keep')
    await again.done
  })

  test('keeps the file that it shows as it was, by its hash; one that can not be read opens no gate', async () => {
    const shows = program(async ({ gate }) => gate('Fine?', { show: { path: 'plan.md' } }))
    const journal = new MemoryJournal()
    const readFile = async (path: string) => ({ text: `text of ${path}`, sha256: 'c'.repeat(64) })
    const going = startAttempt(journal, shows, options(new FakeClock(), { readFile }))
    await until(() => isWaiting(going))
    going.attempt.stop('keep')
    await going.done
    expect(journal.records).toContainEqual(
      expect.objectContaining({ t: 'started', shown: { path: 'plan.md', sha256: 'c'.repeat(64), text: { inline: 'text of plan.md' } } }),
    )
    const refused = await startAttempt(new MemoryJournal(), shows, options(new FakeClock())).done
    expect([valueOf(refused), refused.calls[0]?.reason, refused.calls[0]?.detail]).toMatchObject([
      null,
      'refused',
      expect.stringMatching(/plan\.md/),
    ])
  })

  test('keeps the breaker and the pause as they are: a pause ends the attempt and the gate stays open', async () => {
    const journal = new MemoryJournal()
    const going = startAttempt(journal, ask, options(new FakeClock()))
    await until(() => isWaiting(going))
    going.attempt.pause()
    expect((await going.done).status).toBe('paused')
    expect(journal.records.some((record) => record.t === 'result')).toBe(false)
  })
})

describe('wait()', () => {
  const poll = (limits: object) =>
    program(async ({ wait, agent }) => {
      let looks = 0
      const verdict = await wait(async () => {
        looks += 1
        return agent(`look ${looks}`)
      }, limits)
      return [verdict, looks]
    })
  const saying = (...verdicts: string[]) => new FakeExecutor((task) => ok(verdicts[task.call === 1 ? 0 : (task.call - 1) / 2] ?? 'wait'))

  test('looks, sleeps and looks again until it is green', async () => {
    const journal = new MemoryJournal()
    const clock = new FakeClock()
    const going = startAttempt(journal, poll({ intervalsMs: [1000, 5000], name: 'CI' }), {
      executor: saying('wait', 'wait', 'green'),
      clock,
    })
    await until(() => isWaiting(going))
    expect(going.events.at(-1)).toMatchObject({ for: 'wait' })
    clock.advance(1000)
    await until(() => going.events.filter((event) => event.type === 'run.waiting').length === 2)
    clock.advance(5000)
    expect(valueOf(await going.done)).toEqual(['green', 3])
    const executor = answering()
    expect(valueOf(await startAttempt(journal, poll({ intervalsMs: [1000, 5000], name: 'CI' }), { executor, clock }).done)).toEqual([
      'green',
      3,
    ])
    expect(executor.tasks).toEqual([])
  })

  test('gives fail as the probe does, and says when its time is over after one last look', async () => {
    const failed = startAttempt(new MemoryJournal(), poll({}), { executor: saying('fail'), clock: new FakeClock() })
    expect(valueOf(await failed.done)).toEqual(['fail', 1])
  })

  test('refuses a probe that says anything else', async () => {
    const odd = startAttempt(new MemoryJournal(), poll({}), { executor: saying('maybe'), clock: new FakeClock() })
    expect((await odd.done).error?.message).toContain("'green', 'wait' or 'fail'")
  })
})
