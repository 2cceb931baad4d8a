/** What the window promises before any run: it is closed to the outside, there is one of it, and what is handed to it arrives. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AppOpen } from '../../shared/contract/events.ts'
import { expect, isWindowVisible, type Started, test, webPreferences } from './fixtures.ts'

const SCRIPT = "export const meta = { name: 'hello' }\nreturn 1\n"

/** What arrived at the page from outside, collected by a second subscription beside the app's own. */
async function collectOpened({ page }: Started): Promise<() => Promise<AppOpen[]>> {
  await page.evaluate(() => {
    const seen: AppOpen[] = []
    Object.assign(window, { seenByTest: seen })
    window.reprise.app.onOpen((open) => seen.push(open))
  })
  return () => page.evaluate(() => (window as unknown as { seenByTest: AppOpen[] }).seenByTest)
}

test('the page has no Node, no Electron and only the bridge', async ({ start }) => {
  const { page } = await start()
  expect(page.url()).toBe('app://reprise/index.html')
  const reach = await page.evaluate(() => ({
    globals: ['require', 'process', 'module', 'Buffer', 'electron', 'ipcRenderer'].filter((name) => name in globalThis),
    bridge: Object.keys(window.reprise).sort(),
  }))
  expect(reach).toEqual({ globals: [], bridge: ['agents', 'app', 'dialogs', 'history', 'projects', 'runs', 'settings', 'workflows'] })
})

test('the window is isolated, sandboxed and keeps the web rules', async ({ start }) => {
  const { app, page } = await start()
  expect(await webPreferences(app)).toMatchObject({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
  })
  expect(await page.evaluate(() => Object.isFrozen(window.reprise))).toBe(true)
})

test('inline scripts, eval and foreign addresses are stopped by the content policy', async ({ start }) => {
  const { page, errors } = await start()
  const result = await page.evaluate(async () => {
    const script = document.createElement('script')
    script.textContent = 'window.ranInline = true'
    document.body.append(script)
    const fetched = await fetch('https://example.invalid/').then(
      () => 'fetched',
      () => 'refused',
    )
    return { ranInline: 'ranInline' in window, fetched }
  })
  expect(result).toEqual({ ranInline: false, fetched: 'refused' })
  const policy = await page.evaluate(async () => (await fetch('/index.html')).headers.get('content-security-policy'))
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self';")
  const refusals = errors.splice(0)
  expect(refusals.filter((text) => text.includes('Content Security Policy')).length).toBeGreaterThanOrEqual(2)
})

test('the page cannot leave: no navigation, no second window, no frame', async ({ start }) => {
  const { app, page, errors } = await start()
  const opened = await page.evaluate(() => {
    const link = document.createElement('a')
    link.href = 'https://example.invalid/'
    document.body.append(link)
    link.click()
    return window.open('https://example.invalid/') === null
  })
  expect(opened).toBe(true)
  expect(page.url()).toBe('app://reprise/index.html')
  expect(app.windows()).toHaveLength(1)
  errors.length = 0
})

test('files beside the page are out of its reach', async ({ start }) => {
  const { page, errors } = await start()
  const answers = await page.evaluate(async () => {
    const paths = ['/../main/main.js', '/..%2fmain%2fmain.js', '/%2e%2e/main/main.js', '/../../package.json', '/assets', '/']
    return Promise.all(paths.map(async (path) => (await fetch(path)).status))
  })
  expect(answers).toEqual([404, 404, 404, 404, 404, 200])
  errors.length = 0
})

test('permissions are denied without a question', async ({ start }) => {
  const { page, errors } = await start()
  const states = await page.evaluate(async () => {
    const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read'] as PermissionName[]
    return Promise.all(names.map(async (name) => (await navigator.permissions.query({ name })).state))
  })
  expect(states).toEqual(['denied', 'denied', 'denied', 'denied', 'denied'])
  errors.length = 0
})

test('another page in the same process is not answered', async ({ start }) => {
  const { app } = await start()
  const answer = await app.evaluate(async ({ app, BrowserWindow }) => {
    const preload = `${app.getAppPath()}/out/preload/preload.cjs`
    const foreign = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } })
    await foreign.loadURL('data:text/html,<title>foreign</title>')
    const said = await foreign.webContents.executeJavaScript('window.reprise.projects.recent()')
    foreign.destroy()
    return said
  })
  expect(answer).toMatchObject({ ok: false, error: { code: 'internal' } })
  expect(answer.error.message).toContain("not the app's page")
})

test('a malformed question is answered with an error and changes nothing', async ({ start }) => {
  const { page } = await start()
  const before = await page.evaluate(() => window.reprise.settings.get())
  const answer = await page.evaluate(() => window.reprise.settings.set({ theme: 'purple' } as never))
  expect(answer).toMatchObject({ ok: false, error: { code: 'internal' } })
  expect(await page.evaluate(() => window.reprise.settings.get())).toEqual(before)
})

test('settings outlive a restart', async ({ start }) => {
  const first = await start()
  await first.page.evaluate(() => window.reprise.settings.set({ theme: 'dark', concurrency: 4 }))
  await first.app.close()
  const second = await start()
  expect(await second.page.evaluate(() => window.reprise.settings.get())).toMatchObject({
    ok: true,
    value: { theme: 'dark', concurrency: 4 },
  })
  expect(await second.page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true)
})

test('a script named at the start is opened, in the project it belongs to', async ({ start, workflow, folders }) => {
  const script = workflow('hello.ts', SCRIPT)
  const started = await start(script)
  const { page } = started
  const current = await page.evaluate(() => window.reprise.projects.current())
  expect(current).toMatchObject({ ok: true, value: { path: folders.project, exists: true } })
})

test('a second start hands its script over to the first and ends', async ({ start, startAgain, workflow, folders }) => {
  const script = workflow('with space #1 %.ts', SCRIPT)
  const started = await start()
  const opened = await collectOpened(started)
  expect(await startAgain('.claude/workflows/with space #1 %.ts')).toBe(0)
  await expect.poll(opened).toContainEqual({ kind: 'script', path: script })
  expect(started.app.windows()).toHaveLength(1)

  const notes = join(folders.project, 'notes.pdf')
  writeFileSync(notes, 'x')
  expect(await startAgain(notes)).toBe(0)
  await expect.poll(opened).toContainEqual(expect.objectContaining({ kind: 'refused', message: expect.stringContaining('notes.pdf') }))

  expect(await startAgain('reprise://run/01HX/2/3')).toBe(0)
  await expect.poll(opened).toContainEqual({ kind: 'run', runId: '01HX', attempt: 2, call: 3 })
})

test('a folder handed over becomes the open project', async ({ start, startAgain, folders }) => {
  const started = await start()
  const opened = await collectOpened(started)
  expect(await startAgain(folders.project)).toBe(0)
  await expect
    .poll(opened)
    .toContainEqual(expect.objectContaining({ kind: 'project', project: expect.objectContaining({ path: folders.project }) }))
})

test('the window comes back where it was', async ({ start }) => {
  const first = await start()
  await first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setBounds({ x: 120, y: 90, width: 900, height: 600 }))
  await first.app.close()
  const second = await start()
  const bounds = await second.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())
  expect(bounds).toMatchObject({ width: 900, height: 600 })
})

test('closing the window without live runs ends the app', async ({ start }) => {
  const { app, process } = await start()
  const ended = once(process, 'exit')
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
  expect(await ended).toEqual([0, null])
})

test('the menu opens everything that can be dropped', async ({ start }) => {
  const { app } = await start()
  const labels = await app.evaluate(({ Menu }) => {
    const file = Menu.getApplicationMenu()?.items.find((item) => item.label === 'File')
    return file?.submenu?.items.map((item) => item.label).filter((label) => label !== '')
  })
  expect(labels).toEqual(
    expect.arrayContaining(['New run…', 'Open project…', 'Open script…', 'Import run…', 'Recent projects', 'Settings…']),
  )
})

test('the tray shows the app, brings it back and quits it', async ({ desktop, start }) => {
  const { app, process } = await start()
  const { item, status } = await desktop.next('tray')
  expect(status).toBe('Active')
  desktop.send({ do: 'read-menu', item })
  expect((await desktop.next('menu')).labels).toEqual(['Show', 'New run', '', 'Quit'])

  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide())
  desktop.send({ do: 'choose', item, label: 'Show' })
  await expect.poll(() => isWindowVisible(app)).toBe(true)

  const ended = once(process, 'exit')
  desktop.send({ do: 'choose', item, label: 'Quit' })
  expect(await ended).toEqual([0, null])
  await desktop.next('tray-gone')
})
