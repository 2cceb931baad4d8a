import { describe, expect, test } from 'vitest'
import type { FromScript, RecordedCall } from '../../../main/engine/sandbox/protocol.ts'
import { Scheduler, type SchedulerOptions } from '../../../main/engine/sandbox/scheduler.ts'
import type { Json } from '../../../shared/json.ts'

/** A recorded call whose fingerprint is its name; `rank` is its place in the order of recorded results. */
function recorded(call: number, fp: string, rank: number, more: Partial<RecordedCall> = {}): RecordedCall {
  return {
    call,
    kind: 'agent',
    fp,
    state: 'reusable',
    why: 'no-saved-result',
    rank,
    output: `${fp}${call}`,
    outputTokens: 10,
    at: 100 + rank,
    counts: true,
    isExpected: true,
    ...more,
  }
}

function scheduled(history: RecordedCall[], options: Partial<SchedulerOptions> = {}) {
  const posted: FromScript[] = []
  const delivered: Json[] = []
  const scheduler = new Scheduler({
    policy: 'content',
    startedAt: 5,
    attempt: 2,
    ...options,
    history,
    post: (message) => posted.push(message),
  })
  const ask = (...fps: string[]): void => {
    for (const fp of fps)
      scheduler.ask({
        kind: 'agent',
        fp,
        label: null,
        phase: null,
        request: {},
        line: () => null,
        deliver: (output) => delivered.push(output),
      })
  }
  /** Steps to the first that is no delivery. */
  const toRest = (): string => {
    for (;;) {
      const step = scheduler.step()
      if (step !== 'delivered') return step
    }
  }
  const why = (): unknown[] => posted.flatMap((message) => (message.t === 'call' ? [message.whyLive] : []))
  const calls = (): number[] => posted.flatMap((message) => (message.t === 'call' ? [message.call] : []))
  const arrive = (call: number, output: Json): void => scheduler.arrive({ call, output, outputTokens: 10, at: 900 + call })
  return { scheduler, posted, delivered, ask, toRest, why, calls, arrive }
}

describe('replay', () => {
  test('delivers in the order in which results were recorded, whatever the order of the calls', () => {
    const one = scheduled([recorded(1, 'a', 30), recorded(2, 'b', 10), recorded(3, 'c', 20)])
    one.ask('a', 'b', 'c')
    expect(one.toRest()).toBe('stuck')
    expect(one.delivered).toEqual(['b2', 'c3', 'a1'])
  })

  test('gives the n-th call with a fingerprint the n-th recorded result', () => {
    const one = scheduled([recorded(1, 'a', 3), recorded(2, 'a', 1), recorded(3, 'a', 2)])
    one.ask('a', 'a', 'a', 'a')
    expect([one.calls(), one.why()]).toEqual([
      [1, 2, 3, 4],
      [null, null, null, 'new-call'],
    ])
    one.toRest()
    expect(one.delivered).toEqual(['a2', 'a3', 'a1'])
  })

  test('holds a live result back until no recorded one is pending', () => {
    const one = scheduled([recorded(1, 'a', 1), recorded(2, 'b', 2)])
    one.ask('new', 'a', 'b')
    one.arrive(3, 'live')
    one.toRest()
    expect(one.delivered).toEqual(['a1', 'b2', 'live'])
  })

  test('asks for a large result when its turn comes, and delivers nothing before it', () => {
    const { output: _, ...large } = recorded(1, 'a', 1)
    const one = scheduled([large, recorded(2, 'b', 2)])
    one.ask('a', 'b')
    expect([one.toRest(), one.toRest(), one.delivered]).toEqual(['fetching', 'fetching', []])
    expect(one.posted.filter(({ t }) => t === 'need')).toEqual([{ t: 'need', call: 1 }])
    one.scheduler.fetched(2, 'wrong')
    expect(one.delivered).toEqual([])
    one.scheduler.fetched(1, 'large')
    one.toRest()
    expect(one.delivered).toEqual(['large', 'b2'])
  })

  test('now() and spent() are those of the result last delivered', () => {
    const one = scheduled([recorded(1, 'a', 1)])
    expect([one.scheduler.now, one.scheduler.spent, one.scheduler.isLive]).toEqual([5, 0, false])
    one.ask('a', 'new')
    one.scheduler.step()
    expect([one.scheduler.now, one.scheduler.spent, one.scheduler.isLive]).toEqual([101, 10, false])
    one.arrive(2, 'x')
    one.scheduler.step()
    expect([one.scheduler.now, one.scheduler.spent, one.scheduler.isLive]).toEqual([902, 20, true])
  })

  test('a result that the script did not wait for is replayed all the same when it ends', () => {
    const one = scheduled([recorded(1, 'a', 1), recorded(2, 'b', 2)])
    one.ask('a', 'b')
    one.scheduler.finish()
    expect(one.posted.filter(({ t }) => t === 'delivered')).toEqual([
      { t: 'delivered', call: 1 },
      { t: 'delivered', call: 2 },
    ])
  })
})

describe('a call goes live', () => {
  test('with the reason that the journal gives', () => {
    const one = scheduled([
      recorded(1, 'died', 1, { state: 'rerun', why: 'died-last-time' }),
      recorded(2, 'cut', 0, { state: 'rerun', why: 'was-running' }),
      recorded(3, 'sim', 2, { state: 'rerun', why: 'was-simulated' }),
      recorded(4, 'none', 0, { state: 'rerun', why: 'no-saved-result' }),
    ])
    one.ask('died', 'cut', 'sim', 'none', 'new')
    expect(one.why()).toEqual(['died-last-time', 'was-running', 'was-simulated', 'no-saved-result', 'new-call'])
    expect(one.calls()).toEqual([1, 2, 3, 4, 5])
    expect(one.toRest()).toBe('idle')
  })

  test('only when nothing else moves, if it was abandoned last time', () => {
    const one = scheduled([recorded(1, 'lost', 2, { state: 'lazy' }), recorded(2, 'a', 1)])
    one.ask('lost', 'a', 'new')
    expect(one.toRest()).toBe('idle')
    expect(one.posted.some(({ t }) => t === 'start')).toBe(false)
    one.arrive(3, 'x')
    expect(one.toRest()).toBe('started')
    expect(one.posted.at(-1)).toEqual({ t: 'start', call: 1 })
    one.arrive(1, 'late')
    one.toRest()
    expect(one.delivered).toEqual(['a2', 'x', 'late'])
  })
})

describe('policies', () => {
  const history = [
    recorded(1, 'a', 1),
    recorded(2, 'open', 0, { state: 'rerun', why: 'was-running' }),
    recorded(3, 'b', 2),
    recorded(4, 'died', 3, { state: 'rerun', why: 'died-last-time' }),
    recorded(5, 'c', 4),
  ]

  test('content reuses every unchanged call wherever it stands', () => {
    const one = scheduled(history)
    one.ask('c', 'new', 'died', 'open', 'b', 'a')
    expect(one.why()).toEqual([null, 'new-call', 'died-last-time', 'was-running', null, null])
  })

  test('prefix reuses nothing made after a call that died; one that had not finished closes nothing', () => {
    const one = scheduled(history, { policy: 'prefix' })
    one.ask('a', 'open', 'b', 'died', 'c')
    expect(one.why()).toEqual([null, 'was-running', null, 'died-last-time', 'earlier-call-changed'])
  })

  test('prefix reuses nothing made after a new call, and still delivers what was pending before it', () => {
    const one = scheduled(history, { policy: 'prefix' })
    one.ask('a', 'new', 'b')
    expect(one.why()).toEqual([null, 'new-call', 'earlier-call-changed'])
    one.toRest()
    expect(one.delivered).toEqual(['a1'])
  })

  test('none starts over', () => {
    const one = scheduled(history, { policy: 'none' })
    one.ask('a', 'b', 'c')
    expect([one.why(), one.calls()]).toEqual([
      ['you-chose', 'you-chose', 'you-chose'],
      [1, 3, 5],
    ])
  })

  test('from a call on: what is asked for after it runs again, wherever it was recorded, and what was asked for before is reused', () => {
    const one = scheduled([
      recorded(1, 'a', 1, { takenAfter: [3] }),
      recorded(2, 'b', 2, { takenAfter: [3] }),
      recorded(3, 'inserted', 3, { state: 'rerun', why: 'you-chose' }),
    ])
    one.ask('a', 'inserted', 'b')
    expect(one.why()).toEqual([null, 'you-chose', 'you-chose'])
  })
})

describe('the limit of agents', () => {
  test('counts a call once whatever the attempts, and one that never started when it is asked again', () => {
    const one = scheduled([recorded(1, 'a', 1), recorded(2, 'queued', 0, { state: 'rerun', counts: false })])
    expect(one.scheduler.agents).toBe(1)
    expect([one.scheduler.takesPlace('a'), one.scheduler.takesPlace('queued'), one.scheduler.takesPlace('new')]).toEqual([
      false,
      true,
      true,
    ])
    one.ask('a', 'queued', 'new')
    expect(one.scheduler.agents).toBe(3)
    expect(one.scheduler.takesPlace('a')).toBe(true)
  })
})

test('nothing asked and nothing pending is stuck; a live call is not', () => {
  expect(scheduled([]).toRest()).toBe('stuck')
  const one = scheduled([])
  one.ask('new')
  expect(one.toRest()).toBe('idle')
})

describe('a call that the same script did not ask for before is noticed', () => {
  const unexpected = (posted: FromScript[]): string[] =>
    posted.flatMap((message) => (message.t === 'call' && message.isUnexpected ? [message.fp] : []))

  test('as long as recorded results remain that come after what it has seen', () => {
    const { ask, posted, toRest } = scheduled([recorded(1, 'a', 1), recorded(2, 'b', 2), recorded(3, 'c', 3)])
    ask('a')
    toRest()
    ask('new')
    expect(unexpected(posted)).toEqual(['new'])
  })

  test('but not after the last of them, nor once a live result has been seen, nor in another script', () => {
    const history = [recorded(1, 'a', 1), recorded(2, 'b', 2)]
    const atEnd = scheduled(history)
    atEnd.ask('b', 'a')
    atEnd.toRest()
    atEnd.ask('new')
    const live = scheduled([recorded(1, 'a', 1, { state: 'rerun', isExpected: false }), recorded(2, 'b', 2)])
    live.ask('a')
    live.arrive(1, 'now')
    live.toRest()
    live.ask('new')
    const other = scheduled(history.map((call) => ({ ...call, isExpected: false })))
    other.ask('new')
    expect([atEnd, live, other].map(({ posted }) => unexpected(posted))).toEqual([[], [], []])
  })
})
