/**
 * Pictures of the real app in each state, light and dark, at 100 % and 200 %, into `out/screenshots/`; one of them is the
 * README's. What they show was really run.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, type Folders, type Started, test } from '../fixtures.ts'

const OUT = resolve('out/screenshots')
const SHOWN_IN_README = 'run-running-light'
/** Those that the pages about the app show. */
const SHOWN_IN_DOCS = ['home-light', 'run-running-dark', 'gate-light', 'resume-light']

const script = (name: string, body: string): string => `export const meta = {
  name: '${name}',
  description: 'Reads each part, lets others check what was found',
  phases: [{ title: 'Collect' }, { title: 'Review' }, { title: 'Report' }],
}
const parts = ['refunds.ts', 'post.ts', 'money.ts', 'webhooks.ts', 'schema.sql', 'openapi.yaml']
const wait = (n) => ' [[delay:' + n * 60 + ']] [[tokens:' + (n * 97 % 900 + 120) + ']]'
phase('Collect')
const found = await parallel(parts.map((part, i) => () =>
  agent('Collect what changed in ' + part + wait(3 + i * 4 % 7) + ' [[text:' + (i % 3) + ' findings]]', { label: part })))
phase('Review')
${body}
phase('Report')
log('writing it up')
return await agent('Write the report' + wait(9) + ' [[text:All findings are confirmed]]', { label: 'report' })
`
const review = (last: string): string => `const checked = await parallel(parts.map((part, i) => () =>
  agent('Try to disprove the findings in ' + part + ' after ' + found.length + wait(4 + i * 5 % 8) + (i === 4 ? '${last}' : ''), { label: 'check ' + part })))`

const SCRIPTS = {
  'review-changes': script('review-changes', review('')),
  'audit-deps': script('audit-deps', review(' [[die:refused]]')),
  'fix-flaky': script(
    'fix-flaky',
    "await agent('Reproduce the failure' + wait(6), { label: 'reproduce' })\nthrow new Error('The failing test could not be reproduced')",
  ),
  'triage-issues': script('triage-issues', review(' [[die:quota]] [[reset:2027-01-01T14:00:00Z]]')),
  release: script('release', review(' [[delay:600000]]')),
  'ask-first': `export const meta = { name: 'ask-first', phases: [{ title: 'Plan' }, { title: 'Draft' }] }
phase('Plan')
await agent('Plan the release' + ' [[delay:300]] [[text:9 steps]]', { label: 'planner' })
await gate('Approve the plan?', { show: { path: 'plan.md' }, options: ['Approve', 'Ask for changes'] })
phase('Draft')
return await agent('Draft it', { label: 'draft' })
`,
}

const PLAN = `# Release 2.14.0

1. Raise the version in package.json and in the lock file.
2. Write the notes from the 23 pull requests since 2.13.2.
3. Run the whole suite on the three systems.
4. Tag it, and draft the release with the notes.

Nothing is published before somebody has read the draft.
`

/** What each of them comes to. */
const STATES = {
  'review-changes': 'completed',
  'audit-deps': 'completed-with-failures',
  'fix-flaky': 'failed',
  'triage-issues': 'paused',
  release: 'interrupted',
}

/** Runs a workflow from the command line. @param killAt results after which its process is killed; never when absent */
async function run({ project, data, home }: Folders, name: string, killAt = Number.POSITIVE_INFINITY): Promise<void> {
  const child = spawn(process.execPath, [resolve('out/cli/reprise.mjs'), 'run', name, '--agent', 'simulated', '--concurrency', '4'], {
    cwd: project,
    env: { ...process.env, REPRISE_HOME: data, HOME: home },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  const before = lastRun(project)
  if (Number.isFinite(killAt)) {
    await expect.poll(() => (lastRun(project) === before ? 0 : results(project)), { timeout: 30_000 }).toBeGreaterThanOrEqual(killAt)
    child.kill('SIGKILL')
  }
  await ended
}

function lastRun(project: string): string | undefined {
  const runs = join(project, '.claude', 'workflow-runs')
  return existsSync(runs)
    ? readdirSync(runs)
        .filter((entry) => /^[0-9A-Z]{26}$/.test(entry))
        .sort()
        .at(-1)
    : undefined
}

/** In the journal of the newest run. */
function results(project: string): number {
  const journal = join(project, '.claude', 'workflow-runs', lastRun(project) ?? '', 'journal.jsonl')
  return existsSync(journal) ? readFileSync(journal, 'utf8').split('"t":"result"').length - 1 : 0
}

/** What the window shows; the test driver's own picture would cut a zoomed page. */
async function save(app: Started['app'], path: string): Promise<void> {
  const png = await app.evaluate(async ({ BrowserWindow }) => {
    const image = await BrowserWindow.getAllWindows()[0]?.webContents.capturePage()
    return image?.toPNG().toString('base64') ?? ''
  })
  writeFileSync(path, Buffer.from(png, 'base64'))
}

async function picture({ app, page }: Started, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await app.evaluate(({ nativeTheme }, source) => {
      nativeTheme.themeSource = source
    }, theme)
    for (const zoom of [1, 2]) {
      await app.evaluate(({ BrowserWindow }, factor) => BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(factor), zoom)
      await expect
        .poll(() => page.evaluate(() => [devicePixelRatio, matchMedia('(prefers-color-scheme: dark)').matches]))
        .toEqual([zoom, theme === 'dark'])
      await page.evaluate(async () => {
        await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)))
        for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame)
      })
      await save(app, join(OUT, `${name}-${theme}${zoom === 2 ? '-200' : ''}.png`))
    }
  }
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(1))
}

/** From the list, or from the block of what needs the person. */
async function openRun(page: Page, name: string): Promise<void> {
  const needsYou = page.getByRole('region', { name: 'Needs you' }).getByRole('button', { name, exact: true })
  const row = page.getByRole('row', { name: new RegExp(name) }).first()
  await expect(needsYou.or(row)).toBeVisible()
  if (await needsYou.isVisible()) await needsYou.click()
  else await row.dblclick()
  await expect(page.getByRole('heading', { name: new RegExp(name), level: 1 })).toBeVisible()
}

async function back(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Back to runs' }).click()
  await expect(page.getByRole('main', { name: 'Runs' })).toBeVisible()
}

test('pictures of every screen', async ({ start, folders, workflow }) => {
  mkdirSync(OUT, { recursive: true })
  const size = async ({ app }: Started): Promise<void> =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1280, 800))

  const empty = await start('--new-window')
  await size(empty)
  await picture(empty, 'first-run')
  await empty.app.close()

  writeFileSync(join(folders.project, 'plan.md'), PLAN)
  for (const [name, text] of Object.entries(SCRIPTS)) workflow(`${name}.js`, text)
  for (const name of ['review-changes', 'audit-deps', 'fix-flaky', 'triage-issues']) await run(folders, name)
  await run(folders, 'release', 8)

  const started = await start(folders.project)
  const { page } = started
  await size(started)
  await expect(page.getByRole('main', { name: 'Runs' })).toBeVisible()
  await picture(started, 'home')
  for (const [name, state] of Object.entries(STATES)) {
    await openRun(page, name)
    await picture(started, `run-${state}`)
    await back(page)
  }
  await page
    .getByRole('button', { name: /^New run/ })
    .first()
    .click()
  await expect(page.getByRole('dialog', { name: 'New run' })).toBeVisible()
  await picture(started, 'new-run')
  await page.keyboard.press('Escape')

  const cdp = await page.context().newCDPSession(page)
  const over = {
    x: 640,
    y: 400,
    data: { items: [], files: [join(folders.project, '.claude', 'workflows', 'release.js')], dragOperationsMask: 1 },
  }
  for (const type of ['dragEnter', 'dragOver'] as const) await cdp.send('Input.dispatchDragEvent', { type, ...over })
  await picture(started, 'drag-over')
  await cdp.send('Input.dispatchDragEvent', { type: 'dragCancel', ...over })
  await page.mouse.move(10, 10)
  await expect(page.getByRole('heading', { name: 'Drop to open in Reprise' })).toHaveCount(0)

  await openRun(page, 'release')
  await page
    .getByRole('button', { name: /^Resume/ })
    .first()
    .click()
  await expect(page.getByRole('dialog')).toContainText('will be replayed')
  await picture(started, 'resume')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('row', { name: /^check schema.sql, .*Running/ })).toBeVisible()
  await page.getByRole('row', { name: /^check schema.sql, / }).click()
  await expect(page.getByRole('complementary', { name: 'Inspector' })).toContainText(/Running for [2-9]s/)
  await picture(started, 'run-running')
  await page.getByRole('button', { name: /^Stop/ }).first().click()
  await expect(page.getByRole('banner')).toContainText('Stopped')
  await picture(started, 'run-stopped')
  await back(page)
  await page
    .getByRole('navigation', { name: 'Workflows' })
    .getByRole('button', { name: /^ask-first/ })
    .click()
  await page
    .getByRole('button', { name: /^New run/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Start run' }).click()
  await page
    .getByRole('button', { name: /^Look and decide/ })
    .first()
    .click()
  await expect(page.getByRole('dialog')).toContainText('Raise the version')
  await picture(started, 'gate')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Approve/ })
    .click()
  await expect(page.getByRole('banner')).toContainText('Completed')
  await back(page)
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(page.getByRole('group', { name: 'simulated' })).toBeVisible()
  await picture(started, 'settings')
  await started.app.close()
})

test.afterAll(() => {
  const shown = join(OUT, `${SHOWN_IN_README}.png`)
  if (existsSync(shown)) copyFileSync(shown, resolve('docs/screenshot.png'))
  mkdirSync(resolve('docs/screenshots'), { recursive: true })
  for (const name of SHOWN_IN_DOCS) {
    const picture = join(OUT, `${name}.png`)
    if (existsSync(picture)) copyFileSync(picture, resolve(`docs/screenshots/${name}.png`))
  }
})
