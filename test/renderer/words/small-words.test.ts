import { expect, test } from 'vitest'
import { RUNNING } from '../../../renderer/gallery/fixtures.ts'
import { idleWords } from '../../../renderer/words/idle.ts'
import { plainText } from '../../../renderer/words/plain-text.ts'
import { raised } from '../../../renderer/words/raise.ts'

const running = RUNNING.calls.find((call) => call.status === 'running')
if (running === undefined) throw new Error('the fixture has a running call')

test('a call that streams is called idle after a minute of silence; of others silence means nothing', () => {
  expect(idleWords({ ...running, lastEventAt: 1000 }, 1000 + 8 * 60_000)).toBe('idle 8m 00s')
  expect(idleWords({ ...running, lastEventAt: 1000 }, 30_000)).toBeNull()
  expect(idleWords(running, 1_000_000)).toBeNull()
  expect(idleWords({ ...running, lastEventAt: 1000, status: 'waiting' }, 1_000_000)).toBeNull()
})

test('a raised limit is half as much again and reads well', () => {
  expect([100, 150_000, 500_000, 5, 0.4].map(raised)).toEqual([150, 250_000, 750_000, 7.5, 0.6])
})

test('what a terminal would act on is taken out of an agent’s text, its words stay', () => {
  expect(plainText('\u001b[31mred\u001b[0m\tand\u0007 \u001b]0;title\u0007plain\nnext')).toBe('red\tand plain\nnext')
})
