import { expect, test } from 'vitest'
import { RUNNING } from '../../../renderer/gallery/fixtures.ts'
import { counterpart } from '../../../renderer/routes/run/counterpart.ts'

const [first] = RUNNING.calls
if (first === undefined) throw new Error('the fixture has calls')

test('a call is found in another attempt by its number', () => {
  expect(counterpart(first, RUNNING)).toBe(first)
})

test('one that asks something else now is found by its name in the same phase', () => {
  const renumbered = { ...RUNNING, calls: RUNNING.calls.map((call) => ({ ...call, callId: call.callId + 100 })) }
  expect(counterpart(first, renumbered)?.label).toBe(first.label)
  expect(counterpart({ ...first, phase: 'Report' }, renumbered)).toBeNull()
})
