import { afterEach, beforeEach, expect, test } from 'vitest'
import { main } from '../../../main/cli/main.ts'
import type { Service } from '../../../main/service/service.ts'
import type { RunEvent } from '../../../shared/run/events.ts'
import { TestProject, until } from '../../support/reprise.ts'
import { fakeIo } from '../fake-io.ts'
import { fakeService, goodRun, pending, RUN_ID, started, stream } from '../fake-service.ts'

async function logs(argv: string[], answers: Parameters<typeof fakeService>[0] = {}) {
  const screen = fakeIo()
  const code = await main(['logs', '47', ...argv], screen.io, fakeService(answers).open)
  return { code, stdout: screen.stdout(), stderr: screen.stderr() }
}

test('each event is one line with its time and the name of its call', async () => {
  const { code, stdout } = await logs([])
  expect(code).toBe(0)
  const lines = stdout.trimEnd().split('\n')
  expect(lines).toHaveLength(goodRun().length)
  for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}\S/)
  const texts = lines.map((line) => line.slice(21))
  expect(texts).toEqual(
    expect.arrayContaining(['triage #47', 'Phase: Collect', 'read queued', 'read started', 'read 3 files', 'Completed']),
  )
})

test.each(['--json', '--events'])('with %s each event is one JSON line and nothing else is printed', async (option) => {
  const { stdout, stderr } = await logs([option])
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as RunEvent),
  ).toEqual(goodRun())
  expect(stderr).toBe('')
})

test('an event of a newer version is at least named', async () => {
  const strange = { type: 'call.teleported', seq: 2, at: 0, runId: RUN_ID, attempt: 1 } as unknown as RunEvent
  expect((await logs([], { events: [...stream([started]), strange] })).stdout).toContain('call.teleported')
})

test('what an agent wrote reaches no terminal as a command', async () => {
  const events = stream([started, { type: 'call.progress', callId: 1, kind: 'text', text: 'red\u001b[31m\nnext' }])
  expect((await logs([], { events })).stdout).not.toContain('\u001b')
})

test('a run without events says where else to look', async () => {
  expect(await logs([], { logs: async function* () {} })).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('reprise show'),
  })
})

test('Ctrl-C ends the following quietly', async () => {
  const screen = fakeIo()
  const waiting = pending<void>()
  const followed: Service['logs'] = async function* (_, __, signal) {
    yield stream([started])
    waiting.settle()
    await new Promise((done) => signal?.addEventListener('abort', done))
  }
  const ended = main(['logs', '47', '--follow'], screen.io, fakeService({ logs: followed }).open)
  await waiting.promise
  expect(screen.interrupt()).toBe(true)
  expect(await ended).toBe(0)
  expect(screen.stderr()).toBe('')
  expect(screen.interrupt()).toBe(false)
})

let project: TestProject
beforeEach(() => {
  project = new TestProject()
})
afterEach(() => project.remove())

test('--follow shows a run of another process until it ends', { timeout: 60_000 }, async () => {
  const script = project.write('slow.js', "log('begun')\nawait agent('slow [[delay:1500]]')\nlog('all done')\nreturn 1\n")
  const running = project.start(['run', script, '--agent', 'simulated'])
  await until(() => project.started.length >= 1)
  const { code, stdout } = await project.run(['logs', 'last', '--follow'])
  expect(code).toBe(0)
  expect(stdout).toContain('begun')
  expect(stdout).toContain('all done')
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/Completed$/)
  expect((await running.ended).code).toBe(0)
})

test('--follow ends when the process that worked on the run is killed', { timeout: 60_000 }, async () => {
  const script = project.write('endless.js', "await agent('slow [[delay:60000]]')\n")
  const running = project.start(['run', script, '--agent', 'simulated'])
  await until(() => project.started.length >= 1)
  const following = project.start(['logs', 'last', '--follow'])
  await new Promise((seen) => following.child.stdout?.once('data', seen))
  running.child.kill('SIGKILL')
  expect((await following.ended).code).toBe(0)
})
