/** Scripts that spin or fill memory: they end alone and by name, while the window and the app around them go on. Bounds are ten times the promise. */
import type { ElectronApplication, Page } from '@playwright/test'
import type { RunView } from '../../shared/run/view.ts'
import { expect, test } from './fixtures.ts'

const STOP_MS = 20_000
const ANSWER_MS = 5_000

async function launch(page: Page, project: string, name: string): Promise<string> {
  return page.evaluate(
    async ({ project, name }) => {
      await window.reprise.projects.open({ path: project })
      const started = await window.reprise.runs.launch({ target: { name }, requestId: crypto.randomUUID(), agent: 'simulated' })
      if (!started.ok) throw new Error(started.error.message)
      return started.value.runId
    },
    { project, name },
  )
}

async function show(page: Page, runId: string): Promise<RunView> {
  const shown = await page.evaluate((runId) => window.reprise.runs.show({ runId }), runId)
  if (!shown.ok) throw new Error(shown.error.message)
  return shown.value
}

/** The longest that the page took for two frames and a question to the app, or the app's main thread for an answer, over some rounds. */
async function slowest(app: ElectronApplication, page: Page, runId: string): Promise<number> {
  let most = 0
  for (let round = 0; round < 10; round += 1) {
    const frames = await page.evaluate(async (runId) => {
      const before = performance.now()
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
      await window.reprise.runs.show({ runId })
      return performance.now() - before
    }, runId)
    const before = performance.now()
    await app.evaluate(() => process.uptime())
    most = Math.max(most, frames, performance.now() - before)
  }
  return most
}

test('a script that spins after its first agent leaves the window fluid and is stopped at once (R16)', async ({
  start,
  workflow,
  folders,
}) => {
  workflow('spin.js', "await agent('x')\nwhile (true) {}\n")
  const { app, page } = await start()
  const runId = await launch(page, folders.project, 'spin')
  await expect.poll(async () => (await show(page, runId)).calls.map(({ status }) => status)).toEqual(['ok'])
  expect(await slowest(app, page, runId)).toBeLessThan(ANSWER_MS)
  expect((await show(page, runId)).status).toBe('running')
  const before = performance.now()
  await page.evaluate((runId) => window.reprise.runs.stop({ runId, how: 'keep' }), runId)
  await expect.poll(async () => (await show(page, runId)).status, { timeout: STOP_MS }).toBe('killed')
  expect(performance.now() - before).toBeLessThan(STOP_MS)
  expect((await show(page, runId)).counts).toMatchObject({ ok: 1 })
})

test('a script that asks for a billion elements, or fills memory by little, ends by name while the window answers (R16)', async ({
  start,
  workflow,
  folders,
}) => {
  test.setTimeout(180_000)
  const { app, page, process } = await start()
  const fillers = {
    filled: 'Array(1e9).fill(0)',
    sorted: 'Array(2 ** 26).toSorted()',
    list: 'const all = []; for (;;) all.push({})',
    map: 'const m = new Map(); for (let i = 0; ; i += 1) m.set(i, [i])',
    spread: "const all = [...'x'.repeat(5e8)]",
    buffers: 'const all = []; for (;;) all.push(new Uint8Array(2 ** 27).fill(1))',
    waiting: 'const all = []; for (;;) { all.push(new Promise(() => {})); if (all.length % 1e5 === 0) await null }',
  }
  for (const [name, code] of Object.entries(fillers)) {
    workflow(`${name}.js`, `await agent('x')\n${code}\n`)
    const runId = await launch(page, folders.project, name)
    expect([name, (await slowest(app, page, runId)) < ANSWER_MS]).toEqual([name, true])
    await expect.poll(async () => (await show(page, runId)).status, { timeout: 60_000 }).toBe('failed')
    const view = await show(page, runId)
    expect([name, view.error?.code, view.counts?.ok]).toEqual([name, 'script-out-of-memory', 1])
  }
  expect(process.exitCode).toBeNull()
  // What comes after them runs as ever.
  workflow('after.js', "return await agent('after')\n")
  const runId = await launch(page, folders.project, 'after')
  await expect.poll(async () => (await show(page, runId)).status).toBe('completed')
})
