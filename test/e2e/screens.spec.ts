/** The screens as a person meets them: the list, gates, attempts, settings and scripts, by mouse and by keyboard alone. */
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const QUICK = `export const meta = { name: 'quick', phases: ['Collect'] }
phase('Collect')
return await agent('one', { label: 'first' })
`
const GATE = `export const meta = { name: 'asks', phases: ['Plan', 'Build'] }
phase('Plan')
const plan = await agent('plan', { label: 'planner' })
const said = await gate('Approve the plan?', { options: ['Approve', 'Ask for changes'], show: SHOW })
phase('Build')
log(said.choice + ' / ' + (said.note ?? 'no note'))
return said.choice
`
const ENDLESS = `export const meta = { name: 'endless', phases: ['Review'] }
phase('Review')
await agent('first', { label: 'first' })
return await agent('wait [[hang]]', { label: 'second' })
`

/** Starts a workflow of the project with the simulated agent and opens its page. */
async function launch(page: Page, name: string): Promise<string> {
  const runId = await page.evaluate(async (name) => {
    const started = await window.reprise.runs.launch({ target: { name }, requestId: crypto.randomUUID(), agent: 'simulated' })
    if (!started.ok) throw new Error(started.error.message)
    return started.value.runId
  }, name)
  return runId
}

/** Opens a run from the list by keyboard: the list has one tab stop, which is a row. */
async function openNewest(page: Page): Promise<void> {
  await focusList(page)
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('treegrid')).toBeVisible()
}

async function focusList(page: Page): Promise<void> {
  await expect(page.getByRole('grid', { name: 'Runs' }).getByRole('row').nth(2)).toBeVisible()
  await page.keyboard.press('Alt+3')
  await expect(page.locator('[data-run]:focus')).toBeVisible()
}

test('the list alone by keyboard: peek, copy a link, and a delete that asks by name', async ({ start, workflow, command, folders }) => {
  workflow('quick.ts', QUICK)
  await command('run', 'quick', '--agent', 'simulated')
  await command('run', 'quick', '--agent', 'simulated')
  const { page } = await start(folders.project)
  await focusList(page)
  await page.keyboard.press('Home')
  await page.keyboard.press('Space')
  const peek = page.getByRole('complementary', { name: 'Peek: quick 2' })
  await expect(peek).toContainText('Completed')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('complementary', { name: 'Peek: quick 1' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('complementary')).toHaveCount(0)
  await page.keyboard.press('c')
  await expect(page.getByRole('region', { name: 'Message' })).toContainText('Link to quick #1 copied.')
  await page.keyboard.press('Backspace')
  const question = page.getByRole('dialog', { name: 'Delete quick #1?' })
  await expect(question).toContainText("Its 1 result can't be replayed again.")
  await expect(question.getByRole('button', { name: 'Keep' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.locator('[data-run]')).toHaveCount(2)
})

test('a gate is decided by keyboard alone, with a note, and the run goes on with it', async ({ start, workflow, folders }) => {
  workflow('asks.ts', GATE.replace('SHOW', "'1. Bump the version'"))
  const { page } = await start(folders.project)
  await launch(page, 'asks')
  await page.getByRole('region', { name: 'Needs you' }).getByRole('button', { name: 'Open' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row', { name: /Approve the plan\?.*Waiting/ })).toBeVisible()
  await page.keyboard.press('Alt+3')
  await page.keyboard.press('Shift+G')
  const sheet = page.getByRole('dialog', { name: /asks #1 asks: Approve the plan\?/ })
  await expect(sheet).toContainText('1. Bump the version')
  await expect(sheet.getByRole('heading').first()).toBeFocused()
  await sheet.getByRole('textbox', { name: /^Note/ }).focus()
  await page.keyboard.type('looks fine')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('region', { name: 'Message' })).toContainText('Approve.')
  await expect(page.getByRole('banner')).toContainText('Completed')
  await page.getByRole('button', { name: 'Log', exact: true }).click()
  await expect(page.getByRole('main', { name: 'Log' })).toContainText('Approve / looks fine')
})

test('a choice counts only for the text that was read: a changed file is shown anew first', async ({ start, workflow, folders }) => {
  const plan = join(folders.project, 'plan.md')
  writeFileSync(plan, 'first plan')
  workflow('asks.ts', GATE.replace('SHOW', "{ path: 'plan.md' }"))
  const { page } = await start(folders.project)
  await launch(page, 'asks')
  await page.getByRole('region', { name: 'Needs you' }).getByRole('button', { name: 'Open' }).click()
  await page.getByRole('button', { name: /Look and decide/ }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet).toContainText('first plan')
  writeFileSync(plan, 'second plan')
  await sheet.getByRole('button', { name: 'Ask for changes' }).click()
  await expect(sheet).toContainText('plan.md changed after you opened it. Your choice was not applied.')
  await expect(sheet).toContainText('second plan')
  await sheet.getByRole('button', { name: 'Ask for changes' }).click()
  await expect(page.getByRole('banner')).toContainText('Completed')
})

test('earlier attempts can be looked at by key and by link, and say that they are read-only', async ({
  start,
  startAgain,
  workflow,
  folders,
}) => {
  workflow('endless.ts', ENDLESS)
  const first = await start(folders.project)
  const runId = await launch(first.page, 'endless')
  await openNewest(first.page)
  await expect(first.page.getByRole('row', { name: /^second, .*Running/ })).toBeVisible()
  const ended = once(first.process, 'exit')
  first.process.kill('SIGKILL')
  await ended

  const { page } = await start(folders.project)
  await page
    .getByRole('region', { name: 'Needs you' })
    .getByRole('button', { name: /^Resume/ })
    .click()
  await expect(page.getByRole('dialog')).toContainText('1 result will be replayed')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('row', { name: /^first, .*Replayed/ })).toBeVisible()
  await page.keyboard.press('Alt+3')
  await page.keyboard.press('[')
  const note = page.getByRole('region', { name: 'Earlier attempt' })
  await expect(note).toContainText('Attempt 1 of 2, as it ended. Read-only.')
  await expect(page.getByRole('row', { name: /^first, .*Done/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /^second, .*Cut off/ })).toBeVisible()
  await page.keyboard.press(']')
  await expect(note).toHaveCount(0)
  await startAgain(`reprise://run/${runId}/1/2`)
  await expect(note).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Inspector' }).getByRole('heading', { name: 'second' })).toBeVisible()
  await page.getByRole('button', { name: /Show attempt 2/ }).click()
  await page.getByRole('button', { name: /^Stop/ }).first().click()
  await expect(page.getByRole('banner')).toContainText('Stopped')
})

test('settings by keyboard: a key bound to another, the zoom, and a journal check', async ({ start, workflow, command, folders }) => {
  workflow('quick.ts', QUICK)
  await command('run', 'quick', '--agent', 'simulated')
  const { page } = await start(folders.project)
  await focusList(page)
  await page.keyboard.press('Control+,')
  await expect(page.getByRole('main', { name: 'Settings' })).toBeVisible()
  await page.getByRole('button', { name: 'Check now' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('group', { name: 'Journal check' })).toContainText('Nothing is damaged.')
  await page.getByRole('button', { name: /Search and rebind/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Change the key of Peek at the run without leaving the list' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('n')
  await expect(page.getByText('N is “Start a new run” already')).toBeVisible()
  await page.keyboard.press('v')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('main', { name: 'Runs' })).toBeVisible()
  await focusList(page)
  await page.keyboard.press('v')
  await expect(page.getByRole('complementary', { name: /^Peek/ })).toBeVisible()
  await page.evaluate(() => window.reprise.settings.set({ zoom: 125 }))
  await expect.poll(() => page.evaluate(() => devicePixelRatio)).toBe(1.25)
})

test('a script is read-only until asked, findings stand at their lines, and saving writes that file alone', async ({
  start,
  workflow,
  folders,
}) => {
  const path = workflow('quick.ts', QUICK)
  const { page } = await start(folders.project)
  await page.getByRole('button', { name: 'New run', exact: false }).first().click()
  await page.getByRole('button', { name: 'Open script' }).click()
  const text = page.getByRole('textbox', { name: 'Text of quick.ts' })
  await text.click()
  await page.keyboard.type('x')
  await expect(text).not.toContainText('xexport')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await text.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('const late = (\n')
  await expect(page.getByRole('complementary', { name: 'Findings' })).toContainText('Error')
  expect(readFileSync(path, 'utf8')).toBe(QUICK)
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(`${QUICK}// kept\n`)
  await expect(page.getByRole('complementary', { name: 'Findings' })).toHaveCount(0)
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('region', { name: 'Message' })).toContainText('Saved quick.ts')
  expect(readFileSync(path, 'utf8')).toBe(`${QUICK}// kept\n`)
})
