import { expect, test } from 'vitest'
import { main } from '../../../main/cli/main.ts'
import type { CallDetail, GateChoice } from '../../../main/service/service.ts'
import { AppError } from '../../../shared/errors.ts'
import { fakeIo } from '../fake-io.ts'
import { fakeService, queued, started, stream } from '../fake-service.ts'

const OPEN = stream([
  started,
  queued(1, 'plan', { kind: 'gate' }),
  { type: 'call.started', callId: 1, generation: 1, worker: 'person' },
  { type: 'gate.opened', callId: 1, question: 'Is it good?', options: ['approve', 'changes'] },
])

function detail(more: Partial<CallDetail>): CallDetail {
  return {
    callId: 1,
    kind: 'gate',
    label: 'plan',
    phase: null,
    fp: 'f',
    params: { question: 'Is it good?', options: ['approve', 'changes'], show: { path: 'plan.md' } },
    result: null,
    output: null,
    usage: null,
    ms: null,
    tries: null,
    backend: null,
    attempt: 1,
    whyLive: null,
    shown: { path: 'plan.md', sha256: 'old', text: 'the old plan' },
    ...more,
  }
}

async function approve(answers: Parameters<typeof fakeService>[0], types: string[]) {
  const screen = fakeIo({ types, tty: true })
  const code = await main(['approve', 'last'], screen.io, fakeService({ events: OPEN, ...answers }).open)
  return { code, stderr: screen.stderr() }
}

test('a choice made at the terminal is bound to the text that was shown there: the file as it is now', async () => {
  const given: GateChoice[] = []
  const decide = async (...[, , , choice]: [string, unknown, number, GateChoice]) => {
    given.push(choice)
    return 'delivered' as const
  }
  const { code, stderr } = await approve({ decide, call: async () => detail({ shownNow: { sha256: 'new', text: 'the new plan' } }) }, [
    '1',
    '',
  ])
  expect(stderr).toContain('the new plan')
  expect(stderr).not.toContain('the old plan')
  expect([code, given]).toEqual([0, [{ choice: 'approve', seen: 'new', by: 'command line' }]])
})

test('of a text that changed meanwhile it says so and decides nothing', async () => {
  const decide = async (): Promise<never> => {
    throw new AppError('gate-stale', 'plan.md changed after you opened it. Your choice was not applied.')
  }
  const { code, stderr } = await approve({ decide, call: async () => detail({}) }, ['approve', ''])
  expect([code, stderr.includes('plan.md changed after you opened it. Your choice was not applied.')]).toEqual([2, true])
})
