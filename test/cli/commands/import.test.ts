import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { main } from '../../../main/cli/main.ts'
import { TestProject } from '../../support/reprise.ts'
import { fakeIo } from '../fake-io.ts'
import { fakeService, RUN_ID } from '../fake-service.ts'

async function imported(argv: string[], redacted = false) {
  const paths: string[] = []
  const screen = fakeIo({ cwd: '/somewhere' })
  const fake = fakeService({
    async import(_, path) {
      paths.push(path)
      return { runId: RUN_ID, number: 3, title: 'tri\u001bage', redacted }
    },
  })
  const code = await main(['import', ...argv], screen.io, fake.open)
  return { code, stdout: screen.stdout(), stderr: screen.stderr(), paths }
}

test('the file is found from the current folder, and the run is named with the way to look at it', async () => {
  const { code, stderr, paths } = await imported(['x/a.reprise'])
  expect({ code, paths }).toEqual({ code: 0, paths: ['/somewhere/x/a.reprise'] })
  expect(stderr).toContain(`reprise show ${RUN_ID}`)
  expect(stderr).toContain('#3')
  expect(stderr).not.toContain('\u001b')
})

test('a run without its secrets is said to be one', async () => {
  expect((await imported(['a.reprise'], true)).stderr).toContain('looked at and not resumed')
})

test('--json is the run as one document', async () => {
  expect(JSON.parse((await imported(['a.reprise', '--json'])).stdout)).toMatchObject({ runId: RUN_ID, number: 3, redacted: false })
})

test('without a file it says what it needs', async () => {
  expect(await imported([])).toMatchObject({ code: 2, stderr: expect.stringContaining('needs a file') })
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

test('a script that came in by import is trusted anew before it may touch the machine', { timeout: 60_000 }, async () => {
  const script = here.write('touch.js', "return await agent('echo touched', { agentType: 'shell' })\n")
  const first = await here.run(['run', script, '--yes', '--json'])
  expect(JSON.parse(first.stdout)).toMatchObject({ status: 'completed' })
  await here.run(['export', 'last', '-o', 'touch.reprise'])
  expect((await there.run(['import', join(here.folder, 'touch.reprise')])).code).toBe(0)
  const refused = await there.run(['resume', 'last'])
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
  // The script's file did not come along: the text that the run keeps is the one to look at.
  expect(refused.stderr).toContain(join('source', ''))
  expect(JSON.parse((await there.run(['resume', 'last', '--yes', '--json'])).stdout)).toMatchObject({ status: 'completed', attempt: 2 })
})
