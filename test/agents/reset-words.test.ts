import { describe, expect, test } from 'vitest'
import { resetTimeIn } from '../../main/agents/model-failure.ts'
import { timeOfDayIn } from '../../main/agents/reset-words.ts'

const NOW = Date.parse('2026-11-30T16:30:00Z')
const read = (text: string) => timeOfDayIn(text, NOW)

describe('a limit that says when it starts anew', () => {
  test('in a zone is understood, today or tomorrow', () => {
    expect(read("You've hit your limit · resets 5pm (UTC)")).toBe('2026-11-30T17:00:00.000Z')
    expect(read("You've hit your limit · resets 4pm (UTC)")).toBe('2026-12-01T16:00:00.000Z')
    expect(read('resets at 12:30am (Europe/Berlin)')).toBe('2026-11-30T23:30:00.000Z')
    expect(read('resets 9am (America/New_York)')).toBe('2026-12-01T14:00:00.000Z')
    expect(read('Resets at 18:05 (Asia/Kolkata)')).toBe('2026-12-01T12:35:00.000Z')
  })

  test('with a date is understood, also across the year and the change of clocks', () => {
    expect(read('Weekly limit reached · resets Dec 3, 9am (UTC)')).toBe('2026-12-03T09:00:00.000Z')
    expect(read('resets Jan 2 at 9:15 PM (UTC)')).toBe('2027-01-02T21:15:00.000Z')
    expect(read('try again at Mar 29th, 2027 3:45 AM (Europe/Berlin)')).toBe('2027-03-29T01:45:00.000Z')
  })

  test('in words that name no time stays in words', () => {
    for (const text of ['Try again later', 'resets 5', 'resets 5pm (Middle/Earth)', 'HTTP 429', 'in 5 minutes'])
      expect([text, read(text)]).toEqual([text, null])
  })

  test('is found beside dates, seconds and spans', () => {
    expect(resetTimeIn('usage limit reached|1796050800', NOW)).toBe('2026-11-30T15:00:00.000Z')
    expect(resetTimeIn('Try again in 2h 30m', NOW)).toBe('2026-11-30T19:00:00.000Z')
    expect(resetTimeIn('Resets at 5pm (UTC)', NOW)).toBe('2026-11-30T17:00:00.000Z')
  })
})
