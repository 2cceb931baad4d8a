import { describe, expect, test } from 'vitest'
import { modelFailure, resetTimeIn } from '../../main/agents/model-failure.ts'

const NOW = Date.parse('2030-01-01T00:00:00Z')

describe('a failure that is told in words only', () => {
  const told: [string, Record<string, unknown>][] = [
    ['Not logged in · Please run /login', { kind: 'halt', reason: 'auth' }],
    ['API key not valid. Please pass a valid API key.', { kind: 'halt', reason: 'auth' }],
    ['Request failed: 401 Unauthorized', { kind: 'halt', reason: 'auth' }],
    ["You've hit your usage limit. Try again in 2h 30m", { kind: 'halt', reason: 'quota', resetAt: '2030-01-01T02:30:00.000Z' }],
    ['429 insufficient_quota', { kind: 'halt', reason: 'quota' }],
    ['429 Too Many Requests', { kind: 'dead', reason: 'rate-limited', retryable: true }],
    ['The model `gpt-0` does not exist', { kind: 'dead', reason: 'unknown-model', retryable: false }],
    ['Something else went wrong', { kind: 'dead', reason: 'agent-error', retryable: true }],
    ['', { kind: 'dead', detail: 'The agent failed and did not say why' }],
  ]
  for (const [text, expected] of told) {
    test(text === '' ? 'not even that' : text, () => {
      expect(modelFailure({ text }, NOW)).toMatchObject(expected)
    })
  }
})

test('the status says more than the words: a broken request is not tried again, whatever it speaks of', () => {
  expect(modelFailure({ status: 400, text: 'prompt mentions rate limit and quota exceeded' }, NOW)).toMatchObject({
    kind: 'dead',
    reason: 'agent-error',
    retryable: false,
  })
  expect(modelFailure({ status: 503, text: 'please log in later' }, NOW)).toMatchObject({ kind: 'dead', retryable: true })
})

test('a wait of more than ten minutes is no pause between requests: the run waits for the reset', () => {
  expect(modelFailure({ status: 429, text: 'slow down', retryAfterMs: 3_600_000 }, NOW)).toMatchObject({
    kind: 'halt',
    reason: 'quota',
    resetAt: '2030-01-01T01:00:00.000Z',
  })
  expect(modelFailure({ status: 429, text: 'slow down', retryAfterMs: 7000 }, NOW)).toMatchObject({ kind: 'dead', retryAfterMs: 7000 })
})

test('the time of a reset is read from dates, seconds and time spans, and from nothing else', () => {
  expect(resetTimeIn('resets 2030-01-02T03:04:05+01:00, be patient', NOW)).toBe('2030-01-02T02:04:05.000Z')
  expect(resetTimeIn('usage limit reached|1893456000', NOW)).toBe('2030-01-01T00:00:00.000Z')
  expect(resetTimeIn('reset after 1d 2h', NOW)).toBe('2030-01-02T02:00:00.000Z')
  expect(resetTimeIn('try again in 90 seconds', NOW)).toBe('2030-01-01T00:01:30.000Z')
  expect(resetTimeIn('in the 3rd place', NOW)).toBeNull()
})
