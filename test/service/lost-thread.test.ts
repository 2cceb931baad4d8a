/** The thread of a run dies, the process lives on: the run is closed, not left looking as if somebody worked on it. */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createService } from '../../main/service/create-service.ts'
import { RequestId } from '../../shared/ids.ts'
import { TestProject, until } from '../support/reprise.ts'

let project: TestProject
beforeEach(() => {
  project = new TestProject()
})
afterEach(() => project.remove())

/** The built thread, which fails when a file is there. */
function fragileService(dieWhen: string) {
  const folder = mkdtempSync(join(tmpdir(), 'reprise-threads-'))
  const built = JSON.stringify(pathToFileURL(resolve('out/cli/run-host.mjs')).href)
  const code = `import ${built}
import { existsSync } from 'node:fs'
setInterval(() => { if (existsSync(${JSON.stringify(dieWhen)})) throw new Error('out of luck') }, 5).unref()`
  writeFileSync(join(folder, 'run-host.mjs'), code)
  return createService({ workers: pathToFileURL(`${folder}/`), data: join(project.outside, 'data') })
}

test('a run whose thread dies is closed as failed with what is saved, and can be resumed at once', { timeout: 60_000 }, async () => {
  const dieWhen = join(project.outside, 'die')
  const service = fragileService(dieWhen)
  const script = project.write('two.js', `const a = await agent('quick'); const b = await agent('[[delay:600000]] slow'); return [a, b]`)
  const run = await service.launch({ path: script }, { project: project.folder, requestId: RequestId.parse('lost'), agent: 'simulated' })
  await until(() => readFileSync(project.journal(run.runId), 'utf8').split('"t":"started"').length === 3)
  writeFileSync(dieWhen, '')
  const view = await run.done
  expect(view).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('out of luck') } })
  expect(view.calls.map(({ status }) => status)).toEqual(['ok', 'cut-off'])
  const again = await project.json<{ status: string; allowedActions: string[] }>('show', run.runId)
  expect(again).toMatchObject({ status: 'failed', allowedActions: expect.arrayContaining(['resume']) })
  expect(await project.json<{ replayed: unknown[]; certainLive: unknown[] }>('plan', run.runId)).toMatchObject({
    replayed: [expect.anything()],
    certainLive: [{ why: 'was-running' }],
  })
  expect(existsSync(project.journal(run.runId))).toBe(true)
  expect(readFileSync(project.journal(run.runId), 'utf8').split('"t":"end"')).toHaveLength(2)
})
