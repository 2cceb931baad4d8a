import { expect, test } from 'vitest'
import { createTally } from '../../../main/cli/progress/tally.ts'
import { ended, goodRun, queued, started, stream, viewOf } from '../fake-service.ts'

test('its counts are those of the run view', () => {
  const tally = createTally()
  for (const event of goodRun()) tally.fold(event)
  const view = viewOf(goodRun())
  expect(tally.now).toMatchObject({ counts: view.counts, outputTokens: view.outputTokens, attempt: view.attempt, number: 47, asked: 2 })
  expect(tally.now.open.size + tally.now.working.size).toBe(0)
})

test('gates and sleeps are no calls that count, and an end without a beginning changes nothing', () => {
  const tally = createTally()
  for (const event of stream([started, queued(1, 'g', { kind: 'gate' }), ended(1), ended(9)])) tally.fold(event)
  expect(tally.now.asked).toBe(0)
  expect(tally.now.counts.ok).toBe(0)
})
