import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { GLOBAL_OPTIONS, type Globals } from '../../../main/cli/command.ts'
import { createContext } from '../../../main/cli/context.ts'
import { createProgress, phaseBar, statusText } from '../../../main/cli/progress/progress.ts'
import { createTally } from '../../../main/cli/progress/tally.ts'
import { width } from '../../../main/cli/text/printable.ts'
import type { NewEvent } from '../../../shared/run/events.ts'
import { fakeIo } from '../fake-io.ts'
import { ended, fakeService, queued, runEnded, started, stream } from '../fake-service.ts'

const work = (callId: number): NewEvent => ({ type: 'call.started', callId, generation: 1, worker: 'local' })

const story: NewEvent[] = [
  started,
  { type: 'phase.started', phase: 'Review', source: 'live' },
  queued(1, 'old', { source: 'replayed', whyLive: null, phase: 'Review' }),
  ended(1, { source: 'replayed', fromAttempt: 1 }),
  queued(2, 'one', { phase: 'Review' }),
  queued(3, 'two', { phase: 'Review' }),
  work(2),
  work(3),
  ended(2, { tries: 2 }),
  { type: 'call.retrying', callId: 3, reason: 'agent-error', detail: 'exit 1', delayMs: 2000, tries: 1 },
  { type: 'log', text: 'hello', level: 'warning', source: 'live', line: 4 },
  ended(3, { outcome: 'dead', reason: 'stalled', detail: 'no event for 20 min' }),
  runEnded(),
]

beforeEach(() => void vi.useFakeTimers({ now: 1_760_000_063_000 }))
afterEach(() => void vi.useRealTimers())

function watch(setting: Parameters<typeof fakeIo>[0] & { verbose?: boolean }, events: NewEvent[] = story, atEnd = true) {
  const screen = fakeIo(setting)
  const none = Object.fromEntries(Object.keys(GLOBAL_OPTIONS).map((name) => [name, false])) as unknown as Globals
  const context = createContext(screen.io, { ...none, project: undefined, verbose: setting.verbose ?? false }, fakeService().open)
  const tally = createTally()
  const progress = createProgress(context, tally)
  for (const event of stream(events)) {
    progress.event(event)
    vi.advanceTimersByTime(100)
  }
  if (atEnd) progress.end()
  return { ...screen, tally: tally.now, progress }
}

/** What a terminal shows after those bytes: carriage returns go back, later text covers earlier. */
function shown(bytes: string): string[] {
  return bytes.split('\n').map((line) => {
    const cells: string[] = []
    for (const part of line.split('\r')) cells.splice(0, [...part].length, ...part)
    return cells.join('').trimEnd()
  })
}

describe('on a terminal', () => {
  test('each ended live call, warning and log stays as a line; replayed ones are one line together', () => {
    const { stderr } = watch({ tty: true, env: { NO_COLOR: '1' } })
    expect(shown(stderr())).toEqual([
      'triage #47',
      '↺ 1 replayed from earlier attempts',
      '✓ one  12s, 2 tries  five lines',
      '… two tries again in 2s: exit 1',
      'Warning: hello (line 4)',
      '✕ two died after 12s: it gave no sign of life: no event for 20 min',
      '',
    ])
  })

  test('below them one line tells phase, calls, sources, time and what is working', () => {
    const { stderr, tally, progress } = watch({ tty: true, env: { NO_COLOR: '1' } }, story.slice(0, 8), false)
    expect(shown(stderr()).at(-1)).toBe('▶ ▯▯ Review · 1/3 · 1 replayed · 1m 03s · one, two')
    expect(statusText({ ...tally, working: new Set([2, 3, 4, 5, 6]) }, tally.startedAt)).toContain('one, two, 4 and 2 more')
    progress.end()
  })

  test('a bar tells how many of the declared phases are through, in at most twelve cells', () => {
    const declared = ['Collect', 'Review', 'Verify', 'Report']
    expect(phaseBar({ declared, endedPhases: new Set() })).toBe('▯▯▯▯')
    expect(phaseBar({ declared, endedPhases: new Set(['Collect', 'not declared', 'Verify']) })).toBe('▮▮▯▯')
    const many = Array.from({ length: 30 }, (_, i) => `phase ${i}`)
    expect(phaseBar({ declared: many, endedPhases: new Set(many.slice(0, 29)) })).toBe('▮▮▮▮▮▮▮▮▮▮▮▯')
    expect(phaseBar({ declared: [], endedPhases: new Set(['Review']) })).toBe('')
    const { stderr, progress } = watch(
      { tty: true, env: { NO_COLOR: '1' } },
      [started, { type: 'phase.ended', phase: 'Collect', source: 'live' }, work(2)],
      false,
    )
    expect(shown(stderr()).at(-1)).toContain('▮▯ ')
    progress.end()
  })

  test('its clock goes on while nothing happens', () => {
    const { stderr, progress } = watch({ tty: true, env: { NO_COLOR: '1' } }, story.slice(0, 8), false)
    vi.advanceTimersByTime(5_000)
    expect(shown(stderr()).at(-1)).toContain('1m 08s')
    progress.end()
    const before = stderr()
    vi.advanceTimersByTime(5_000)
    expect(stderr()).toBe(before)
  })

  test.each([[20], [40], [120]])('it fits into %i columns', (columns) => {
    const { stderr } = watch({ tty: true, columns, env: { NO_COLOR: '1' } }, story.slice(0, 8), false)
    expect(width(shown(stderr()).at(-1) ?? '')).toBeLessThan(columns)
  })

  test('with NO_COLOR there is no escape sequence at all, without it there is colour', () => {
    expect(watch({ tty: true, env: { NO_COLOR: '1' } }).stderr()).not.toContain('\u001b')
    expect(watch({ tty: true }).stderr()).toContain('\u001b[31m✕')
  })

  test('a thousand quick events are not a thousand redraws', () => {
    const screen = fakeIo({ tty: true, env: { NO_COLOR: '1' } })
    const none = Object.fromEntries(Object.keys(GLOBAL_OPTIONS).map((name) => [name, false])) as unknown as Globals
    const progress = createProgress(createContext(screen.io, { ...none, project: undefined }, fakeService().open), createTally())
    const many = Array.from({ length: 1000 }, (_, i) => queued(i + 1, `c${i}`))
    for (const event of stream([started, ...many])) progress.event(event)
    vi.advanceTimersByTime(100)
    progress.end()
    expect(screen.stderr().split('▶').length - 1).toBeLessThan(5)
  })
})

describe('away from a terminal, or on a dumb one', () => {
  test.each([[{ tty: false }], [{ tty: true, env: { TERM: 'dumb' } }]])('%j: plain lines, no control codes', (setting) => {
    const { stderr } = watch(setting)
    expect(stderr()).not.toMatch(/[^\P{Cc}\n]/u)
    expect(stderr().split('\n')).toEqual([
      'triage #47',
      'Phase: Review',
      'Warning: hello (line 4)',
      '✕ two died after 12s: it gave no sign of life: no event for 20 min',
      '',
    ])
  })

  test('a phase that began during replay is said when its first live call comes, and only once', () => {
    const { stderr } = watch({}, [
      started,
      { type: 'phase.started', phase: 'Collect', source: 'replayed' },
      queued(1, 'old', { source: 'replayed', whyLive: null }),
      queued(2, 'new'),
      queued(3, 'newer'),
      { type: 'phase.started', phase: 'Review', source: 'replayed' },
    ])
    expect(stderr()).toBe('triage #47\nPhase: Collect\n')
  })

  test('--verbose adds each call', () => {
    expect(watch({ verbose: true }).stderr()).toContain('↺ old  12s  five lines\n✓ one  12s, 2 tries  five lines\n… two tries again')
  })
})

test('a call that nobody waited for and one that was skipped say so', () => {
  const { stderr } = watch({ tty: true, env: { NO_COLOR: '1' } }, [
    started,
    queued(1, 'a'),
    queued(2, 'b'),
    ended(1, { outcome: 'abandoned' }),
    ended(2, { outcome: 'skipped' }),
  ])
  expect(shown(stderr())).toEqual(['triage #47', '■ a abandoned: the script ended without waiting for it', '– b skipped', ''])
})

test('gates and permissions say what they wait for', () => {
  const { stderr } = watch({}, [
    started,
    queued(1, 'plan', { kind: 'gate', phase: null }),
    { type: 'gate.opened', callId: 1, question: 'Approve the plan?', options: ['approve', 'changes'] },
    { type: 'gate.decided', callId: 1, choice: 'approve', note: null, by: 'me' },
    queued(2, 'fix', { phase: null }),
    { type: 'permission.asked', callId: 2, question: 'q', tool: 'Edit', title: 'Edit a.ts' },
  ])
  expect(stderr().split('\n').slice(1)).toEqual([
    '◆ Waiting for you: Approve the plan? (approve / changes)',
    '✓ Decided: approve',
    '◆ fix asks: Edit a.ts',
    '',
  ])
})
