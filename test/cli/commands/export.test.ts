import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { main } from '../../../main/cli/main.ts'
import type { ExportOptions } from '../../../main/store/bundle-export.ts'
import { TestProject, until } from '../../support/reprise.ts'
import { fakeIo } from '../fake-io.ts'
import { fakeService, goodRun, RUN_ID, viewOf } from '../fake-service.ts'

async function exported(argv: string[], title = 'triage') {
  const asked: { path: string; options: ExportOptions }[] = []
  const screen = fakeIo({ cwd: '/somewhere', env: { A_TOKEN: 'secret' } })
  const fake = fakeService({
    show: async () => ({ ...viewOf(goodRun()), title }),
    async export(_, runId, path, options) {
      asked.push({ path, options })
      return { path, runId, number: 47, redacted: options.redact !== null, files: 5, bytes: 100 }
    },
  })
  const code = await main(['export', '47', ...argv], screen.io, fake.open)
  return { code, stdout: screen.stdout(), stderr: screen.stderr(), asked }
}

test('the file is named after the run, and stdout is its name alone', async () => {
  const { code, stdout, asked } = await exported([])
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'triage-47.reprise\n' })
  expect(asked).toEqual([{ path: '/somewhere/triage-47.reprise', options: { replace: false, redact: null } }])
})

test('a file can be named after the run, too, but only once', async () => {
  expect((await exported(['bug.reprise'])).asked).toMatchObject([{ path: '/somewhere/bug.reprise' }])
  const twice = await exported(['bug.reprise', '-o', 'other.reprise'])
  expect([twice.code, twice.asked, twice.stderr]).toEqual([2, [], expect.stringContaining('Name one.')])
})

test.each([
  ['../../Überblick: ein/zwei', 'u-berblick-ein-zwei-47.reprise'],
  ['日本', 'run-47.reprise'],
])('a title of %j makes a name that every system takes', async (title, name) => {
  expect((await exported([], title)).asked[0]?.path).toBe(`/somewhere/${name}`)
})

test('-o and --output name the file from the current folder, --force replaces one', async () => {
  expect((await exported(['-o', 'x/a.reprise'])).asked[0]).toMatchObject({ path: '/somewhere/x/a.reprise', options: { replace: false } })
  expect((await exported(['--output', '/b.reprise', '--force'])).asked[0]).toMatchObject({ path: '/b.reprise', options: { replace: true } })
})

test('a person is told what the file holds, with secrets and without', async () => {
  expect((await exported([])).stderr).toContain('--redact')
  const redacted = await exported(['--redact'])
  expect(redacted.asked[0]?.options.redact).toEqual({ A_TOKEN: 'secret' })
  expect(redacted.stderr).toContain('looked at and not resumed')
})

test('--json tells where the file is and whether secrets are in it', async () => {
  expect(JSON.parse((await exported(['--json'])).stdout)).toEqual({
    path: '/somewhere/triage-47.reprise',
    runId: RUN_ID,
    number: 47,
    redacted: false,
    files: 5,
    bytes: 100,
  })
})

let here: TestProject
let there: TestProject
beforeEach(() => {
  here = new TestProject()
  there = new TestProject()
})
afterEach(() => {
  here.remove()
  there.remove()
})

const SCRIPT = `const a = await agent('one')\nreturn { a, b: await agent('two after ' + a) }\n`

test('a run that was exported resumes in another project without asking any agent', { timeout: 60_000 }, async () => {
  const first = await here.json('run', here.write('two.js', SCRIPT), '--agent', 'simulated')
  const path = join(here.outside, 'two.reprise')
  expect((await here.run(['export', 'last', '-o', path])).code).toBe(0)
  const { number } = await there.json<{ number: number }>('import', path)
  expect(number).toBe(1)
  const again = await there.json('resume', 'last')
  expect(again).toMatchObject({ status: 'completed', attempt: 2, returnValue: first.returnValue, counts: { replayed: 2, live: 0 } })
  expect(there.started).toEqual([])
})

test('a run is not exported while another process works on it', { timeout: 60_000 }, async () => {
  const running = here.start(['run', here.write('slow.js', "await agent('slow [[delay:60000]]')"), '--agent', 'simulated'])
  await until(() => here.started.length >= 1)
  const refused = await here.run(['export', 'last'])
  expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('is being worked on') })
  expect(readdirSync(here.folder).filter((name) => name.includes('.reprise'))).toEqual([])
  running.child.kill('SIGKILL')
  await running.ended
  expect((await here.run(['export', 'last', '-o', 'cut.reprise'])).code).toBe(0)
  expect(existsSync(join(here.folder, 'cut.reprise'))).toBe(true)
})

test('a run without its secrets opens and is not resumed', { timeout: 60_000 }, async () => {
  const env = { MY_SECRET: 'very-hidden-word' }
  await here.run(['run', here.write('two.js', "return await agent('say very-hidden-word')"), '--agent', 'simulated'])
  expect((await here.run(['export', 'last', '-o', 'clean.reprise', '--redact'], { env })).code).toBe(0)
  expect((await there.run(['import', join(here.folder, 'clean.reprise')])).stderr).toContain('looked at and not resumed')
  const shown = await there.run(['show', 'last'])
  expect(shown.stdout).toContain('[redacted]')
  expect(shown.stdout).not.toContain('hidden')
  for (const verb of ['resume', 'plan']) {
    expect(await there.run([verb, 'last'])).toMatchObject({ code: 2, stderr: expect.stringContaining('secrets taken out') })
  }
})
