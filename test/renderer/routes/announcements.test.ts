import { expect, test } from 'vitest'
import { INTERRUPTED, NOW, RUNNING } from '../../../renderer/gallery/fixtures.ts'
import { changesToSay } from '../../../renderer/routes/run/use-announcements.ts'
import type { CallView, RunView } from '../../../shared/run/view.ts'

function withCall(view: RunView, label: string, change: Partial<CallView>): RunView {
  return { ...view, calls: view.calls.map((call) => (call.label === label ? { ...call, ...change } : call)) }
}

test('calls that finish are counted by phase, not named one by one', () => {
  let after = withCall(RUNNING, 'rounding in split()', { status: 'ok', endedAt: NOW })
  after = withCall(after, 'webhook sent twice', { status: 'dead', endedAt: NOW })
  expect(changesToSay(RUNNING, after, NOW)).toEqual({ polite: ['2 calls finished in Verify'], assertive: [] })
})

test('a call that begins to wait for somebody is said at once', () => {
  const after = withCall(RUNNING, 'rounding in split()', { status: 'waiting' })
  expect(changesToSay(RUNNING, after, NOW).assertive).toEqual(['rounding in split() waits for you'])
})

test('a failed run is said at once, an interrupted one when there is a pause', () => {
  const failed = { ...RUNNING, status: 'failed' as const }
  expect(changesToSay(RUNNING, failed, NOW).assertive).toHaveLength(1)
  const interrupted = { ...RUNNING, status: 'interrupted' as const }
  expect(changesToSay(RUNNING, interrupted, NOW)).toMatchObject({ assertive: [], polite: [expect.stringContaining('Cut off')] })
})

test('the ticking of the clock is not said', () => {
  expect(changesToSay(RUNNING, { ...RUNNING, updatedAt: NOW + 1000 }, NOW + 1000)).toEqual({ polite: [], assertive: [] })
})

test('another run is no change of this one', () => {
  expect(changesToSay(RUNNING, INTERRUPTED, NOW)).toEqual({ polite: [], assertive: [] })
})
