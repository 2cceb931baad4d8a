import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldHistory, recordedCalls, wasRunning } from '../../main/engine/history.ts'
import type { CallResult, JournalRecord, NewRecord } from '../../shared/run/record.ts'

const NO_USAGE = { inputTokens: 0, outputTokens: 10 }

const attempt = (n: number): NewRecord => ({
  t: 'attempt',
  attempt: n,
  token: `t${n}`,
  owner: { pid: 1, startTime: 1, boot: 'b', host: 'h' },
  script: 's'.repeat(64),
  engine: '0.1.0',
  policy: 'content',
  backend: 'real',
})
const call = (n: number, fp = `fp${n}`): NewRecord => ({
  t: 'call',
  call: n,
  kind: 'agent',
  fp,
  label: null,
  phase: null,
  params: { prompt: fp },
})
const started = (n: number, inAttempt = 1, generation = 1): NewRecord => ({
  t: 'started',
  call: n,
  attempt: inAttempt,
  generation,
  worker: 'w',
})
const result = (n: number, outcome: CallResult, inAttempt = 1, backend = 'real'): NewRecord => ({
  t: 'result',
  call: n,
  attempt: inAttempt,
  result: outcome,
  usage: NO_USAGE,
  cost: null,
  ms: 1,
  tries: 1,
  backend,
})
const end = (n: number): NewRecord => ({
  t: 'end',
  attempt: n,
  end: { status: 'killed' },
  counts: { ok: 0, dead: 0, skipped: 0, abandoned: 0, replayed: 0, live: 0 },
})
const ok = (inline: string): CallResult => ({ kind: 'ok', output: { inline } })
const lost: CallResult = {
  kind: 'ok',
  output: { blob: { sha256: 'f'.repeat(64), bytes: 70_000, type: 'application/json' }, unreadable: true },
}
const died: CallResult = { kind: 'dead', reason: 'agent-error', detail: 'd' }

const journal = (...records: NewRecord[]): JournalRecord[] => records.map((record, i) => ({ ...record, n: i + 1, at: (i + 1) * 10 }))
const replayOf = (records: JournalRecord[], backend = 'real') => recordedCalls(foldHistory(records), backend, true)

describe('what a journal says of a call', () => {
  test('a saved result whose value can not be read any more is asked for again, and that is why', () => {
    const records = journal(attempt(1), call(1), started(1), result(1, lost), end(1))
    expect(replayOf(records)).toMatchObject([{ state: 'rerun', why: 'result-unreadable' }])
  })

  test('its last result counts, also when it was started again after it', () => {
    const records = journal(
      attempt(1),
      call(1),
      started(1),
      result(1, died),
      end(1),
      attempt(2),
      started(1, 2, 2),
      result(1, ok('b'), 2),
      attempt(3),
      started(1, 3, 3),
    )
    expect(foldHistory(records).calls).toMatchObject([
      { started: { generation: 3, attempt: 3 }, saved: { result: ok('b'), attempt: 2, rank: 8, at: 80 } },
    ])
    expect(replayOf(records)).toMatchObject([{ call: 1, state: 'reusable', output: 'b', rank: 8, at: 80, outputTokens: 10 }])
  })

  test.each([
    ['ok', ok('x'), 'reusable', 'no-saved-result', 'x'],
    ['skipped', { kind: 'skipped' }, 'reusable', 'no-saved-result', null],
    ['abandoned', { kind: 'abandoned' }, 'lazy', 'no-saved-result', undefined],
    ['dead', died, 'rerun', 'died-last-time', undefined],
  ] as const)('%s', (_, outcome, state, why, output) => {
    const records = journal(attempt(1), call(1), started(1), result(1, outcome), end(1))
    const [recorded] = replayOf(records)
    expect([recorded?.state, recorded?.why, recorded?.output]).toEqual([state, why, output])
  })

  test('a simulated result is none for a real agent, and one for another simulated run', () => {
    const records = journal(attempt(1), call(1), started(1), result(1, ok('x'), 1, 'simulated'), end(1))
    expect([replayOf(records)[0]?.state, replayOf(records)[0]?.why, replayOf(records, 'simulated')[0]?.state]).toEqual([
      'rerun',
      'was-simulated',
      'reusable',
    ])
  })

  test('results up to 4 KB go along, larger ones and those in files are asked for', () => {
    const blob: CallResult = { kind: 'ok', output: { blob: { sha256: 'a', bytes: 1, type: 'application/json' } } }
    const records = journal(
      attempt(1),
      call(1),
      call(2),
      call(3),
      result(1, ok('x'.repeat(4096))),
      result(2, ok('x'.repeat(4097))),
      result(3, blob),
    )
    expect(replayOf(records).map(({ state, output }) => [state, output !== undefined])).toEqual([
      ['reusable', true],
      ['reusable', false],
      ['reusable', false],
    ])
  })

  test('was running: started in an attempt that was cut off, and no result since', () => {
    const cut = journal(attempt(1), call(1), call(2), call(3), started(1), started(2), result(2, ok('x')), started(3))
    const runningIn = (records: JournalRecord[]): number[] => {
      const history = foldHistory(records)
      return history.calls.filter((one) => wasRunning(one, history)).map((one) => one.call)
    }
    expect(runningIn(cut)).toEqual([1, 3])
    expect(replayOf(cut).map(({ why }) => why)).toEqual(['was-running', 'no-saved-result', 'was-running'])
    expect(runningIn(journal(attempt(1), call(1), started(1), end(1)))).toEqual([])
    expect(runningIn(journal(attempt(1), call(1), started(1), result(1, died), attempt(2), started(1, 2, 2)))).toEqual([1])
  })

  test('a choice to run again from a call takes the results from before it, until they are made anew', () => {
    const from = (n: number, call: number): NewRecord => ({ ...(attempt(n) as Extract<NewRecord, { t: 'attempt' }>), from: call })
    const first = [1, 2, 3].flatMap((n) => [call(n), result(n, ok(`a${n}`))])
    const states = (...more: NewRecord[]) =>
      replayOf(journal(attempt(1), ...first, end(1), ...more)).map(({ state, why, takenAfter }) => [
        state === 'reusable' ? state : why,
        takenAfter,
      ])
    const expected = [
      ['reusable', [2]],
      ['you-chose', undefined],
      ['you-chose', undefined],
    ]
    expect(states(from(2, 2))).toEqual(expected)
    // Killed before it came to anything, and resumed without a word.
    expect(states(from(2, 2), attempt(3))).toEqual(expected)
    expect(states(from(2, 2), result(2, ok('b2'), 2), attempt(3))).toEqual([
      ['reusable', [2]],
      ['reusable', undefined],
      ['you-chose', undefined],
    ])
  })

  test('a call is expected again when the text and the input have been the same since it was first asked for', () => {
    const first = [attempt(1), call(1), result(1, ok('a')), end(1)]
    const expected = (...records: NewRecord[]) => recordedCalls(foldHistory(journal(...records)), 'real', true).map((one) => one.isExpected)
    const other = (n: number, more: object): NewRecord => ({ ...(attempt(n) as Extract<NewRecord, { t: 'attempt' }>), ...more })
    expect(expected(...first, attempt(2))).toEqual([true])
    expect(expected(...first, other(2, { script: 'other' }))).toEqual([false])
    expect(expected(...first, other(2, { args: 1 }))).toEqual([false])
    expect(expected(...first, other(2, { script: 'other' }), attempt(3), call(2), result(2, ok('b'), 3), attempt(4))).toEqual([false, true])
    const records = foldHistory(journal(...first, attempt(2)))
    expect(recordedCalls(records, 'real', false).map((one) => one.isExpected)).toEqual([false])
  })

  test('a call that only waited in the queue takes no place in the limit of agents', () => {
    const records = journal(attempt(1), call(1), call(2), started(2), call(3), result(3, { kind: 'skipped' }))
    expect(replayOf(records).map(({ counts }) => counts)).toEqual([false, true, true])
  })

  test('what every result of every attempt spent is kept, of repeated calls and of those that nobody asks for any more', () => {
    const records = journal(attempt(1), call(1), result(1, died), attempt(2), result(1, ok('x'), 2), result(9, ok('orphan'), 2))
    expect(foldHistory(records).spent.map(({ outcome, usage }) => [outcome, usage.outputTokens])).toEqual([
      ['dead', 10],
      ['ok', 10],
      ['ok', 10],
    ])
  })
})

test('no prefix of any journal, in whatever order, throws or invents a call or a result (P2)', () => {
  const some = fc.integer({ min: 1, max: 4 })
  const record = fc.oneof(
    some.map(attempt),
    some.map((n) => call(n)),
    fc.tuple(some, some).map(([n, a]) => started(n, a)),
    fc
      .tuple(some, some, fc.constantFrom(ok('x'), died, { kind: 'skipped' } as const, { kind: 'abandoned' } as const))
      .map(([n, a, outcome]) => result(n, outcome, a)),
    some.map(end),
    fc.constant<NewRecord>({ t: 'command', id: 'c', outcome: 'accepted' }),
  )
  fc.assert(
    fc.property(fc.array(record, { maxLength: 30 }), (records) => {
      const all = journal(...records)
      const { calls } = foldHistory(all)
      expect(calls.map((one) => one.call)).toEqual([...new Set(records.flatMap((one) => (one.t === 'call' ? [one.call] : [])))].sort())
      for (const one of calls) {
        const last = all.findLast((other) => other.t === 'result' && other.call === one.call)
        if (one.saved !== null) expect(last).toMatchObject({ n: one.saved.rank, result: one.saved.result })
      }
    }),
  )
})
