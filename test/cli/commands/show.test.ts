import { expect, test } from 'vitest'
import { main } from '../../../main/cli/main.ts'
import type { CallDetail, Service } from '../../../main/service/service.ts'
import type { RunEvent } from '../../../shared/run/events.ts'
import { fakeIo } from '../fake-io.ts'
import { COUNTS, ended, fakeService, queued, RUN_ID, runEnded, started, stream, viewOf } from '../fake-service.ts'

const events: RunEvent[] = stream([
  started,
  { type: 'phase.started', phase: 'Collect', source: 'live' },
  queued(1, 'scan', { source: 'replayed', whyLive: null }),
  ended(1, { source: 'replayed', fromAttempt: 1 }),
  queued(2, 'lint', { whyLive: 'died-last-time' }),
  ended(2, { outcome: 'dead', reason: 'timeout', detail: 'after 60 s', summary: '', tries: 3 }),
  { type: 'log', text: 'read 3 files', level: 'warning', source: 'live', line: 3 },
  runEnded({
    status: 'failed',
    error: { code: 'script-error', message: 'TypeError: x', line: 14, column: 3 },
    counts: { ...COUNTS, ok: 1, dead: 1, replayed: 1, live: 1 },
  }),
])

const detail: CallDetail = {
  callId: 2,
  kind: 'agent',
  label: 'lint',
  phase: 'Collect',
  fp: 'f'.repeat(64),
  params: { prompt: 'Lint \u001b[2Jit', model: 'opus' },
  result: { kind: 'ok', output: { inline: {} } },
  output: { clean: true },
  usage: { inputTokens: 12_400, outputTokens: 250 },
  ms: 31_000,
  tries: 2,
  backend: 'claude',
  attempt: 2,
  whyLive: 'prompt-changed',
}

async function show(argv: string[], answers: Partial<Service> & { events?: RunEvent[] } = { events }) {
  const screen = fakeIo()
  const code = await main(['show', '47', ...argv], screen.io, fakeService(answers).open)
  return { code, stdout: screen.stdout(), stderr: screen.stderr() }
}

test('header, phases with calls, error, log and the next step', async () => {
  const { code, stdout, stderr } = await show([])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const lines = stdout.split('\n')
  expect(lines[0]).toBe('triage #47  ✕ Failed in Collect. 1 result is saved.')
  expect(lines[1]).toMatch(/^01JQ0000000000000000000047 · triage\.ts · started .* · 7s · simulated · 40 output tokens$/)
  expect(lines.slice(3)).toEqual([
    '✕ Collect  1 of 2, 1 died',
    '  ↺ 1 scan  12s  replayed from attempt 1                        five lines',
    '  ✕ 2 lint  12s  died: it ran out of time, after 60 s, 3 tries',
    '○ Review  not yet',
    '',
    'Error  triage.ts:14:3: TypeError: x',
    '',
    'Log',
    '  Warning: read 3 files',
    '',
    `Resume: reprise resume ${RUN_ID}`,
    '',
  ])
})

test('a run that goes on can be stopped', async () => {
  expect((await show([], { events: events.slice(0, 4) })).stdout).toContain(`Stop it: reprise stop ${RUN_ID}`)
})

test('unreadable journal lines are named', async () => {
  const view = { ...viewOf(events), badLines: [{ line: 7, reason: 'wrong checksum', path: 'journal.jsonl' }] }
  expect((await show([], { show: async () => view })).stdout).toContain('line 7 is unreadable (wrong checksum); all others are safe')
})

test('--json is the run view', async () => {
  expect(JSON.parse((await show(['--json'])).stdout)).toEqual(viewOf(events))
})

test('--call shows what was asked and what came back', async () => {
  const { stdout } = await show(['--call', 'lint'], { events, call: async () => detail })
  expect(stdout.split('\n')).toEqual([
    'Collect › lint',
    'agent · attempt 2 · 31s · 2 tries · 12.4k tokens in, 250 out · claude · live: prompt changed · fingerprint ffffffffffffffff',
    '',
    'Prompt',
    'Lint it',
    '',
    'Options',
    '{',
    '  "model": "opus"',
    '}',
    '',
    'Output',
    '{',
    '  "clean": true',
    '}',
    '',
  ])
  const transcript = { events: [{ n: 7, at: 1, attempt: 2, generation: 1, kind: 'text', text: 'I lint' }], total: 7 }
  const asked = { events, call: async () => detail, transcript: async () => transcript }
  expect(JSON.parse((await show(['--call', '2', '--json'], asked)).stdout)).toEqual({ ...detail, transcript })
})

test.each([
  [null, 'No result is saved.'],
  [{ kind: 'skipped' as const }, 'Skipped: the script got null.'],
  [{ kind: 'abandoned' as const }, 'Abandoned: the script ended without waiting for it.'],
  [{ kind: 'dead' as const, reason: 'timeout' as const, detail: 'after 60 s' }, 'Died: it ran out of time. after 60 s'],
])('a call with result %j says so', async (result, words) => {
  const { stdout } = await show(['--call', '2'], { events, call: async () => ({ ...detail, result, output: null }) })
  expect(stdout).toContain(`Output\n${words}\n`)
})

test('an unknown call is refused', async () => {
  expect(await show(['--call', '9'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Run #47 has no call 9.') })
})

test('an agent that has said nothing for minutes is shown as idle, one that can say nothing is not', async () => {
  const start = (callId: number, streams: boolean): RunEvent[] =>
    stream([{ type: 'call.started', callId, generation: 1, worker: 'w', streams }]).map((event) => ({
      ...event,
      seq: 10 + callId,
      at: Date.now() - 490_000,
    }))
  const going = [...stream([started, queued(1, 'quiet'), queued(2, 'command')]), ...start(1, true), ...start(2, false)]
  const { stdout } = await show([], { events: going })
  expect(stdout).toMatch(/1 quiet .*running, idle 8m 1\ds/)
  expect(stdout).toMatch(/2 command +running/)
  expect(stdout).not.toMatch(/2 command .*idle/)
})
