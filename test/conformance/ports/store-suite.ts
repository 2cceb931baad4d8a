/** What every RunStore, OpenRun and RunInbox has to keep, whatever it is made of. */
import { describe, expect, test } from 'vitest'
import type { CommandEntry, OpenRun, RunInbox, RunStore } from '../../../main/engine/ports.ts'
import type { RunId } from '../../../shared/ids.ts'
import type { Json } from '../../../shared/json.ts'
import type { RunEvent } from '../../../shared/run/events.ts'
import type { Owner } from '../../../shared/run/record.ts'
import {
  attempt,
  call,
  completed,
  newRequestId,
  newRun,
  opened,
  queuedEvent,
  result,
  saidBy,
  started,
  startedEvent,
  viewFrom,
} from '../../store/run-fixtures.ts'

export type Store = RunStore & { inbox: RunInbox }

export interface StoreWorld {
  project: string
  store: Store
  /** The same runs, as another process sees them. */
  another(): Store
  alive: Owner
  dead: Owner
}

const command = (id: string, body: CommandEntry['body'] = { kind: 'stop' }): CommandEntry => ({ id, by: 'suite', body })

export function storeSuite(make: () => StoreWorld): void {
  async function withRun(owner: 'alive' | 'dead' = 'alive'): Promise<StoreWorld & { runId: RunId; run: OpenRun }> {
    const world = make()
    const { runId, token } = await world.store.create(newRun(world.project), newRequestId(), world[owner])
    return { ...world, runId, run: await world.store.adopt(runId, token) }
  }

  describe('a run is made once', () => {
    test('a request that is made twice makes one run, whoever asks', async () => {
      const { store, another, project, alive } = make()
      const [request, run] = [newRequestId(), newRun(project)]
      const first = await store.create(run, request, alive)
      const again = await another().create({ ...run, runId: newRun(project).runId }, request, alive)
      expect([first.existed, again.existed, again.runId, again.number]).toEqual([false, true, first.runId, first.number])
    })

    test('a request that asks for something else is refused', async () => {
      const { store, project, alive } = make()
      const request = newRequestId()
      await store.create(newRun(project), request, alive)
      await expect(store.create(newRun(project, { title: 'other' }), request, alive)).rejects.toMatchObject({ code: 'request-conflict' })
    })

    test('a run that was never made is unknown', async () => {
      const { store, project } = make()
      await expect(store.open(newRun(project).runId, attempt())).rejects.toMatchObject({ code: 'run-unknown' })
    })
  })

  describe('a run has one owner', () => {
    test('at work it is given to nobody else, and who asks learns whose it is', async () => {
      const { another, runId, alive } = await withRun()
      expect(await another().open(runId, attempt())).toEqual({ heldBy: alive })
    })

    test('after its owner was killed the next attempt finds everything that was saved, in order', async () => {
      const { another, runId, run } = await withRun('dead')
      const written = [...(await run.append([call(1), started(1), call(2)])), ...(await run.append([result(1)]))]
      const next = opened(await another().open(runId, attempt()))
      const { records, badLines } = await next.history()
      expect([next.attempt, badLines]).toEqual([2, []])
      expect(saidBy(records)).toEqual(['attempt 1', 'call 1', 'started 1', 'call 2', 'result 1', 'attempt 2'])
      expect(records.slice(1, -1).map(({ n }) => n)).toEqual(written.map(({ n }) => n))
      expect(records.every(({ n }, i) => i === 0 || n > (records[i - 1]?.n ?? 0))).toBe(true)
    })

    test('an owner that was given up and wakes again is fenced: nothing it writes counts', async () => {
      const { another, runId, run } = await withRun('dead')
      await run.append([call(1)])
      const next = opened(await another().open(runId, attempt()))
      expect(saidBy((await next.history()).records)).toEqual(['attempt 1', 'call 1', 'attempt 2'])
      await expect(run.append([call(2), result(2)])).rejects.toMatchObject({ code: 'fenced' })
      await next.append([call(2, 'of the new owner')])
      const { records } = await next.history()
      expect(saidBy(records)).toEqual(['attempt 1', 'call 1', 'attempt 2', 'call 2'])
      expect(records.at(-1)).toMatchObject({ params: { prompt: 'of the new owner' } })
    })

    test('the attempt that was made can not be taken any more once another began', async () => {
      const { store, another, runId, run } = await withRun('dead')
      opened(await another().open(runId, attempt()))
      await expect(store.adopt(runId, run.token)).rejects.toMatchObject({ code: 'fenced' })
    })

    test('a run that has ended is open to the next attempt, though its owner lives', async () => {
      const { another, runId, run } = await withRun()
      await run.append([call(1), result(1), completed()])
      expect(opened(await another().open(runId, attempt())).attempt).toBe(2)
    })

    test("of two who ask for a dead owner's run at once, one gets it", async () => {
      const { store, another, runId } = await withRun('dead')
      const taken = await Promise.all([store.open(runId, attempt()), another().open(runId, attempt())])
      expect(taken.filter((one) => 'heldBy' in one)).toHaveLength(1)
    })
  })

  describe('values', () => {
    test.each<[string, Json]>([
      ['null', null],
      ['a text with every kind of letter', 'Grüße 日本 🚀 \u2028 \\ " \ud800'],
      ['a large text of letters with several bytes', 'ü'.repeat(40_000)],
      ['a large list', Array.from({ length: 20_000 }, (_, i) => ({ i }))],
    ])('%s comes back as it was, to the next owner too', async (_, value) => {
      const { another, runId, run } = await withRun('dead')
      const stored = await run.put(value)
      expect(await run.get(stored)).toEqual(value)
      expect(await opened(await another().open(runId, attempt())).get(JSON.parse(JSON.stringify(stored)))).toEqual(value)
    })

    test('above 64 KB they are named, not carried along', async () => {
      const { run } = await withRun()
      expect(await run.put('x'.repeat(64 * 1024 - 2))).toHaveProperty('inline')
      const stored = await run.put('x'.repeat(64 * 1024))
      expect(stored).toMatchObject({ blob: { bytes: 64 * 1024 + 2 } })
      expect(JSON.stringify(stored).length).toBeLessThan(500)
    })
  })

  test('the feed tells every event once and in order, from any place, before and after it was asked', async () => {
    const { another, runId, run } = await withRun()
    const events: RunEvent[] = [startedEvent(runId), ...Array.from({ length: 300 }, (_, i) => queuedEvent(runId, i + 2, i + 1))]
    run.publish(events.slice(0, 100), viewFrom(events.slice(0, 100)))
    const stop = new AbortController()
    const seen: number[] = []
    const told: Promise<void>[] = []
    for (const after of [0, 40]) {
      told.push(
        (async () => {
          for await (const batch of another().feed(runId, after, stop.signal)) {
            for (const event of batch) {
              if (after === 0) seen.push(event.seq)
              else expect(event.seq).toBeGreaterThan(after)
            }
            if (batch.at(-1)?.seq === events.length) return
          }
        })(),
      )
    }
    for (let from = 100; from < events.length; from += 50) {
      run.publish(events.slice(from, from + 50), viewFrom(events.slice(0, from + 50)))
    }
    await Promise.all(told)
    stop.abort()
    expect(seen).toEqual(events.map(({ seq }) => seq))
  })

  describe('commands', () => {
    test('reach the owner in the order in which they were sent, and the sender learns the outcome', async () => {
      const { store, another, runId, run } = await withRun()
      const stop = new AbortController()
      const sent = (async () => {
        const outcomes = []
        for (const call of [1, 2, 3]) outcomes.push(await another().inbox.post(runId, command(`c${call}`, { kind: 'skip', call }), 20_000))
        stop.abort()
        return outcomes
      })()
      const taken: CommandEntry[] = []
      for await (const { done, ...entry } of store.inbox.take(runId, stop.signal)) {
        taken.push(entry)
        await run.append([{ t: 'command', id: entry.id, outcome: taken.length === 3 ? 'stale' : 'accepted' }])
        await done()
      }
      expect(await sent).toEqual(['accepted', 'accepted', 'stale'])
      expect(taken).toEqual([1, 2, 3].map((call) => command(`c${call}`, { kind: 'skip', call })))
    })

    test('posted twice are done once, then and ever after', async () => {
      const { store, another, runId, run } = await withRun()
      const stop = new AbortController()
      const posts = Promise.all([store, another()].map(({ inbox }) => inbox.post(runId, command('same'), 20_000))).finally(() =>
        stop.abort(),
      )
      let applied = 0
      for await (const entry of store.inbox.take(runId, stop.signal)) {
        applied += 1
        await run.append([{ t: 'command', id: entry.id, outcome: 'accepted' }])
        await entry.done()
      }
      expect([await posts, applied]).toEqual([['accepted', 'accepted'], 1])
      expect(await store.inbox.post(runId, command('same'), 20_000)).toBe('repeated')
    })

    test('to a run without an owner are refused, and so are those that its end overtakes', async () => {
      const dead = await withRun('dead')
      expect(await dead.store.inbox.post(dead.runId, command('a'), 20_000)).toBe('ended')
      const { another, runId, run } = await withRun()
      const posted = another().inbox.post(runId, command('b'), 20_000)
      await run.append([completed()])
      expect(await posted).toBe('ended')
    })

    test('that the owner does not take are reported as such and not done afterwards', async () => {
      const { store, runId } = await withRun()
      expect(await store.inbox.post(runId, command('unheard'), 1)).toBe('no-answer')
      const stop = new AbortController()
      const next = store.inbox.take(runId, stop.signal)[Symbol.asyncIterator]().next()
      stop.abort()
      expect((await next).done).toBe(true)
    })
  })
}
