/** The thread of the app's service dies, the app lives on: another one takes its place, and no run is left looking alive. */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startService } from '../../main/service/service-thread.ts'
import type { AppError } from '../../shared/errors.ts'
import { RequestId } from '../../shared/ids.ts'
import { bundled } from '../store/other-process.ts'
import { TestProject, until } from '../support/reprise.ts'

let project: TestProject
beforeEach(() => {
  project = new TestProject()
})
afterEach(() => project.remove())

const secrets = { values: {}, changed: { on: () => undefined } }

/** The app's thread, which dies when a file is there and takes the file with it. */
async function fragile(dieWhen: string): Promise<URL> {
  const folder = mkdtempSync(join(project.outside, 'service-'))
  copyFileSync(await bundled(resolve('main/service/service-worker.ts')), join(folder, 'whole.mjs'))
  for (const name of ['run-host.mjs', 'script-worker.mjs'])
    writeFileSync(join(folder, name), `import ${JSON.stringify(pathToFileURL(resolve('out/cli', name)).href)}`)
  const file = JSON.stringify(dieWhen)
  writeFileSync(
    join(folder, 'service-worker.mjs'),
    `import './whole.mjs'
import { existsSync, rmSync } from 'node:fs'
setInterval(() => { if (existsSync(${file})) { rmSync(${file}); throw new Error('out of luck') } }, 5).unref()`,
  )
  return pathToFileURL(join(folder, 'service-worker.mjs'))
}

test('its runs are closed and can be resumed at once, and what is asked next is answered', { timeout: 60_000 }, async () => {
  const dieWhen = join(project.outside, 'die')
  const told: [AppError, number][] = []
  const entry = await fragile(dieWhen)
  const service = startService({
    entry,
    data: join(project.outside, 'data'),
    secrets,
    onLost: (error, runs) => void told.push([error, runs]),
  })
  const script = project.write('two.js', `const a = await agent('quick'); const b = await agent('[[delay:600000]] slow'); return [a, b]`)
  const run = await service.launch({ path: script }, { project: project.folder, requestId: RequestId.parse('lost'), agent: 'simulated' })
  await until(() => readFileSync(project.journal(run.runId), 'utf8').split('"t":"started"').length === 3)

  writeFileSync(dieWhen, '')
  const view = await run.done
  expect(view).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('out of luck') } })
  expect(view.calls.map(({ status }) => status)).toEqual(['ok', 'cut-off'])
  await until(() => told.length === 1)
  expect(told).toEqual([[expect.objectContaining({ message: 'out of luck' }), 1]])
  expect(existsSync(dieWhen)).toBe(false)

  // The same service goes on with the run, in a thread of its own.
  project.write('two.js', `const a = await agent('quick'); return [a, await agent('now')]`)
  const again = await service.resume(run.runId, { project: project.folder, inFlight: 'repeat' })
  expect(await again.done).toMatchObject({ status: 'completed', attempt: 3, counts: { replayed: 1, live: 1 } })
  expect((await service.list(project.folder, { limit: 9 })).runs).toMatchObject([{ status: 'completed' }])
})

test('a thread that can not even start answers every question with the reason, and is tried again', { timeout: 60_000 }, async () => {
  const told: string[] = []
  const entry = pathToFileURL(join(project.outside, 'nowhere.mjs'))
  const service = startService({ entry, data: project.outside, secrets, onLost: ({ message }) => told.push(message) })
  for (let tries = 0; tries < 2; tries += 1)
    await expect(service.list(project.folder, { limit: 9 })).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('nowhere.mjs'),
    })
  writeFileSync(entry, `import ${JSON.stringify((await fragile(join(project.outside, 'never'))).href)}`)
  expect(await service.list(project.folder, { limit: 9 })).toEqual({ runs: [], total: 0 })
  expect(told).toEqual([])
})
