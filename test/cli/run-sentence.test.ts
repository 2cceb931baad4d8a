import { expect, test } from 'vitest'
import { exitCode } from '../../main/cli/run-document.ts'
import { lastPhase, runSentence, savedResults } from '../../main/cli/run-sentence.ts'
import { RUN_STATUSES } from '../../shared/run/view.ts'
import { COUNTS, goodRun, viewOf } from './fake-service.ts'

const view = viewOf(goodRun())

test.each(RUN_STATUSES.map((status) => [status]))('“%s” has a sentence without an exclamation mark, and an exit code', (status) => {
  const sentence = runSentence({ ...view, status }, view.updatedAt)
  expect(sentence).toMatch(/^[A-Z][^!]*$/)
  expect([0, 1, 4, 130]).toContain(exitCode({ status, counts: COUNTS }))
})

test('a run stopped early in a later attempt still has the results of the earlier one', () => {
  const attempts = [{ attempt: 1, startedAt: 0, endedAt: 1, status: 'killed', counts: { ...COUNTS, ok: 12 } }]
  expect(savedResults({ ...view, counts: { ...COUNTS, ok: 3 }, attempts })).toBe(12)
})

test('the phase named is the one that began last', () => {
  const phase = { title: 'A', detail: null, declared: true, status: 'ended' as const, startedAt: 5, endedAt: 6 }
  expect(lastPhase({ ...view, phases: [phase, { ...phase, title: 'B', startedAt: 7 }, { ...phase, title: 'C', startedAt: null }] })).toBe(
    'B',
  )
  expect(lastPhase({ ...view, phases: [] })).toBe(null)
})
