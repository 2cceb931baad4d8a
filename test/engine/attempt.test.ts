import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../main/engine/ports.ts'
import { dead, FakeExecutor, ok, promptOf } from './support/fake-executor.ts'
import { program, startAttempt, valueOf } from './support/memory-attempt.ts'
import { MemoryJournal } from './support/memory-run.ts'

const answering = (slots = 64): FakeExecutor => new FakeExecutor((task) => ok(`r ${promptOf(task)}`), slots)

/** `count` agents at once, none of which may be lost. */
const fan = (count: number) =>
  program(async ({ agent, parallel }) => {
    const results = await parallel(Array.from({ length: count }, (_, i) => () => agent(`p${i}`)))
    return results.filter((result) => result === null).length
  })

describe('a budget (R18)', () => {
  test('is overdrawn by no more than what was running, and raising it reuses everything that was paid', async () => {
    const journal = new MemoryJournal()
    const first = answering(4)
    const paused = await startAttempt(journal, fan(50), { executor: first, limits: { budget: 1000, concurrency: 4 } }).done
    expect([paused.status, paused.reason]).toEqual(['paused', 'budget'])
    expect(paused.outputTokens).toBeLessThanOrEqual(1400)
    expect(paused.outputTokens).toBeGreaterThanOrEqual(900)
    expect(journal.finished().size).toBe(first.tasks.length)

    const second = answering(4)
    const done = await startAttempt(journal, fan(50), { executor: second, earlier: paused, limits: { budget: 10_000, concurrency: 4 } })
      .done
    expect([done.status, valueOf(done), first.tasks.length + second.tasks.length]).toEqual(['completed', 0, 50])
    expect(done.counts).toMatchObject({ ok: 50, replayed: first.tasks.length, live: second.tasks.length })
  })

  test('a loop on what remains takes the same turns on replay', async () => {
    const loop = program(async ({ agent, budget }) => {
      const seen: number[] = []
      while (budget.remaining() > 450) {
        await agent(`turn ${seen.length}`)
        seen.push(budget.spent())
      }
      return seen
    })
    const journal = new MemoryJournal()
    const live = await startAttempt(journal, loop, { executor: answering(), limits: { budget: 1000 } }).done
    expect(valueOf(live)).toEqual([100, 200, 300, 400, 500, 600])
    const replayed = answering()
    const again = await startAttempt(journal, loop, { executor: replayed, limits: { budget: 1000 } }).done
    expect([valueOf(again), replayed.tasks]).toEqual([valueOf(live), []])
  })
})

describe('a limit in dollars', () => {
  test('is overdrawn by no more than what was running, counts what died, and refuses no replayed call', async () => {
    const journal = new MemoryJournal()
    const limits = { maxCost: 5, concurrency: 4 }
    // Each answer costs half a dollar, each death too.
    const some = new FakeExecutor((task) => (task.call % 4 === 0 ? dead('refused') : ok('x')), 4)
    const paused = await startAttempt(journal, fan(50), { executor: some, limits }).done
    expect([paused.status, paused.reason, paused.maxCost]).toEqual(['paused', 'money', 5])
    expect(paused.committed.cost).toBe(some.tasks.length / 2)
    expect(paused.committed.cost).toBeGreaterThanOrEqual(4.5)
    expect(paused.committed.cost).toBeLessThanOrEqual(5 + 4 * 0.5)
    expect(journal.records.flatMap((record) => (record.t === 'result' ? [record.cost] : []))).toEqual(some.tasks.map(() => 0.5))

    const none = answering(4)
    const again = await startAttempt(journal, fan(50), { executor: none, earlier: paused, limits }).done
    expect([again.reason, none.tasks]).toEqual(['money', []])
    expect(again.committed).toEqual(paused.committed)

    const rest = answering(4)
    const done = await startAttempt(journal, fan(50), { executor: rest, earlier: again, limits: { maxCost: 100 } }).done
    expect([done.status, valueOf(done), done.committed.cost]).toEqual(['completed', 0, (some.tasks.length + rest.tasks.length) / 2])

    const replay = answering(4)
    const replayed = await startAttempt(journal, fan(50), { executor: replay, earlier: done, limits: { maxCost: 0.01 } }).done
    expect([replayed.status, valueOf(replayed), replay.tasks]).toEqual(['completed', 0, []])
  })
})

describe('a pause ends the attempt without a null for anybody', () => {
  test('an agent without quota is no result; the run pauses with the time of the reset, and resume completes (R5)', async () => {
    const journal = new MemoryJournal()
    const limited: Outcome = {
      kind: 'halt',
      reason: 'quota',
      detail: 'usage limit reached',
      resetAt: '2026-01-01T18:00:00Z',
      backend: 'real',
    }
    const first = new FakeExecutor((task, _) => (task.call <= 5 ? ok(task.call) : limited), 4)
    const paused = await startAttempt(journal, fan(100), { executor: first, limits: { concurrency: 4 } }).done
    expect([paused.status, paused.reason, paused.resetAt]).toEqual(['paused', 'quota', '2026-01-01T18:00:00Z'])
    expect(first.tasks.length).toBeLessThanOrEqual(9)
    expect(paused.counts).toMatchObject({ ok: 5, dead: 0, skipped: 0, abandoned: 0 })

    const second = answering(4)
    const done = await startAttempt(journal, fan(100), { executor: second, earlier: paused }).done
    expect([done.status, valueOf(done), second.tasks.length]).toEqual(['completed', 0, 95])
  })

  test('a pause by a person starts nothing more, and what was running is saved and reused', async () => {
    const journal = new MemoryJournal()
    const first = new FakeExecutor(() => null, 2)
    const going = startAttempt(journal, fan(5), { executor: first, limits: { concurrency: 2 } })
    await started(first, 2)
    going.attempt.pause()
    first.end(1, ok('a'))
    first.end(2, ok('b'))
    const paused = await going.done
    expect([paused.status, paused.reason, first.tasks.length, paused.counts.ok]).toEqual(['paused', 'user', 2, 2])
    const second = answering()
    expect(valueOf(await startAttempt(journal, fan(5), { executor: second }).done)).toBe(0)
    expect(second.tasks.length).toBe(3)
  })

  test('five siblings that die in a row of one reason pause the run before the sixth is tried', async () => {
    const first = new FakeExecutor(() => dead('refused'), 1)
    const paused = await startAttempt(new MemoryJournal(), fan(20), { executor: first, limits: { concurrency: 1 } }).done
    expect([paused.status, paused.reason]).toEqual(['paused', 'same-failure'])
    expect(first.tasks.length).toBeLessThanOrEqual(6)
  })

  test('deaths of several reasons, or with successes between them, do not', async () => {
    const mixed = new FakeExecutor((task) => dead(task.call % 2 === 0 ? 'refused' : 'timeout'), 1)
    expect((await startAttempt(new MemoryJournal(), fan(12), { executor: mixed, limits: { concurrency: 1 } }).done).counts.dead).toBe(12)
    const some = new FakeExecutor((task) => (task.call % 4 === 0 ? ok(1) : dead('refused')), 1)
    const view = await startAttempt(new MemoryJournal(), fan(12), { executor: some, limits: { concurrency: 1 } }).done
    expect([view.status, view.counts.dead]).toEqual(['completed', 9])
  })
})

test('a person answers, skips and retries one call while the others go on', async () => {
  const journal = new MemoryJournal()
  const executor = new FakeExecutor((task, nth) => (task.call === 2 && nth === 2 ? ok('again') : null))
  const going = startAttempt(journal, fan(4), { executor })
  await started(executor, 4)
  const { attempt } = going
  executor.say(1, (on) => on.asked({ id: 'q', tool: 'Edit', title: 'Edit a.ts', input: {} }))
  expect(attempt.retry(1)).toBe(false)
  expect([attempt.answer('1.1.q', 'deny', 'you'), attempt.answer('1.1.q', 'allow-once', 'you')]).toEqual([true, false])
  expect(attempt.retry(1)).toBe(true)
  expect([attempt.retry(2), attempt.skip(3), attempt.retry(9), attempt.skip(9)]).toEqual([true, true, false, false])
  await started(executor, 6)
  await until(() => journal.finished().size === 2)
  expect([attempt.retry(2), attempt.skip(3)]).toEqual([false, false])
  executor.end(1, ok('a'))
  executor.end(4, ok('d'))
  const view = await going.done
  expect([view.status, valueOf(view), view.calls.map(({ status }) => status)]).toEqual(['completed', 1, ['ok', 'ok', 'skipped', 'ok']])
})

test('after a pause nothing is started again, and a running call can still be skipped or answered', async () => {
  const executor = new FakeExecutor(() => null)
  const going = startAttempt(new MemoryJournal(), fan(3), { executor })
  await started(executor, 3)
  executor.say(1, (on) => on.asked({ id: 'q', tool: 'Edit', title: 'Edit a.ts', input: {} }))
  going.attempt.pause()
  expect([going.attempt.retry(2), going.attempt.answer('1.1.q', 'deny', 'you'), going.attempt.skip(2)]).toEqual([false, true, true])
  executor.end(1, ok('a'))
  executor.end(3, ok('c'))
  const view = await going.done
  expect([view.status, executor.tasks.length, view.counts]).toMatchObject(['paused', 3, { ok: 2, skipped: 1 }])
})

test('a pause that comes before the script has started is kept', async () => {
  const executor = new FakeExecutor(() => null)
  const going = startAttempt(new MemoryJournal(), fan(3), { executor })
  going.attempt.pause()
  const view = await going.done
  expect([view.status, view.reason, executor.tasks]).toEqual(['paused', 'user', []])
})

test('after a stop nothing more is taken of a person', async () => {
  const executor = new FakeExecutor(() => null)
  const going = startAttempt(new MemoryJournal(), fan(1), { executor })
  await started(executor, 1)
  going.attempt.stop('keep')
  expect([going.attempt.skip(1), going.attempt.retry(1)]).toEqual([false, false])
  expect([(await going.done).status, executor.running]).toEqual(['killed', []])
})

test('what an agent still says after a stop at once is not told: the end is the last event', async () => {
  const executor = new FakeExecutor(() => null)
  executor.onCancel = () => null
  const going = startAttempt(new MemoryJournal(), fan(1), { executor })
  await started(executor, 1)
  going.attempt.stop('now')
  await going.done
  executor.say(1, (on) => on.event({ kind: 'text', text: 'late' }))
  await until(() => true)
  expect(going.events.at(-1)?.type).toBe('run.ended')
})

describe('stop (R17)', () => {
  test('at 3 of 20 inside try/catch starts no fourth, ends as stopped, and resume starts 17', async () => {
    const caught = program(async ({ agent, parallel }) => {
      try {
        return await parallel(
          Array.from({ length: 20 }, (_, i) => async () => {
            try {
              return await agent(`p${i}`)
            } catch {
              return 'swallowed'
            }
          }),
        )
      } catch {
        return 'swallowed'
      }
    })
    const journal = new MemoryJournal()
    const first = new FakeExecutor((task) => (task.call <= 3 ? ok(`r ${promptOf(task)}`) : null), 1)
    const going = startAttempt(journal, caught, { executor: first, limits: { concurrency: 1 } })
    await started(first, 4)
    going.attempt.stop('keep')
    const stopped = await going.done
    expect([stopped.status, journal.finished().size, first.running]).toEqual(['killed', 3, []])
    expect(first.tasks.length).toBe(4)

    const second = answering()
    const done = await startAttempt(journal, caught, { executor: second, earlier: stopped }).done
    expect([done.status, second.tasks.length]).toEqual(['completed', 17])
    expect(valueOf(done)).toEqual(Array.from({ length: 20 }, (_, i) => `r p${i}`))
  })
})

describe('the limit of agents', () => {
  test('can not be caught: running ones finish and are saved, no queued one starts, the run fails with its code', async () => {
    const loop = program(async ({ agent }) => {
      const slow = agent('slow')
      for (let i = 0; ; i += 1) {
        try {
          await agent(`p${i}`)
        } catch (error) {
          if (String(error).includes('limit')) return ['swallowed', await slow]
        }
      }
    })
    const journal = new MemoryJournal()
    const executor = new FakeExecutor((task) => (promptOf(task) === 'slow' ? null : ok('x')))
    const going = startAttempt(journal, loop, { executor, limits: { maxAgents: 5 } })
    await started(executor, 5)
    await until(() => journal.finished().size === 4)
    executor.end(1, ok('slow'))
    const view = await going.done
    expect([view.status, view.error?.code, executor.tasks.length, journal.finished().size]).toEqual(['failed', 'call-limit', 5, 5])
  })
})

describe('what is reused', () => {
  const two = program(async ({ agent, parallel }) => parallel([() => agent('a'), () => agent('b')]))

  test('nothing simulated by a real agent, everything real by another real one (R36)', async () => {
    const journal = new MemoryJournal()
    const simulated = new FakeExecutor((task) => ({ ...ok(promptOf(task)), backend: 'simulated' }) as Outcome)
    await startAttempt(journal, two, { executor: simulated, input: { backend: 'simulated' } }).done
    const real = answering()
    const view = await startAttempt(journal, two, { executor: real, input: { backend: 'claude' } }).done
    expect([view.calls.map(({ whyLive }) => whyLive), real.tasks.length, valueOf(view)]).toEqual([
      ['was-simulated', 'was-simulated'],
      2,
      ['r a', 'r b'],
    ])
    const other = answering()
    await startAttempt(journal, two, { executor: other, input: { backend: 'codex' } }).done
    expect(other.tasks).toEqual([])
    const again = answering()
    await startAttempt(journal, two, { executor: again, input: { backend: 'simulated' } }).done
    expect(again.tasks).toEqual([])
  })

  test('nothing under the policy none, and from a call on only what was made before it', async () => {
    const journal = new MemoryJournal()
    await startAttempt(journal, two, { executor: answering() }).done
    const none = answering()
    await startAttempt(journal, two, { executor: none, input: { policy: 'none' } }).done
    expect(none.prompts).toEqual(['a', 'b'])
    const from = answering()
    await startAttempt(journal, two, { executor: from, input: { from: 2 } }).done
    expect(from.prompts).toEqual(['b'])
  })

  test('a choice to run again from a call on outlives a kill: what it took away is not replayed, what was made anew is', async () => {
    const chain = program(async ({ agent }) => [await agent('a'), await agent('b'), await agent('c'), await agent('d')])
    const journal = new MemoryJournal()
    let round = 1
    const rounds = (): FakeExecutor => new FakeExecutor((task) => ok(`${promptOf(task)}${round}`))
    await startAttempt(journal, chain, { executor: rounds() }).done
    round = 2
    const killed = startAttempt(journal, chain, { executor: rounds(), input: { from: 2 }, killAfter: 1 })
    await killed.killed
    round = 3
    const rest = rounds()
    expect(valueOf(await startAttempt(journal, chain, { executor: rest }).done)).toEqual(['a1', 'b2', 'c3', 'd3'])
    expect(rest.prompts).toEqual(['c', 'd'])
    const again = rounds()
    await startAttempt(journal, chain, { executor: again }).done
    expect(again.tasks).toEqual([])
  })

  test('from a call that was put in later on, everything that the script asks for after it runs again', async () => {
    const chain = (...prompts: string[]) =>
      program(async ({ agent }) => {
        for (const prompt of prompts) await agent(prompt)
      })
    const journal = new MemoryJournal()
    await startAttempt(journal, chain('a', 'b', 'c'), { executor: answering() }).done
    await startAttempt(journal, chain('a', 'new', 'b', 'c'), { executor: answering() }).done
    const from = answering()
    await startAttempt(journal, chain('a', 'new', 'b', 'c'), { executor: from, input: { from: 4 } }).done
    expect(from.prompts).toEqual(['new', 'b', 'c'])
  })

  test('a call that a person takes as skipped is null, and stays so on resume', async () => {
    const journal = new MemoryJournal()
    const first = new FakeExecutor((task) => (promptOf(task) === 'a' ? null : ok('x')))
    const going = startAttempt(journal, two, { executor: first })
    await started(first, 2)
    expect([going.attempt.skip(1), going.attempt.skip(9)]).toEqual([true, false])
    expect(valueOf(await going.done)).toEqual([null, 'x'])
    const again = answering()
    const view = await startAttempt(journal, two, { executor: again }).done
    expect([valueOf(view), again.tasks, view.counts]).toEqual([
      [null, 'x'],
      [],
      { ok: 1, skipped: 1, dead: 0, abandoned: 0, replayed: 2, live: 0 },
    ])
  })

  test('a call that nobody waited for last time can be skipped before it is started again', async () => {
    const raced = program(async ({ agent }) => Promise.race([agent('loser'), agent('winner')]))
    const both = program(async ({ agent }) => {
      const loser = agent('loser')
      await agent('winner')
      await agent('slow')
      return loser
    })
    const journal = new MemoryJournal()
    await startAttempt(journal, raced, { executor: new FakeExecutor((task) => (promptOf(task) === 'loser' ? null : ok('won'))) }).done
    const executor = new FakeExecutor(() => null)
    const going = startAttempt(journal, both, { executor })
    await started(executor, 1)
    expect([executor.prompts, going.attempt.skip(1), going.attempt.skip(1)]).toEqual([['slow'], true, false])
    await until(() => journal.finished().has(1))
    executor.end(3, ok('x'))
    const view = await going.done
    expect([view.status, valueOf(view), executor.prompts]).toEqual(['completed', null, ['slow']])
  })

  test('a call that nobody waits for is abandoned at the end, neither done nor dead, and replayed without a start', async () => {
    const loose = program(async ({ agent }) => {
      void agent('loser')
      return agent('winner')
    })
    const journal = new MemoryJournal()
    const first = new FakeExecutor((task) => (promptOf(task) === 'loser' ? null : ok('won')))
    const view = await startAttempt(journal, loose, { executor: first }).done
    expect([view.status, valueOf(view), view.counts, first.running]).toEqual([
      'completed',
      'won',
      { ok: 1, dead: 0, skipped: 0, abandoned: 1, replayed: 0, live: 2 },
      [],
    ])
    const again = answering()
    const replay = await startAttempt(journal, loose, { executor: again }).done
    expect([valueOf(replay), again.tasks, replay.counts.dead]).toEqual(['won', [], 0])
  })
})

test('phases start and end in the same order when they are replayed', async () => {
  const phased = program(async ({ agent, phase }) => {
    for (const title of ['A', 'B', 'C']) {
      phase(title)
      await agent(`in ${title}`)
    }
    await agent('in X', { phase: 'X' })
  })
  const journal = new MemoryJournal()
  const told = async (): Promise<string[]> => {
    const going = startAttempt(journal, phased, { executor: answering() })
    await going.done
    return going.events.flatMap((event) =>
      event.type === 'phase.started' || event.type === 'phase.ended' ? [`${event.type} ${event.phase}`] : [],
    )
  }
  const live = await told()
  expect(live.map((line) => line.replace('phase.', ''))).toEqual([
    ...['started A', 'started B', 'ended A', 'started C', 'ended B', 'started X', 'ended X', 'ended C'],
  ])
  expect(await told()).toEqual(live)
})

/** Resolves when so many tasks were started. */
function started(executor: FakeExecutor, count: number): Promise<void> {
  return until(() => executor.tasks.length >= count)
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}
