/** What the app does around a run: the tray, the end told once, closing, quitting, the system's own goodbye, and the next start. */
import { once } from 'node:events'
import type { ElectronApplication, Page } from '@playwright/test'
import type { RunView } from '../../shared/run/view.ts'
import { expect, isWindowVisible, type Started, test } from './fixtures.ts'

const QUICK = `export const meta = { name: 'quick' }
phase('Collect')
return await parallel([1, 2, 3].map((n) => () => agent('item ' + n)))
`
/** Two results, then a call that never ends. */
const ENDLESS = `export const meta = { name: 'endless' }
phase('Review')
await agent('first')
await agent('second')
return await agent('wait [[hang]]')
`

/** Opens the project and starts a run in it; its id. */
async function launch(page: Page, project: string, name: string): Promise<string> {
  return page.evaluate(
    async ({ project, name }) => {
      const opened = await window.reprise.projects.open({ path: project })
      if (!opened.ok) throw new Error(opened.error.message)
      const requestId = crypto.randomUUID()
      const started = await window.reprise.runs.launch({ target: { name }, requestId, agent: 'simulated' })
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

/** Waits until the endless run has its two results and the third call runs. */
async function untilBusy(page: Page, runId: string): Promise<void> {
  await expect.poll(async () => (await show(page, runId)).calls.map(({ status }) => status)).toEqual(['ok', 'ok', 'running'])
}

/** Answers the next question of a dialog without a person; returns what was asked, in order. */
async function answerDialogs(app: ElectronApplication, button: number): Promise<() => Promise<string[]>> {
  await app.evaluate(({ dialog }, button) => {
    const asked: string[] = []
    Object.assign(globalThis, { askedByTest: asked })
    dialog.showMessageBox = ((_window: unknown, { message }: { message: string }) => {
      asked.push(message)
      return Promise.resolve({ response: button, checkboxChecked: false })
    }) as typeof dialog.showMessageBox
  }, button)
  return () => app.evaluate(() => (globalThis as unknown as { askedByTest: string[] }).askedByTest)
}

const hide = (app: ElectronApplication) => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide())
const closeWindow = (app: ElectronApplication) => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())

/** `app.quit()` from inside, without waiting for what comes of it. */
const quit = ({ app }: Started) => app.evaluate(({ app }) => void setImmediate(() => app.quit()))

test('a run started in the app is followed to its end, with every event in order', async ({ start, workflow, folders }) => {
  workflow('quick.ts', QUICK)
  const { page } = await start()
  const seen = await page.evaluate(async (project) => {
    const opened = await window.reprise.projects.open({ path: project })
    if (!opened.ok) throw new Error(opened.error.message)
    const started = await window.reprise.runs.launch({ target: { name: 'quick' }, requestId: crypto.randomUUID(), agent: 'simulated' })
    if (!started.ok) throw new Error(started.error.message)
    const { runId } = started.value
    const seqs: number[] = []
    await new Promise<void>((resolve) => {
      window.reprise.runs.onChange(runId, async ({ events }) => {
        seqs.push(...events.map(({ seq }) => seq))
        if (events.some(({ type }) => type === 'run.ended')) resolve()
      })
      // It may have ended before the subscription: then its view says so.
      void window.reprise.runs.show({ runId }).then((shown) => {
        if (shown.ok && shown.value.endedAt !== null) resolve()
      })
    })
    const listed = await window.reprise.runs.list({ limit: 10 })
    const value = await window.reprise.runs.value({ runId })
    return { seqs, listed: listed.ok && listed.value.runs.map(({ title, status }) => ({ title, status })), value }
  }, folders.project)
  expect(seen.seqs).toEqual([...seen.seqs].sort((a, b) => a - b))
  expect(new Set(seen.seqs).size).toBe(seen.seqs.length)
  expect(seen.listed).toEqual([{ title: 'quick', status: 'completed' }])
  expect(seen.value).toMatchObject({ ok: true, value: { value: [expect.any(String), expect.any(String), expect.any(String)] } })
})

test('a run that ends while the window is hidden is told exactly once, and a click opens it', async ({
  desktop,
  start,
  workflow,
  folders,
}) => {
  workflow('quick.ts', QUICK)
  const { app, page } = await start()
  await hide(app)
  const opened = page.evaluate(() => new Promise((resolve) => void window.reprise.app.onOpen(resolve)))
  const runId = await launch(page, folders.project, 'quick')
  const told = await desktop.next('notification')
  expect(told).toMatchObject({ app: 'Reprise', summary: 'quick #1', body: 'Completed · 0 replayed, 3 live' })
  desktop.send({ do: 'click', id: told.id })
  expect(await opened).toEqual({ kind: 'run', runId, attempt: null, call: null })
  await expect.poll(() => isWindowVisible(app)).toBe(true)

  // A second run ends and is told: had the first been told twice, it would stand before it.
  await hide(app)
  await launch(page, folders.project, 'quick')
  expect(await desktop.next('notification', 1)).toMatchObject({ summary: 'quick #2' })
})

test('nothing is told of the person’s own stop, nor of history at the next start', async ({ desktop, start, workflow, folders }) => {
  workflow('endless.ts', ENDLESS)
  workflow('quick.ts', QUICK)
  const first = await start()
  await hide(first.app)
  const runId = await launch(first.page, folders.project, 'endless')
  await untilBusy(first.page, runId)
  await first.page.evaluate((runId) => window.reprise.runs.stop({ runId: runId, how: 'keep' }), runId)
  await expect.poll(async () => (await show(first.page, runId)).status).toBe('killed')
  await first.app.close()

  const second = await start()
  await hide(second.app)
  await launch(second.page, folders.project, 'quick')
  expect(await desktop.next('notification')).toMatchObject({ summary: 'quick #2' })
})

test('with a live run a close hides the window; the tray names the run and brings it back', async ({
  desktop,
  start,
  workflow,
  folders,
}) => {
  workflow('endless.ts', ENDLESS)
  const { app, page } = await start()
  const { item } = await desktop.next('tray')
  const runId = await launch(page, folders.project, 'endless')
  await untilBusy(page, runId)
  await closeWindow(app)
  await expect.poll(() => isWindowVisible(app)).toBe(false)
  expect((await show(page, runId)).status).toBe('running')

  let reads = 0
  await expect
    .poll(async () => {
      desktop.send({ do: 'read-menu', item })
      return (await desktop.next('menu', reads++)).labels[0]
    })
    .toBe('endless #1 · Review · 2 of 3 calls')
  const opened = page.evaluate(() => new Promise((resolve) => void window.reprise.app.onOpen(resolve)))
  desktop.send({ do: 'choose', item, label: 'endless #1 · Review · 2 of 3 calls' })
  expect(await opened).toMatchObject({ kind: 'run', runId })
  await expect.poll(() => isWindowVisible(app)).toBe(true)
  await page.evaluate((runId) => window.reprise.runs.stop({ runId, how: 'now' }), runId)
  await expect.poll(async () => (await show(page, runId)).status).toBe('killed')
})

test('quitting with a live run asks once: Stay changes nothing, Quit keeps the results', async ({ start, workflow, folders }) => {
  workflow('endless.ts', ENDLESS)
  const first = await start()
  const runId = await launch(first.page, folders.project, 'endless')
  await untilBusy(first.page, runId)
  const asked = await answerDialogs(first.app, 1)
  await quit(first)
  await expect.poll(asked).toEqual(['endless #1 is running. Quit and keep its 2 results?'])
  expect((await show(first.page, runId)).status).toBe('running')

  await answerDialogs(first.app, 0)
  const ended = once(first.process, 'exit')
  await quit(first)
  expect(await ended).toEqual([0, null])

  const second = await start()
  expect(await show(second.page, runId)).toMatchObject({ status: 'killed', allowedActions: expect.arrayContaining(['resume']) })
  const plan = await second.page.evaluate((runId) => window.reprise.runs.plan({ runId }), runId)
  expect(plan).toMatchObject({ ok: true, value: { replayed: [{}, {}], certainLive: [{}] } })
})

test('a shutdown does not ask: the run is stopped in order and can be resumed', async ({ start, workflow, folders }) => {
  workflow('endless.ts', ENDLESS)
  const first = await start()
  const runId = await launch(first.page, folders.project, 'endless')
  await untilBusy(first.page, runId)
  const asked = await answerDialogs(first.app, 1)
  expect(await asked()).toEqual([])
  const ended = once(first.process, 'exit')
  first.process.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  const second = await start()
  expect((await show(second.page, runId)).status).toBe('killed')
})

test('after a kill of the app the run is interrupted, and a resume starts only what has no result', async ({
  start,
  workflow,
  folders,
}) => {
  const script = 'endless.ts'
  workflow(script, ENDLESS)
  const first = await start()
  const runId = await launch(first.page, folders.project, 'endless')
  await untilBusy(first.page, runId)
  const ended = once(first.process, 'exit')
  first.process.kill('SIGKILL')
  await ended

  const second = await start()
  await expect.poll(async () => (await show(second.page, runId)).status).toBe('interrupted')
  const resumed = await second.page.evaluate(
    (runId) => window.reprise.runs.resume({ runId, agent: 'simulated', inFlight: 'repeat' }),
    runId,
  )
  expect(resumed).toMatchObject({ ok: true, value: { existed: false } })
  await expect
    .poll(async () => (await show(second.page, runId)).calls.map(({ source, status }) => `${source} ${status}`))
    .toEqual(['replayed ok', 'replayed ok', 'live running'])
  await second.page.evaluate((runId) => window.reprise.runs.stop({ runId, how: 'now' }), runId)
  await expect.poll(async () => (await show(second.page, runId)).status).toBe('killed')
})

test('a run that the command line works on shows in the list and can be stopped from the app', async ({
  start,
  workflow,
  folders,
  command,
}) => {
  workflow('endless.ts', ENDLESS)
  const { page } = await start(folders.project)
  const running = command('run', 'endless', '--agent', 'simulated')
  await expect
    .poll(async () => {
      const listed = await page.evaluate(() => window.reprise.runs.list({ limit: 1 }))
      return listed.ok ? listed.value.runs[0]?.status : listed.error.message
    })
    .toBe('running')
  const stopped = await page.evaluate(async () => {
    const listed = await window.reprise.runs.list({ limit: 1 })
    const runId = listed.ok ? listed.value.runs[0]?.runId : undefined
    return window.reprise.runs.stop({ runId: runId ?? '', how: 'keep' })
  })
  expect(stopped).toEqual({ ok: true, value: 'accepted' })
  expect(await running).toBe(130)
})
