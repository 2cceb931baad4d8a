import { describe, expect, test } from 'vitest'
import { main } from '../../../main/cli/main.ts'
import type { ResumeOptions, Service } from '../../../main/service/service.ts'
import { AppError } from '../../../shared/errors.ts'
import { fakeIo } from '../fake-io.ts'
import {
  ended,
  type FakeService,
  fakeService,
  goodRun,
  liveRun,
  plan,
  preflight,
  queued,
  runEnded,
  started,
  stream,
} from '../fake-service.ts'

async function resume(fake: FakeService, argv: string[], setting?: Parameters<typeof fakeIo>[0]) {
  const screen = fakeIo(setting)
  const code = await main(['resume', ...argv], screen.io, fake.open)
  return { code, stdout: screen.stdout(), stderr: screen.stderr() }
}

test('every option reaches the service, and what is not given is absent', async () => {
  const fake = fakeService()
  await resume(fake, [
    '47',
    '--policy',
    'prefix',
    '--from',
    '2',
    '--in-flight',
    'skip',
    '--args',
    'null',
    '--file',
    'b.ts',
    '--agent',
    'claude',
    '--budget',
    '1m',
    '--max-cost',
    '9',
  ])
  await resume(fake, ['last'])
  expect(fake.asked.resume).toEqual([
    {
      project: '/nowhere',
      whenWaiting: 'leave',
      policy: 'prefix',
      from: 2,
      inFlight: 'skip',
      args: null,
      file: '/nowhere/b.ts',
      agent: 'claude',
      budget: 1_000_000,
      maxCost: 9,
    },
    { project: '/nowhere', whenWaiting: 'leave' },
  ])
})

test('--from takes the label of a call', async () => {
  const fake = fakeService()
  await resume(fake, ['47', '--from', 'read'])
  expect(fake.asked.resume[0]?.from).toBe(2)
})

test.each([
  ['9', 'Run #47 has no call 9.'],
  ['nope', 'Run #47 has no call “nope”.'],
  ['twin', '2 calls are named “twin”: 1, 2.'],
])('--from %s is refused when it is not one call', async (from, message) => {
  const fake = fakeService({ events: stream([started, queued(1, 'twin'), queued(2, 'twin'), runEnded()]) })
  expect(await resume(fake, ['47', '--from', from])).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  expect(fake.asked.resume).toEqual([])
})

test('an unknown run is one line with the way out', async () => {
  const { code, stdout, stderr } = await resume(fakeService(), ['none', '--json'])
  expect({ code, stderr }).toEqual({ code: 2, stderr: 'reprise: There is no run “none” in /nowhere. See: reprise list\n' })
  expect(JSON.parse(stdout)).toMatchObject({ status: 'refused', error: { code: 'run-unknown' } })
})

test('it prints what a run prints', async () => {
  const { code, stdout, stderr } = await resume(fakeService({ events: goodRun('done') }), ['47'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'done\n' })
  expect(stderr).toContain('Completed in 9s · 1 replayed, 1 live')
})

describe('calls that were running when the run was cut off', () => {
  const inFlight = [{ callId: 3, kind: 'agent', label: 'lint', title: 'Lint it', phase: 'Verify' }]

  function asking() {
    const fake: FakeService = fakeService({
      plan: async () => ({ ...plan, inFlight }),
      resume: async (_, options: ResumeOptions) => {
        if (options.inFlight === undefined) throw new AppError('in-flight', 'One call was running: lint.')
        return liveRun(goodRun(), fake.asked)
      },
    } satisfies Partial<Service>)
    return fake
  }

  test('away from a terminal they are listed, nothing starts, exit 4', async () => {
    const fake = asking()
    const { code, stdout, stderr } = await resume(fake, ['47', '--json'])
    expect(code).toBe(4)
    expect(stderr).toContain('  Verify › lint\n')
    expect(stderr).toContain('reprise: One call was running: lint.')
    expect(JSON.parse(stdout)).toEqual({ status: 'refused', error: { code: 'in-flight', message: 'One call was running: lint.' } })
    expect(fake.asked.resume).toHaveLength(1)
  })

  test.each([['repeat'], ['skip'], ['stop'], ['r']])('at a terminal the answer “%s” goes on with it', async (answer) => {
    const fake = asking()
    expect((await resume(fake, ['47'], { tty: true, types: [answer] })).code).toBe(0)
    expect(fake.asked.resume[1]?.inFlight).toBe(['repeat', 'skip', 'stop'].find((choice) => choice.startsWith(answer)))
  })

  test('any other answer starts nothing', async () => {
    const fake = asking()
    expect((await resume(fake, ['47'], { tty: true, types: ['hm'] })).code).toBe(4)
    expect(fake.asked.resume).toHaveLength(1)
  })

  test('--yes repeats them, and --in-flight goes before it', async () => {
    const fake = asking()
    await resume(fake, ['47', '--yes'])
    await resume(fake, ['47', '--yes', '--in-flight', 'skip'])
    expect(fake.asked.resume.map((options) => options.inFlight)).toEqual(['repeat', 'skip'])
  })
})

describe('a script that is not trusted yet', () => {
  function untrusted() {
    const fake: FakeService = fakeService({
      preflight: async (_, target) => ({
        ...preflight,
        path: 'path' in target ? target.path : '',
        trustNeeded: 'its agents may change files',
      }),
      resume: async () => {
        if (fake.asked.trust.length === 0) throw new AppError('not-trusted', 'not trusted')
        return liveRun(goodRun(), fake.asked)
      },
    } satisfies Partial<Service>)
    return fake
  }

  test('is refused away from a terminal, naming --yes', async () => {
    const fake = untrusted()
    expect(await resume(fake, ['47'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
  })

  test('is trusted with --yes, and the file given is the one that is looked at', async () => {
    const fake = untrusted()
    expect((await resume(fake, ['47', '--yes', '--file', 'b.ts'])).code).toBe(0)
    expect(fake.asked.preflight[0]?.target).toEqual({ path: '/nowhere/b.ts' })
    expect(fake.asked.trust).toEqual([preflight.sha256])
  })

  test('a refusal that trust does not heal is not asked about twice', async () => {
    const fake = fakeService({ resume: () => Promise.reject(new AppError('not-trusted', 'still not trusted')) })
    expect(await resume(fake, ['47', '--yes'])).toMatchObject({ code: 2, stderr: expect.stringContaining('still not trusted') })
  })
})

test('a dead call is named with its reason, also away from a terminal', async () => {
  const events = stream([
    started,
    queued(1, 'lint'),
    ended(1, { outcome: 'dead', reason: 'schema-mismatch', detail: '/labels/0 must be string' }),
    runEnded(),
  ])
  expect((await resume(fakeService({ events }), ['47'])).stderr).toContain(
    '✕ lint died after 12s: its answer did not fit the schema: /labels/0 must be string\n',
  )
})
