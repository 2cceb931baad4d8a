import { expect, test } from 'vitest'
import { main } from '../../../main/cli/main.ts'
import { difference } from '../../../main/cli/plan-text.ts'
import { WHY_LIVE } from '../../../shared/run/events.ts'
import type { ResumePlan } from '../../../shared/run/plan.ts'
import { WHY_LIVE_WORDS } from '../../../shared/words.ts'
import { fakeIo } from '../fake-io.ts'
import { fakeService, plan, RUN_ID } from '../fake-service.ts'

const call = (label: string, phase: string | null) => ({ callId: 1, kind: 'agent', label, title: label, phase })

async function show(what: Partial<ResumePlan>, argv: string[] = []) {
  const fake = fakeService({ plan: async () => ({ ...plan, ...what }) })
  const screen = fakeIo()
  const code = await main(['plan', '47', ...argv], screen.io, fake.open)
  return { code, stdout: screen.stdout(), stderr: screen.stderr(), asked: fake.asked }
}

test('what is certain comes first, with the reason, and what is likely is called so', async () => {
  const { code, stdout, asked } = await show({
    replayed: [call('a', 'Collect'), call('b', 'Review'), call('c', 'Collect'), call('d', null)],
    certainLive: [{ ...call('lint', 'Verify'), why: 'was-running' }],
    notReached: [call('late', 'Verify')],
    inFlight: [call('lint', 'Verify')],
    estimate: { calls: 5, outputTokens: 12_000 },
  })
  expect(code).toBe(0)
  expect(stdout.split('\n')).toEqual([
    'triage #47 · attempt 2',
    '4 results replayed, at no cost: Collect 2 · Review 1 · Run 1',
    '1 call starts live for certain:',
    '  ▶ Verify › lint: was running when the run was cut off',
    'After that, going by last time, about 5 more calls, 12k output tokens. That is not certain.',
    '1 saved result not asked for up to there: Verify 1',
    'Running when the run was cut off; resume asks what to do with it (--in-flight repeat|skip|stop|continue):',
    '  ⊘ Verify › lint',
    'The script is unchanged.',
    `Resume: reprise resume ${RUN_ID}`,
    '',
  ])
  expect(asked.resume).toEqual([])
})

test('a changed prompt shows the words around the change', async () => {
  const old = `${'same '.repeat(30)}old ending`
  const { stdout } = await show({
    scriptChanged: true,
    certainLive: [{ ...call('x', null), why: 'prompt-changed', old, new: old.replace('old', 'new') }],
  })
  expect(stdout).toContain('      was  …same same same same old ending')
  expect(stdout).toContain('      now  …same same same same new ending')
  expect(stdout).toContain('The script changed since the attempt before.')
})

test('a full replay says that nothing runs', async () => {
  expect((await show({ complete: true, replayed: [call('a', null)] })).stdout).toContain('nothing runs live')
  expect((await show({})).stdout).toContain('Nothing is replayed.')
})

test('a long plan is cut, and whole with --verbose', async () => {
  const certainLive = Array.from({ length: 30 }, (_, i) => ({ ...call(`c${i}`, null), why: 'new-call' as const }))
  expect((await show({ certainLive })).stdout).toContain('  and 10 more (--verbose shows all)')
  expect((await show({ certainLive }, ['--verbose'])).stdout).toContain('c29: new call')
})

test('--json is the plan itself', async () => {
  expect(JSON.parse((await show({ complete: true }, ['--json'])).stdout)).toEqual({ ...plan, complete: true })
})

test('the resume it names has the same options, quoted for the shell', async () => {
  const { stdout, asked } = await show({}, ['--policy', 'prefix', '--arg', 'a=x y'])
  expect(stdout).toContain(`Resume: reprise resume ${RUN_ID} --policy prefix --arg 'a=x y'\n`)
  expect(asked.plan[0]).toEqual({ project: '/nowhere', policy: 'prefix', args: { a: 'x y' } })
})

test('every reason has its own words', () => {
  const words = WHY_LIVE.map((why) => WHY_LIVE_WORDS[why])
  expect(words.every((text) => text.length > 0)).toBe(true)
  expect(new Set(words).size).toBe(WHY_LIVE.length)
})

test('two equal texts have no difference to show beyond themselves', () => {
  expect(difference('abc', 'abc')).toEqual({ before: 'abc', after: 'abc' })
})
