import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { FromScript } from '../../main/engine/sandbox/protocol.ts'
import { ScriptWatch } from '../../main/engine/script-watch.ts'

const PONG: FromScript[] = [{ t: 'pong', id: 0, memory: 0 }]
const IDLE: FromScript[] = [{ t: 'idle', heard: 0 }]
const limits = { memoryMb: 100, keptMb: 300, unresponsiveMs: 1000, lookMs: 100 }
const verdicts: string[] = []
let pings = 0
let rss = 0

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(process.memoryUsage, 'rss').mockImplementation(() => rss * 2 ** 20)
  verdicts.length = 0
  pings = 0
  rss = 500
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A watch on a script that answers pings as long as it is told so. */
function watched(): { watch: ScriptWatch; script: { answers: boolean } } {
  const script = { answers: true }
  const watch = new ScriptWatch(limits, {
    ping: () => {
      pings += 1
      if (script.answers) watch.heard(PONG)
    },
    tooMuchMemory: () => verdicts.push('memory'),
    unresponsive: () => verdicts.push('unresponsive'),
  })
  return { watch, script }
}

test('a script that answers may work for as long as it likes', () => {
  const { watch } = watched()
  watch.told()
  vi.advanceTimersByTime(60_000)
  expect([verdicts, pings]).toEqual([[], 601])
  watch.stop()
})

test('one that keeps too much from turn to turn ends, however well it answers', () => {
  const { watch } = watched()
  watch.told()
  watch.heard([{ t: 'pong', id: 0, memory: 299 * 2 ** 20 }])
  expect(verdicts).toEqual([])
  watch.heard([{ t: 'pong', id: 0, memory: 301 * 2 ** 20 }])
  expect(verdicts).toEqual(['memory'])
})

test('one that gives no sign for longer than a turn may last is unresponsive, and not before', () => {
  const { watch, script } = watched()
  watch.told()
  vi.advanceTimersByTime(500)
  script.answers = false
  vi.advanceTimersByTime(1100)
  expect(verdicts).toEqual([])
  vi.advanceTimersByTime(100)
  expect(verdicts).toEqual(['unresponsive'])
  watch.stop()
})

test('turns that are long one after another do not add up', () => {
  const { watch, script } = watched()
  watch.told()
  for (let turn = 0; turn < 5; turn += 1) {
    script.answers = false
    vi.advanceTimersByTime(800)
    script.answers = true
    watch.heard(PONG)
    vi.advanceTimersByTime(100)
  }
  expect(verdicts).toEqual([])
  watch.stop()
})

test('memory gained in a turn counts, memory gained while the script gives signs does not', () => {
  const { watch, script } = watched()
  watch.told()
  for (let turn = 0; turn < 5; turn += 1) {
    rss += 90
    vi.advanceTimersByTime(100)
  }
  expect(verdicts).toEqual([])
  script.answers = false
  vi.advanceTimersByTime(100)
  rss += 60
  vi.advanceTimersByTime(100)
  expect(verdicts).toEqual([])
  rss += 60
  vi.advanceTimersByTime(100)
  expect(verdicts).toEqual(['memory'])
  watch.stop()
})

test('a script at rest is left alone after a second, and looked at again when it is told something', () => {
  const { watch, script } = watched()
  watch.told()
  watch.heard(IDLE)
  vi.advanceTimersByTime(60_000)
  const atRest = pings
  expect(atRest).toBeLessThan(15)
  script.answers = false
  vi.advanceTimersByTime(60_000)
  expect([verdicts, pings]).toEqual([[], atRest])
  watch.told()
  vi.advanceTimersByTime(1300)
  expect(verdicts).toEqual(['unresponsive'])
  watch.stop()
})

test('a word of rest that crosses with the next result hides no spinning', () => {
  const { watch, script } = watched()
  watch.told()
  vi.advanceTimersByTime(300)
  watch.told()
  watch.heard(IDLE)
  script.answers = false
  vi.advanceTimersByTime(1400)
  expect(verdicts).toEqual(['unresponsive'])
  watch.stop()
})

test('a machine that slept finds its script alive: looks count, not hours', () => {
  const { watch, script } = watched()
  watch.told()
  vi.advanceTimersByTime(200)
  script.answers = false
  vi.setSystemTime(Date.now() + 6 * 3_600_000)
  vi.advanceTimersByTime(300)
  expect(verdicts).toEqual([])
  watch.stop()
})
