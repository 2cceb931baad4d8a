import { describe, expect, test } from 'vitest'
import { callState, idleMs, isLive, needsYou, phaseState, runState, STATUS, TONES } from '../../../shared/run/status.ts'
import type { CallView } from '../../../shared/run/view.ts'
import { CALL_STATUSES, RUN_STATUSES } from '../../../shared/run/view.ts'

const NO = { ok: 0, dead: 0, skipped: 0, abandoned: 0, replayed: 0, live: 0 }

function call(more: Partial<CallView>): CallView {
  return {
    callId: 1,
    kind: 'agent',
    label: 'a',
    title: 'a',
    phase: 'P',
    status: 'ok',
    source: 'live',
    whyLive: null,
    agent: null,
    model: null,
    fp: 'f',
    queuedAt: 0,
    startedAt: 0,
    endedAt: 1,
    ms: 1,
    inputTokens: 0,
    outputTokens: 0,
    cost: null,
    tries: 1,
    summary: '',
    reason: null,
    detail: null,
    backend: null,
    fromAttempt: null,
    lastProgress: null,
    actions: [],
    ...more,
  }
}

const open = { startedAt: 0, endedAt: null, ms: null }

test('every state of a run and of a call has a word, a mark and a way to be drawn', () => {
  for (const status of RUN_STATUSES) expect(runState({ status, counts: NO }).word).not.toBe('')
  for (const status of CALL_STATUSES) for (const run of RUN_STATUSES) expect(callState(call({ status }), run).word).not.toBe('')
  for (const tone of TONES) expect(STATUS[tone].glyph).not.toBe('')
})

test('tones that colour blindness merges differ in mark and in drawing', () => {
  const merged = [
    ['waiting', 'interrupted'],
    ['waiting', 'failed'],
    ['interrupted', 'failed'],
    ['completed', 'stopped'],
    ['running', 'replayed'],
  ] as const
  for (const [a, b] of merged) {
    expect(STATUS[a].glyph).not.toBe(STATUS[b].glyph)
    expect(STATUS[a].fill).not.toBe(STATUS[b].fill)
  }
})

test('a completed run with a dead call is not shown like one without', () => {
  expect(runState({ status: 'completed', counts: NO }).tone).toBe('completed')
  expect(runState({ status: 'completed', counts: { ...NO, dead: 1 } })).toEqual({ tone: 'partial', word: 'Completed' })
})

test('a replayed result is never drawn as work', () => {
  expect(callState(call({ source: 'replayed' }), 'running')).toEqual({ tone: 'replayed', word: 'Replayed' })
})

describe('a call that had not ended', () => {
  test('is running while somebody works on the run', () => {
    expect(callState(call({ status: 'running', ...open }), 'running').word).toBe('Running')
    expect(callState(call({ status: 'retrying', ...open }), 'running').word).toBe('Retrying')
  })
  test('was cut off when nobody does any more, and stopped when a person stopped the run', () => {
    expect(callState(call({ status: 'running', ...open }), 'interrupted').word).toBe('Cut off')
    expect(callState(call({ status: 'running', ...open }), 'killed').word).toBe('Stopped')
    expect(callState(call({ status: 'cut-off' }), 'killed').tone).toBe('stopped')
  })
  test('has not happened yet when it was only queued', () => {
    expect(callState(call({ status: 'queued', ...open, startedAt: null }), 'interrupted').tone).toBe('next')
    expect(callState(call({ status: 'abandoned', startedAt: null }), 'killed').tone).toBe('next')
  })
  test('asks when it is an agent, waits when it is a gate', () => {
    expect(callState(call({ status: 'waiting', ...open }), 'running').word).toBe('Asks you')
    expect(callState(call({ status: 'waiting', kind: 'gate', ...open }), 'running').word).toBe('Waiting')
  })
})

describe('a phase', () => {
  test('shows what needs somebody before everything else', () => {
    const calls = [call({ status: 'running', ...open }), call({ status: 'waiting', ...open }), call({ status: 'dead' })]
    expect(phaseState(null, calls, 'running')).toEqual({ tone: 'waiting', word: '0 of 3' })
  })
  test('is replayed only when all of it was', () => {
    const replayed = call({ source: 'replayed' })
    expect(phaseState(null, [replayed, replayed], 'running')).toEqual({ tone: 'replayed', word: '2 of 2' })
    expect(phaseState(null, [replayed, call({})], 'running').tone).toBe('completed')
  })
  test('with a survived failure says so, and is failed in a run that failed', () => {
    const calls = [call({}), call({ status: 'dead' })]
    expect(phaseState(null, calls, 'completed')).toEqual({ tone: 'partial', word: '1 of 2' })
    expect(phaseState(null, calls, 'failed').tone).toBe('failed')
  })
  test('that was never reached says so', () => {
    expect(phaseState(null, [], 'failed')).toEqual({ tone: 'next', word: 'Not yet' })
  })
})

test('what needs somebody is what goes on by nothing else', () => {
  const needing = (reason: string | null, endedAt: number | null) => RUN_STATUSES.filter((status) => needsYou({ status, reason, endedAt }))
  expect(needing(null, null)).toEqual(['waiting', 'paused', 'interrupted'])
  expect(needing('sleep', null)).toEqual(['paused', 'interrupted'])
  expect(needing('sleep', 5)).toEqual(['waiting', 'paused', 'interrupted'])
  expect(RUN_STATUSES.filter(isLive)).toEqual(['queued', 'running', 'waiting'])
})

test('silence is shown from two minutes on, of a call at work that would speak', () => {
  const at = 1_000_000
  const silent = (ms: number, more: Partial<CallView> = {}) => idleMs(call({ status: 'running', lastEventAt: at, ...more }), at + ms)
  expect([silent(119_999), silent(120_000), silent(480_000)]).toEqual([null, 120_000, 480_000])
  expect(silent(480_000, { status: 'waiting' })).toBe(null)
  expect(idleMs(call({ status: 'running' }), at)).toBe(null)
})
