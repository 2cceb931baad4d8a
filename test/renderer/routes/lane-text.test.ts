import { expect, test } from 'vitest'
import { NOW, RUNNING } from '../../../renderer/gallery/fixtures.ts'
import { barLabel } from '../../../renderer/routes/run/bars.tsx'
import { spokenCall } from '../../../renderer/routes/run/lane-rows.tsx'
import { nextCall } from '../../../renderer/routes/run/use-lane-controls.ts'
import { lanes } from '../../../shared/run/lanes.ts'

const all = lanes(RUNNING, { now: NOW, toggled: new Map() })
const calls = all.flatMap((lane) => lane.calls)
function row(label: string) {
  const found = calls.find((one) => one.call.label === label)
  if (found === undefined) throw new Error(`the fixture has no call ${label}`)
  return found
}

test('a row says everything that is drawn: name, phase, state, time, source', () => {
  expect(spokenCall(row('double post under retry'))).toBe('double post under retry, Verify, Running 40 seconds, live')
  expect(spokenCall(row('post.ts'))).toBe('post.ts, Review, Replayed 1 minute 12 seconds')
})

test('a bar says what the columns can not: a short result, or why it died', () => {
  expect(barLabel(row('idempotency.ts'))).toBe('2 findings')
  expect(barLabel(row('ledger.test.ts'))).toBe('Wrong shape')
})

test('the next error is found around the end, from a call and from a lane', () => {
  const died = row('ledger.test.ts').id
  for (const selected of [null, died, row('Is refunds v1 frozen?').id, 'phase:Verify']) {
    expect(nextCall({ all, calls, selected }, 1, 'failed')?.id).toBe(died)
  }
})

test('from a lane the next call is its first one, the one before is the last of the lane above', () => {
  expect(nextCall({ all, calls, selected: 'phase:Review' }, 1, 'call')?.call.label).toBe('refunds.ts')
  expect(nextCall({ all, calls, selected: 'phase:Review' }, -1, 'call')?.call.label).toBe('scan tests')
})
