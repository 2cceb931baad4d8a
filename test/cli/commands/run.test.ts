import { describe, expect, test } from 'vitest'
import { main } from '../../../main/cli/main.ts'
import type { Service } from '../../../main/service/service.ts'
import { AppError } from '../../../shared/errors.ts'
import type { RunEvent } from '../../../shared/run/events.ts'
import { fakeIo } from '../fake-io.ts'
import {
  COUNTS,
  ended,
  type FakeService,
  fakeService,
  goodRun,
  liveRun,
  pending,
  preflight,
  queued,
  RUN_ID,
  runEnded,
  started,
  stream,
} from '../fake-service.ts'

type Setting = Parameters<typeof fakeIo>[0]

async function run(fake: FakeService, argv: string[], setting?: Setting) {
  const screen = fakeIo(setting)
  const code = await main(['run', ...argv], screen.io, fake.open)
  return { code, stdout: screen.stdout(), stderr: screen.stderr() }
}

const endsWith = (more: Parameters<typeof runEnded>[0]): RunEvent[] =>
  stream([started, { type: 'phase.started', phase: 'Review', source: 'live' }, runEnded(more)])

describe('what is run', () => {
  test.each([
    ['triage', { name: 'triage' }],
    ['triage.ts', { path: '/nowhere/triage.ts' }],
    ['./triage', { path: '/nowhere/triage' }],
    ['sub/triage.mjs', { path: '/nowhere/sub/triage.mjs' }],
    ['/abs/with blank #1.js', { path: '/abs/with blank #1.js' }],
    ['flow.yaml', { path: '/nowhere/flow.yaml' }],
    ['v1.2', { name: 'v1.2' }],
  ])('“%s” means %j', async (word, target) => {
    const fake = fakeService()
    await run(fake, [word])
    expect(fake.asked.launch[0]?.target).toEqual(target)
    expect(fake.asked.preflight[0]).toEqual({ project: '/nowhere', target, agent: undefined })
  })

  test('every option reaches the launch, and what is not given is absent', async () => {
    const fake = fakeService()
    const options = [
      '--args',
      '{"a":1}',
      '--budget',
      '5k',
      '--max-cost',
      '2.50',
      '--concurrency',
      '2',
      '--max-agents',
      '9',
      '--agent',
      'simulated',
      '--title',
      'T',
      '--request-id',
      'r1',
    ]
    await run(fake, ['triage', ...options])
    expect(fake.asked.launch[0]?.options).toEqual({
      project: '/nowhere',
      requestId: 'r1',
      seenSha256: preflight.sha256,
      args: { a: 1 },
      budget: 5000,
      maxCost: 2.5,
      concurrency: 2,
      maxAgents: 9,
      agent: 'simulated',
      title: 'T',
      whenWaiting: 'leave',
    })
    await run(fake, ['triage'])
    expect(fake.asked.launch[1]?.options).toEqual({
      project: '/nowhere',
      seenSha256: preflight.sha256,
      requestId: expect.stringMatching(/^[0-9a-f]{32}$/),
      whenWaiting: 'leave',
    })
  })

  test('a request id that could leave a folder is refused', async () => {
    const fake = fakeService()
    expect(await run(fake, ['triage', '--request-id', '../x'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--request-id takes'),
    })
    expect(fake.asked.launch).toEqual([])
  })

  test('a repeated request shows its run also when the file has gone', async () => {
    const gone = () => Promise.reject(new AppError('file-missing', 'There is no file /nowhere/triage.ts.'))
    const fake = fakeService({ preflight: gone })
    expect(await run(fake, ['triage.ts'])).toMatchObject({ code: 2 })
    expect(fake.asked.launch).toEqual([])
    expect(await run(fake, ['triage.ts', '--request-id', 'r1'])).toMatchObject({ code: 0 })
    expect(fake.asked.launch).toHaveLength(1)
  })
})

describe('what comes out', () => {
  test.each([
    ['text as it is', 'two\nlines', 'two\nlines\n'],
    ['an object as JSON to read', { a: [1] }, '{\n  "a": [\n    1\n  ]\n}\n'],
    ['null', null, 'null\n'],
    ['nothing, when the script returned nothing', undefined, ''],
  ])('stdout has the return value alone: %s', async (_, value, stdout) => {
    const result = await run(fakeService({ events: goodRun(value) }), ['triage'])
    expect(result).toMatchObject({ code: 0, stdout })
  })

  test('away from a terminal there is a line for each phase and log, and no control codes', async () => {
    const { stderr } = await run(fakeService(), ['triage'])
    expect(stderr.split('\n')).toEqual(['triage #47', 'Phase: Collect', 'read 3 files', '✓ Completed in 9s · 1 replayed, 1 live', ''])
  })

  test('a replayed phase or log is not said again', async () => {
    const events = stream([
      started,
      { type: 'phase.started', phase: 'Collect', source: 'replayed' },
      { type: 'log', text: 'old', level: 'info', source: 'replayed', line: null },
      runEnded(),
    ])
    expect((await run(fakeService({ events }), ['triage'])).stderr).toBe('triage #47\n✓ Completed in 3s · no calls\n')
  })

  test('--quiet leaves only the value', async () => {
    const { stdout, stderr } = await run(fakeService({ events: goodRun('done') }), ['triage', '--quiet'])
    expect({ stdout, stderr }).toEqual({ stdout: 'done\n', stderr: '' })
  })

  test('--json is one document on stdout', async () => {
    const { code, stdout } = await run(fakeService(), ['triage', '--json'])
    expect(code).toBe(0)
    expect(stdout.trimEnd()).not.toContain('\n')
    expect(JSON.parse(stdout)).toEqual({
      runId: RUN_ID,
      number: 47,
      status: 'completed',
      attempt: 1,
      counts: { ...COUNTS, ok: 2, replayed: 1, live: 1 },
      returnValue: { labels: 2 },
      tokens: 40,
    })
  })

  test('--events is every event as a line, then that document', async () => {
    const { stdout } = await run(fakeService(), ['triage', '--events'])
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type?: string; status?: string })
    expect(lines.slice(0, -1)).toEqual(goodRun())
    expect(lines.at(-1)).toMatchObject({ status: 'completed', returnValue: { labels: 2 } })
  })

  test('what an agent wrote moves no cursor and sets no colour', async () => {
    const events = stream([
      started,
      queued(1, 'scan\u001b[2J'),
      { type: 'log', text: '\u001b]0;title\u0007red \u001b[31mtext\u001b[0m', level: 'info', source: 'live', line: null },
      ended(1, { outcome: 'dead', reason: 'agent-error', detail: 'bad\rline\u0008' }),
      runEnded({ value: { inline: 'v\u001b[2J' }, counts: { ...COUNTS, dead: 1, live: 1 } }),
    ])
    const { stderr, stdout } = await run(fakeService({ events }), ['triage'], { tty: true, env: { NO_COLOR: '1' } })
    expect(stderr).not.toContain('\u001b')
    expect(stderr).not.toContain('\u0008')
    expect(stdout).toBe('v\n')
  })
})

describe('each end has its words and its exit code', () => {
  const dead = { ...COUNTS, ok: 7, dead: 15, live: 22 }
  test.each([
    ['completed', { counts: { ...COUNTS, ok: 20, replayed: 14, live: 6 } }, 0, 'Completed in 2s · 14 replayed, 6 live'],
    ['completed with dead calls', { counts: dead }, 3, 'Completed in 2s, 15 of 22 failed · 22 live'],
    [
      'failed',
      { status: 'failed', counts: { ...COUNTS, ok: 9 } },
      1,
      `Failed in Review. 9 results are saved.\nResume: reprise resume ${RUN_ID}`,
    ],
    ['killed', { status: 'killed', counts: { ...COUNTS, ok: 12 } }, 130, `Stopped. 12 results saved.\nResume: reprise resume ${RUN_ID}`],
    [
      'paused',
      { status: 'paused', reason: 'quota', resetAt: '14:00', counts: { ...COUNTS, ok: 1 } },
      4,
      'Paused: usage limit reached, resets 14:00. 1 result is saved.',
    ],
    ['paused for a reason of a newer version', { status: 'paused', reason: 'moon' }, 4, 'Paused: moon.'],
    ['waiting', { status: 'waiting', reason: 'gate' }, 4, 'Waiting for your decision.'],
    ['an unknown state', { status: 'melted' }, 1, 'Failed in Review.'],
  ])('%s', async (_, end, code, words) => {
    const result = await run(fakeService({ events: endsWith(end) }), ['triage'])
    expect(result.code).toBe(code)
    expect(result.stderr).toContain(words)
    const quiet = await run(fakeService({ events: endsWith(end) }), ['triage', '--quiet'])
    expect(quiet.stderr.includes(words)).toBe(code !== 0)
  })

  test('the error of a script is shown with its place, and its stack with --verbose', async () => {
    const error = { code: 'script-error', message: 'TypeError: x is not a function', line: 14, column: 3, stack: 'at triage.ts:14:3' }
    const fake = () => fakeService({ events: endsWith({ status: 'failed', error }) })
    expect((await run(fake(), ['triage'])).stderr).toContain('triage.ts:14:3: TypeError: x is not a function\n✕ Failed in Review.')
    expect((await run(fake(), ['triage', '--verbose'])).stderr).toContain('at triage.ts:14:3\n')
    expect(JSON.parse((await run(fake(), ['triage', '--json'])).stdout)).toMatchObject({
      status: 'failed',
      error: { code: 'script-error', message: 'TypeError: x is not a function', line: 14, column: 3 },
    })
  })

  test('a run that breaks off says so, keeps its document, and names the way to look', async () => {
    const launch: Service['launch'] = async () => ({
      ...liveRun(stream([started, queued(1, 'scan'), ended(1)]), fakeService().asked),
      done: Promise.reject(new AppError('disk-full', "Can't save to /nowhere: the disk is full.")),
    })
    const { code, stdout, stderr } = await run(fakeService({ launch }), ['triage', '--json'])
    expect(code).toBe(1)
    expect(stderr).toContain("reprise: Can't save to /nowhere: the disk is full.\n")
    expect(stderr).toContain(`reprise show ${RUN_ID}`)
    expect(JSON.parse(stdout)).toMatchObject({
      runId: RUN_ID,
      number: 47,
      status: 'failed',
      counts: { ok: 1, live: 1 },
      error: { code: 'disk-full' },
    })
  })
})

describe('before anything runs', () => {
  const diagnostics = [
    { severity: 'error' as const, code: 'script-syntax' as const, message: 'unexpected )', line: 14, column: 3 },
    { severity: 'warning' as const, code: 'clock-or-chance' as const, message: 'Date.now() differs on resume', line: 2, column: 1 },
  ]

  test('errors of the preflight are lines with file, line and column, and exit 2', async () => {
    const fake = fakeService({ preflight: async () => ({ ...preflight, diagnostics }) })
    const { code, stdout, stderr } = await run(fake, ['triage', '--json'])
    expect(code).toBe(2)
    expect(stderr.split('\n').slice(0, 3)).toEqual([
      'triage.ts:2:1: warning Date.now() differs on resume [clock-or-chance]',
      'triage.ts:14:3: error unexpected ) [script-syntax]',
      'reprise: 1 error in triage.ts; nothing ran.',
    ])
    expect(JSON.parse(stdout)).toEqual({
      status: 'refused',
      error: { code: 'script-syntax', message: 'unexpected )', line: 14, column: 3 },
    })
    expect(fake.asked.launch).toEqual([])
  })

  test('warnings alone stop nothing', async () => {
    const fake = fakeService({ preflight: async () => ({ ...preflight, diagnostics: diagnostics.slice(1) }) })
    expect(await run(fake, ['triage'])).toMatchObject({ code: 0, stderr: expect.stringContaining('triage.ts:2:1: warning') })
  })

  test('a refusal of the service is one line, its exit code that of its row', async () => {
    const fake = fakeService({
      launch: () => Promise.reject(new AppError('changed-since-you-looked', 'triage.ts changed meanwhile. Run it again.')),
    })
    const { code, stdout, stderr } = await run(fake, ['triage', '--json'])
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'reprise: triage.ts changed meanwhile. Run it again.\n' })
    expect(JSON.parse(stdout)).toEqual({
      status: 'refused',
      error: { code: 'changed-since-you-looked', message: 'triage.ts changed meanwhile. Run it again.' },
    })
  })

  const untrusted = () =>
    fakeService({
      preflight: async () => ({
        ...preflight,
        trustNeeded: 'its agents may change files.',
        uses: { ...preflight.uses, defaultAgent: true, checks: true, agentTypes: [{ name: 'Explore', line: 1, column: 1 }] },
      }),
    })

  test('an untrusted script away from a terminal is refused, naming --yes', async () => {
    const fake = untrusted()
    const { code, stderr } = await run(fake, ['triage', '--agent', 'shell'])
    expect(code).toBe(2)
    expect(stderr).toBe(
      'reprise: triage.ts has not run here before: its agents may change files. Look at it, then add --yes to trust this text.\n',
    )
    expect(fake.asked).toMatchObject({ launch: [], trust: [] })
  })

  test('--yes trusts the text that was looked at', async () => {
    const fake = untrusted()
    expect((await run(fake, ['triage', '--yes', '--agent', 'shell'])).code).toBe(0)
    expect(fake.asked.trust).toEqual([preflight.sha256])
  })

  test('at a terminal it is asked, showing what the script uses', async () => {
    const fake = untrusted()
    const { code, stderr } = await run(fake, ['triage', '--agent', 'shell'], { tty: true, types: ['y'] })
    expect(code).toBe(0)
    expect(stderr).toContain('agents: the default agent, Explore')
    expect(stderr).toContain('commands: runs them on this machine')
    expect(stderr).toContain('triage.ts has not run here before: its agents may change files.\n')
    expect(stderr).toContain('[y/N]')
    expect(fake.asked.trust).toEqual([preflight.sha256])
  })

  test.each([['n'], [''], ['what']])('the answer “%s” is no, and nothing runs', async (answer) => {
    const fake = untrusted()
    expect(await run(fake, ['triage', '--agent', 'shell'], { tty: true, types: [answer] })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Not trusted; nothing ran.'),
    })
    expect(fake.asked).toMatchObject({ launch: [], trust: [] })
  })

  test('the end of the input is no as well', async () => {
    expect((await run(untrusted(), ['triage', '--agent', 'shell'], { tty: true, types: [] })).code).toBe(2)
  })
})

describe('Ctrl-C', () => {
  const hanging = (endAt: 'keep' | 'now') => {
    const fake = fakeService()
    const events = stream([started, queued(1, 'scan')])
    const [, , end] = stream([started, queued(1, 'scan'), runEnded({ status: 'killed', counts: { ...COUNTS, ok: 12 } })])
    const hold = { endsWith: (how: 'keep' | 'now') => (how === endAt && end !== undefined ? [end] : []) }
    fake.service.launch = async () => liveRun(events, fake.asked, hold)
    return fake
  }

  async function press(fake: FakeService, times: number) {
    const screen = fakeIo()
    const followed = pending<void>()
    const launch = fake.service.launch
    fake.service.launch = async (...given) => {
      const live = await launch(...given)
      const onEvent: typeof live.onEvent = (listener) => {
        queueMicrotask(() => followed.settle())
        return live.onEvent(listener)
      }
      return { ...live, onEvent }
    }
    const code = main(['run', 'triage'], screen.io, fake.open)
    await followed.promise
    for (let i = 0; i < times; i++) screen.interrupt()
    return { code: await code, stderr: screen.stderr(), isHeard: screen.interrupt() }
  }

  test('once: stops, keeps what is finished, and says so', async () => {
    const fake = hanging('keep')
    const { code, stderr, isHeard } = await press(fake, 1)
    expect(fake.asked.stops).toEqual(['keep'])
    expect(code).toBe(130)
    expect(stderr).toContain('Stopping. Finished results are kept.')
    expect(stderr).toContain(`Stopped. 12 results saved.\nResume: reprise resume ${RUN_ID}`)
    expect(isHeard).toBe(false)
  })

  test('twice: at once', async () => {
    const fake = hanging('now')
    const { code, stderr } = await press(fake, 2)
    expect(fake.asked.stops).toEqual(['keep', 'now'])
    expect(code).toBe(130)
    expect(stderr).toContain('Stopping at once.')
  })

  test('while the run is being started: it is stopped as soon as it is there', async () => {
    const fake = hanging('keep')
    const screen = fakeIo()
    const launch = fake.service.launch
    fake.service.launch = async (...given) => {
      screen.interrupt()
      return launch(...given)
    }
    expect(await main(['run', 'triage'], screen.io, fake.open)).toBe(130)
    expect(fake.asked.stops).toEqual(['keep'])
  })
})
