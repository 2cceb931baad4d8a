import { expect, test } from 'vitest'
import { COMPLETED, FAILED, HISTORY, INTERRUPTED, NOW, PARTIAL, PAUSED, RUNNING, STOPPED } from '../../../renderer/gallery/fixtures.ts'
import { banner, rowParts, stake } from '../../../renderer/words/run-words.ts'

test('a run that runs or completed well has no banner', () => {
  expect(banner(RUNNING, NOW)).toBeNull()
  expect(banner(COMPLETED, NOW)).toBeNull()
})

test('what is saved is said before what broke', () => {
  for (const run of [FAILED, INTERRUPTED, PAUSED, STOPPED]) expect(banner(run, NOW)?.title).toMatch(/\d+ results are saved\.$/)
})

test('an interrupted run says how many calls start again', () => {
  expect(banner(INTERRUPTED, NOW)?.text).toContain('2 calls were under way and start again')
})

test('a paused run says what it waits for and until when', () => {
  expect(banner(PAUSED, NOW)?.title).toContain('usage limit reached')
  expect(banner(PAUSED, NOW)?.text).toMatch(/resets at \d\d:\d\d/)
})

test('a completed run does not hide its failures', () => {
  expect(banner(PARTIAL, NOW)?.title).toContain('1 call ended without a result')
  const row = HISTORY.find((run) => run.number === 45)
  expect(row === undefined ? [] : rowParts(row)[0]).toEqual({ text: '1 of 19 failed', failed: true })
})

test('a run that saved nothing is not said to replay anything', () => {
  const run = HISTORY.find((one) => one.status === 'interrupted')
  if (run === undefined) throw new Error('the fixture has an interrupted run')
  expect(stake({ ...run, counts: { ...run.counts, ok: 0 } })).toContain('Nothing was saved')
  expect(stake(run)).toContain('14 results saved')
})
