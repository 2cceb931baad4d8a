import { expect, test } from 'vitest'
import type { AgentOutcome } from '../../main/agents/agent-runner.ts'
import { DayLimit } from '../../main/host/day-limit.ts'
import { DaySpending } from '../../main/store/day-spending.ts'
import { Profile } from '../../shared/contract/agents.ts'
import { temporaryFolder } from '../agents/process-fixture.ts'

const NOON = new Date(2026, 10, 30, 12).getTime()

function world({ own, whole = null }: { own?: number; whole?: number | null }) {
  let now = NOON
  const limit = new DayLimit({ spending: new DaySpending(temporaryFolder()), whole: async () => whole, now: () => now })
  const profile = (name: string) => Profile.parse({ name, backend: 'claude', ...(own !== undefined && { maxCostPerDay: own }) })
  const ok: AgentOutcome = { kind: 'ok', output: '', usage: { inputTokens: 0, outputTokens: 0 }, cost: null }
  const call = async (name: string, cost: number, work: () => Promise<AgentOutcome> = async () => ok) =>
    (await limit.within(profile(name), work, () => cost)).kind
  return { limit, profile, call, ok, tomorrow: () => (now += 24 * 3_600_000) }
}

test('a profile that reached its limit of the day pauses the run until midnight, others go on', async () => {
  const { limit, profile, call, ok, tomorrow } = world({ own: 1 })
  expect([await call('a', 0.6), await call('a', 0.6), await call('a', 0.6), await call('b', 0.6)]).toEqual(['ok', 'ok', 'halt', 'ok'])
  expect(
    await limit.within(
      profile('a'),
      async () => ok,
      () => 0,
    ),
  ).toEqual({
    kind: 'halt',
    reason: 'quota',
    detail: '“a” has reached the limit of $1.00 for today. Raise it in the settings, or resume tomorrow',
    resetAt: new Date(2026, 11, 1).toISOString(),
  })
  tomorrow()
  expect(await call('a', 0.6)).toBe('ok')
})

test('the limit for all profiles counts all of them', async () => {
  const { call } = world({ whole: 1 })
  expect([await call('a', 0.6), await call('b', 0.6), await call('c', 0.1)]).toEqual(['ok', 'ok', 'halt'])
})

test('running calls count with what the finished ones cost', async () => {
  const { call, ok } = world({ own: 1 })
  await call('a', 0.5)
  let finish: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    finish = resolve
  })
  const running = call('a', 0.1, () => held.then(() => ok))
  expect(await call('a', 0.1)).toBe('halt')
  finish()
  await running
  expect(await call('a', 0.1)).toBe('ok')
})

test('an agent without prices is refused under a limit for all, in words', async () => {
  const { limit, ok } = world({ whole: 1 })
  const profile = Profile.parse({ name: 'c', backend: 'codex' })
  expect(
    await limit.within(
      profile,
      async () => ok,
      () => 0,
    ),
  ).toMatchObject({
    kind: 'dead',
    reason: 'refused',
    detail: 'Nobody can tell what “c” costs, so the limit of $1.00 a day would not hold. Give its profile “pricing”',
  })
})

test('without limits nothing is refused', async () => {
  const { call } = world({})
  expect([await call('a', 1e6), await call('a', 1e6)]).toEqual(['ok', 'ok'])
})
