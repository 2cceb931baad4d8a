import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sealed } from '../../main/store/checksum.ts'
import { encodeEvents } from '../../main/store/event-format.ts'
import { currentOwner } from '../../main/store/owner.ts'
import { SavedCalls } from '../../main/store/run-facts.ts'
import { openStore } from '../../main/store/run-store.ts'
import { summarize } from '../../main/store/run-summary.ts'
import type { RunEvent } from '../../shared/run/events.ts'
import {
  attempt,
  base,
  COUNTS,
  call,
  completed,
  deadOwner,
  fileOf,
  opened,
  queuedEvent,
  result,
  runsOf,
  started,
  startedEvent,
  startedRun,
  viewFrom,
} from './run-fixtures.ts'

function endedEvent(runId: string, seq: number): RunEvent {
  return {
    type: 'run.ended',
    ...base(runId, seq),
    status: 'completed',
    reason: null,
    resetAt: null,
    error: null,
    counts: COUNTS,
    value: { inline: 'done' },
  }
}

/** Every file below a folder with its size and time of change. */
function photo(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const { size, mtimeMs } = statSync(join(folder, name))
      return `${name} ${size} ${mtimeMs}`
    })
}

describe('the state of a run', () => {
  test('R10: without an end and with a dead owner it is interrupted: resumable, never running', async () => {
    const { store, runId, run } = await startedRun(deadOwner())
    const events = [
      startedEvent(runId),
      queuedEvent(runId, 2, 1, 'Review'),
      queuedEvent(runId, 3, 2, 'Review'),
      queuedEvent(runId, 4, 3, 'Review'),
    ]
    run.publish(events, viewFrom(events))
    await run.append([call(1), call(2), call(3), started(1), started(2), result(1)])
    const { view, ownerAlive } = await store.read(runId)
    expect([view.status, ownerAlive, view.currentPhase]).toEqual(['interrupted', false, null])
    expect(view.calls.map((c) => c.status)).toEqual(['ok', 'cut-off', 'abandoned'])
    expect(view.allowedActions).toEqual(['resume', 'export', 'delete'])
    expect(view.endedAt).not.toBeNull()
    expect(view.attempts.map((a) => a.status)).toEqual(['interrupted'])
  })

  test('results that the unsynced events lost are there, so the saved count is right', async () => {
    const { project, store, runId, run } = await startedRun(deadOwner())
    const events = [startedEvent(runId), queuedEvent(runId, 2, 1)]
    run.publish(events, viewFrom(events))
    await run.append([1, 2, 3].flatMap((n) => [call(n), started(n), result(n)]))
    const read = await store.read(runId)
    expect(read.view.calls.map((c) => [c.callId, c.status, c.outputTokens])).toEqual([
      [1, 'ok', 5],
      [2, 'ok', 5],
      [3, 'ok', 5],
    ])
    expect(read.view.counts).toEqual({ ok: 3, dead: 0, skipped: 0, abandoned: 0, replayed: 0, live: 3 })
    expect(read.view.lastSeq).toBe(2)
    expect((await openStore(project).list({ limit: 1 })).runs[0]?.sentence).toBe('closed while it ran · 3 saved')
  })

  test('without any events the journal alone gives calls, end and return value', async () => {
    const { project, store, runId, run } = await startedRun()
    await run.append([call(1), started(1), result(1), completed()])
    rmSync(fileOf(project, runId, 'events.jsonl'))
    const { view } = await store.read(runId)
    expect([view.status, view.value, view.title, view.number]).toEqual(['completed', { inline: 'done' }, 'review', 1])
    expect(view.calls.map((c) => [c.label, c.title, c.status])).toEqual([['call 1', 'call 1', 'ok']])
  })

  test('an end that only events tell of is not believed', async () => {
    const { store, runId, run } = await startedRun(deadOwner())
    const events = [startedEvent(runId), endedEvent(runId, 2)]
    run.publish(events, viewFrom(events))
    expect((await store.read(runId)).view).toMatchObject({ status: 'interrupted', value: null })
  })

  test('while its owner lives it is queued, then running; no line being written counts as damage', async () => {
    const { project, store, runId, run } = await startedRun()
    expect((await store.read(runId)).view.status).toBe('queued')
    await run.append([call(1), started(1)])
    appendFileSync(fileOf(project, runId, 'journal.jsonl'), '{"v":2,"n":4')
    const { view, badLines } = await store.read(runId)
    expect([view.status, view.calls[0]?.status, badLines]).toEqual(['running', 'running', []])
  })

  test('each way an attempt can end is told as it was', async () => {
    const ends = [
      [
        { status: 'paused', reason: 'quota', resetAt: '2030-01-01T14:00:00Z' },
        { status: 'paused', reason: 'quota', resetAt: '2030-01-01T14:00:00Z' },
      ],
      [
        { status: 'waiting', reason: 'gate' },
        { status: 'waiting', reason: 'gate' },
      ],
      [{ status: 'killed' }, { status: 'killed', reason: null }],
      [
        { status: 'failed', error: { code: 'script-stuck', message: 'stuck' } },
        { status: 'failed', error: { code: 'script-stuck', message: 'stuck' } },
      ],
    ] as const
    for (const [end, told] of ends) {
      const { store, runId, run } = await startedRun()
      await run.append([call(1), started(1), { t: 'end', attempt: 1, end, counts: COUNTS }])
      const { view } = await store.read(runId)
      expect(view).toMatchObject(told)
      expect(view.calls[0]?.status).toBe('cut-off')
    }
  })

  test('the calls of the last attempt are shown, with all attempts and how they ended', async () => {
    const { store, runId, run } = await startedRun()
    await run.append([call(1), result(1), { t: 'end', attempt: 1, end: { status: 'paused', reason: 'user' }, counts: COUNTS }])
    const second = opened(await store.open(runId, attempt({ script: { sha256: 'a'.repeat(64), text: 'return 3', ext: 'ts' } })))
    await second.append([call(2), result(2, 'two', 2), completed(2)])
    const { view } = await store.read(runId)
    expect(view.attempts.map((a) => [a.attempt, a.status])).toEqual([
      [1, 'paused'],
      [2, 'completed'],
    ])
    expect([view.scriptChanged, view.calls.map((c) => c.callId)]).toEqual([true, [2]])
  })

  test('a damaged result is named in the view and lost alone', async () => {
    const { project, store, runId, run } = await startedRun(deadOwner())
    await run.append([call(1), result(1), call(2), result(2)])
    const path = fileOf(project, runId, 'journal.jsonl')
    writeFileSync(path, readFileSync(path, 'utf8').replace('answer 1', 'answer 9'))
    const { view, records } = await store.read(runId)
    expect(view.badLines).toEqual([{ line: 3, reason: 'does not match its checksum', path }])
    expect([...new SavedCalls(records)]).toEqual([2])
  })
})

describe('reading', () => {
  test('writes nothing, whoever owns the run', async () => {
    for (const owner of [currentOwner(), deadOwner()]) {
      const { project, store, runId, run } = await startedRun(owner)
      await run.append([call(1), started(1)])
      appendFileSync(fileOf(project, runId, 'journal.jsonl'), 'torn')
      const before = photo(join(runsOf(project), runId))
      await store.read(runId)
      await openStore(project).list({ limit: 10 })
      expect(photo(join(runsOf(project), runId))).toEqual(before)
    }
  })

  test('takes the cached view and folds only what came after it', async () => {
    const { project, store, runId, run } = await startedRun()
    const events = [startedEvent(runId), queuedEvent(runId, 2, 1)]
    run.publish(events, viewFrom(events))
    await run.append([call(1), completed()])
    await run.release(viewFrom(events))
    const state = JSON.parse(readFileSync(fileOf(project, runId, 'state.json'), 'utf8'))
    expect(state).toMatchObject({
      schemaVersion: 1,
      run: { runId, workflowName: 'review', status: 'running', agentCount: 1, declaredPhases: ['Review'] },
    })
    expect([state.journalBytes, state.eventsBytes]).toEqual([
      statSync(fileOf(project, runId, 'journal.jsonl')).size,
      statSync(fileOf(project, runId, 'events.jsonl')).size,
    ])
    // A mark that only the cache carries shows that it was used; the event after it shows that the rest was folded.
    const { crc: _, ...unsealed } = state
    const marked = JSON.stringify({ ...unsealed, view: { ...state.view, title: 'from the cache' } })
    writeFileSync(fileOf(project, runId, 'state.json'), sealed(marked))
    appendFileSync(
      fileOf(project, runId, 'events.jsonl'),
      encodeEvents([{ type: 'log', ...base(runId, 3), text: 'later', level: 'info', source: 'live', line: null }]),
    )
    const { view } = await store.read(runId)
    expect([view.title, view.log.map((line) => line.text)]).toEqual(['from the cache', ['later']])
  })

  test('does without a cache that is missing, torn, altered or ahead of its files', async () => {
    const { project, store, runId, run } = await startedRun()
    const events = [startedEvent(runId), queuedEvent(runId, 2, 1)]
    run.publish(events, viewFrom(events))
    await run.append([call(1), completed()])
    await run.release(viewFrom(events))
    const expected = (await store.read(runId)).view
    const path = fileOf(project, runId, 'state.json')
    const text = readFileSync(path, 'utf8')
    const { crc: _, ...state } = JSON.parse(text)
    const ahead = sealed(JSON.stringify({ ...state, eventsBytes: 1e9 }))
    const altered = text.replace('"title":"review"', '"title":"revieu"')
    for (const broken of [text.slice(0, 100), '', ahead, altered, 'null', '[]']) {
      writeFileSync(path, broken)
      expect((await store.read(runId)).view).toEqual(expected)
    }
    rmSync(path)
    expect((await store.read(runId)).view).toEqual(expected)
  })

  test('a return value over 64 KB is named by its file in the state that older tools read', async () => {
    const { project, runId, run } = await startedRun()
    const value = await run.put('x'.repeat(70_000))
    const events = [startedEvent(runId), { ...endedEvent(runId, 2), value } as RunEvent]
    run.publish(events, viewFrom(events))
    await run.release(viewFrom(events))
    const { run: family } = JSON.parse(readFileSync(fileOf(project, runId, 'state.json'), 'utf8'))
    expect(family.returnValue).toBeUndefined()
    expect(existsSync(fileOf(project, runId, family.returnValueFile))).toBe(true)
    expect(family.returnValuePreview.startsWith('"xxx')).toBe(true)
  })

  test('an event that was altered on the disk tells nothing, and the ones around it do', async () => {
    const { project, store, runId, run } = await startedRun(deadOwner())
    const events = [startedEvent(runId), queuedEvent(runId, 2, 1), queuedEvent(runId, 3, 2)]
    run.publish(events, viewFrom(events))
    const path = fileOf(project, runId, 'events.jsonl')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"label":"call 1"', '"label":"kall 1"'))
    expect((await store.read(runId)).view.calls.map((one) => one.label)).toEqual(['call 2'])
  })

  test('P2: events cut or damaged anywhere never keep a run from being read', async () => {
    const { project, store, runId, run } = await startedRun(deadOwner())
    const events = [startedEvent(runId), ...[2, 3, 4, 5].map((seq) => queuedEvent(runId, seq, seq - 1, 'Review'))]
    run.publish(events, viewFrom(events))
    await run.append([1, 2, 3, 4].flatMap((n) => [call(n), result(n)]))
    const path = fileOf(project, runId, 'events.jsonl')
    const whole = readFileSync(path)
    const blow = fc.record({ at: fc.nat(whole.length), cut: fc.boolean(), insert: fc.uint8Array({ maxLength: 30 }) })
    await fc.assert(
      fc.asyncProperty(blow, async ({ at, cut, insert }) => {
        writeFileSync(path, Buffer.concat([whole.subarray(0, at), insert, cut ? Buffer.alloc(0) : whole.subarray(at)]))
        const { view } = await store.read(runId)
        expect(view.status).toBe('interrupted')
        expect(
          view.calls
            .filter((c) => c.status === 'ok')
            .map((c) => c.callId)
            .sort(),
        ).toEqual([1, 2, 3, 4])
      }),
      { numRuns: 60 },
    )
  })
})

describe('following a run', () => {
  test('gives the events after the one named, without a gap, and then those of another writer as they come', async () => {
    const { project, store, runId, run } = await startedRun()
    const events = [startedEvent(runId), queuedEvent(runId, 2, 1), queuedEvent(runId, 3, 2)]
    run.publish(events, viewFrom(events))
    const stop = new AbortController()
    const seen: number[] = []
    for await (const batch of openStore(project).feed(runId, 1, stop.signal)) {
      seen.push(...batch.map((event) => event.seq))
      if (seen.length === 2) {
        const next = [queuedEvent(runId, 4, 3)]
        run.publish(next, viewFrom([...events, ...next]))
      }
      if (seen.length === 3) {
        // Half a line is no event until its other half is there.
        const line = encodeEvents([queuedEvent(runId, 5, 4), queuedEvent(runId, 6, 5)])
        appendFileSync(fileOf(project, runId, 'events.jsonl'), line.slice(0, 250))
        setImmediate(() => appendFileSync(fileOf(project, runId, 'events.jsonl'), line.slice(250)))
      }
      if (seen.length === 5) stop.abort()
    }
    expect(seen).toEqual([2, 3, 4, 5, 6])
    expect((await store.read(runId)).view.calls).toHaveLength(5)
  })

  test('ends at once when it is told to', async () => {
    const { store, runId } = await startedRun()
    const stop = new AbortController()
    const feed = store.feed(runId, 0, stop.signal)[Symbol.asyncIterator]()
    const next = feed.next()
    stop.abort()
    expect(await next).toEqual({ done: true, value: undefined })
  })

  test('events go on after a torn last line', async () => {
    const { project, store, runId, run } = await startedRun()
    const events = [startedEvent(runId), queuedEvent(runId, 2, 1)]
    run.publish(events, viewFrom(events))
    await run.append([{ t: 'end', attempt: 1, end: { status: 'paused', reason: 'user' }, counts: COUNTS }])
    const path = fileOf(project, runId, 'events.jsonl')
    truncateSync(path, statSync(path).size - 10)
    const second = opened(await store.open(runId, attempt()))
    const more = [startedEvent(runId, 2, 2), queuedEvent(runId, 3, 7)]
    second.publish(more, viewFrom(more))
    expect((await store.read(runId)).view.calls.map((c) => c.callId)).toEqual([7])
  })

  test('while the disk takes no events they wait, and none is missing afterwards', async () => {
    let full = false
    const { project, runId } = await startedRun(deadOwner())
    const { nodeDisk } = await import('../../main/store/disk.ts')
    const store = openStore(project, {
      disk: {
        ...nodeDisk,
        write: (fd, bytes, offset) => {
          if (!full) return nodeDisk.write(fd, bytes, offset)
          if (offset === 0) return nodeDisk.write(fd, bytes.subarray(0, 10), 0)
          throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
        },
      },
    })
    const run = opened(await store.open(runId, attempt()))
    const events = [startedEvent(runId, 1, 2), queuedEvent(runId, 2, 1), queuedEvent(runId, 3, 2)]
    const view = viewFrom(events)
    run.publish(events.slice(0, 1), view)
    full = true
    run.publish(events.slice(1, 2), view)
    full = false
    run.publish(events.slice(2), view)
    const stop = new AbortController()
    for await (const batch of store.feed(runId, 0, stop.signal)) {
      expect(batch.map((event) => event.seq)).toEqual([1, 2, 3])
      stop.abort()
    }
  })
})

test('a row says in one plain sentence what stands behind its state', () => {
  const view = viewFrom([startedEvent('r'), queuedEvent('r', 2, 1, 'Review')])
  const sentence = (change: object, saved = 12): string => summarize({ ...view, ...change }, saved).sentence
  expect(sentence({ status: 'running', currentPhase: 'Review' })).toBe('Review')
  expect(sentence({ status: 'completed', counts: { ...COUNTS, ok: 20, replayed: 14, live: 6 } })).toBe('14 replayed, 6 live')
  expect(sentence({ status: 'completed', counts: { ...COUNTS, ok: 7, dead: 15, live: 22 } })).toBe('15 of 22 failed')
  expect(sentence({ status: 'killed' })).toBe('12 saved')
  expect(sentence({ status: 'killed' }, 0)).toBe('nothing saved')
  expect(sentence({ status: 'paused', reason: 'quota', resetAt: 'at noon' })).toBe('usage limit, resets at noon · 12 saved')
  expect(sentence({ status: 'paused', reason: 'user' })).toBe('by you · 12 saved')
  expect(sentence({ status: 'failed', error: { code: 'script-error', message: 'no such thing\n  at x' } })).toBe('no such thing')
  expect(
    sentence({ status: 'waiting', reason: 'gate', calls: view.calls.map((c) => ({ ...c, status: 'waiting', label: 'Approve plan' })) }),
  ).toBe('Approve plan')
  expect(summarize(view, 0).strip).toEqual([{ title: 'Review', state: 'running' }])
})
