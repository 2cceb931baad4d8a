/** What a person does by mouse beside starting a run: permissions, calls, worktrees, agents, files of runs, settings. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { dropFiles, expect, test } from './fixtures.ts'

const ASKS = `export const meta = { name: 'asks', phases: ['Work'] }
phase('Work')
const slow = agent('slow [[hang]]', { label: 'slow' })
const edit = await agent('edit [[ask:Write]] [[ask:Write]]', { label: 'edit' })
await slow
return edit
`
const QUICK = `export const meta = { name: 'quick', phases: ['Collect'] }
phase('Collect')
return await agent('one', { label: 'first' })
`
const WORKTREES = `export const meta = { name: 'trees' }
const one = agent('echo kept > kept.txt', { label: 'keep', agentType: 'shell', isolation: 'worktree' })
const two = agent('echo lost > lost.txt', { label: 'lose', agentType: 'shell', isolation: 'worktree' })
return [await one, await two]
`

/** From the list: the sheet of that workflow, and what is chosen there. */
async function startBySheet(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Workflows' }).getByRole('button', { name, exact: false }).click()
  await page
    .getByRole('button', { name: /^New run/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Agent: As the script says' }).click()
  await page.getByRole('menuitemradio', { name: /^Simulated/ }).click()
  await page.getByRole('button', { name: 'Start run' }).click()
}

const message = (page: Page): Locator => page.getByRole('region', { name: 'Message' })
const inspector = (page: Page): Locator => page.getByRole('complementary', { name: 'Inspector' })

test('a tool is allowed for good, and a call that hangs is started again and then skipped', async ({ start, workflow, folders }) => {
  workflow('asks.js', ASKS)
  const { page } = await start(folders.project)
  await startBySheet(page, 'asks')
  const asked = page.getByRole('region', { name: 'edit asks to use Write' })
  await asked.getByRole('button', { name: /^Allow always/ }).click()
  await expect(page.getByRole('row', { name: /^edit, .*Done/ })).toBeVisible()
  await expect(asked).toHaveCount(0)
  await page.getByRole('row', { name: /^slow, / }).click()
  await inspector(page).getByRole('button', { name: 'Retry' }).click()
  await expect(message(page)).toContainText('Started “slow” again.')
  await inspector(page).getByRole('button', { name: 'Skip this call' }).click()
  await expect(page.getByRole('banner')).toContainText('Completed')
  await expect(page.getByRole('row', { name: /^slow, .*Skipped/ })).toBeVisible()
})

test('the sample’s gate is tried without starting it, then decided in three steps', async ({ start }) => {
  const { app, page } = await start('--fresh')
  // What the icon would show, as no desktop of a test shows icons.
  await app.evaluate(({ app, BrowserWindow }) => {
    const icon: { badges: number[]; shares: number[] } = { badges: [], shares: [] }
    Object.assign(globalThis, { iconOfTest: icon })
    app.setBadgeCount = (count = 0) => icon.badges.push(count) > 0
    const [window] = BrowserWindow.getAllWindows()
    if (window !== undefined) window.setProgressBar = (share) => void icon.shares.push(share)
  })
  await page.getByRole('button', { name: /^Try the sample/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Workflow/ })
    .click()
  await page.getByRole('option', { name: /^ask-first/ }).click()
  const dryRun = page.getByRole('region', { name: 'Dry run' })
  await dryRun.getByRole('button', { name: 'Try it' }).click()
  await expect(dryRun).toContainText('5 calls, to the end')
  await page.getByRole('button', { name: 'Start run' }).click()
  await expect(page.getByRole('heading', { name: 'ask-first #1', level: 1 })).toBeVisible()
  await page
    .getByRole('button', { name: /^Look and decide/ })
    .first()
    .click()
  await expect(page.getByRole('dialog')).toContainText('1. Raise the version')
  await page.getByRole('dialog').getByRole('button', { name: 'Only the notes' }).click()
  await expect(page.getByRole('banner')).toContainText('Completed')
  await expect(page.getByRole('row', { name: /^notes, .*Done/ })).toBeVisible()
  const icon = await app.evaluate(() => (globalThis as unknown as { iconOfTest: { badges: number[]; shares: number[] } }).iconOfTest)
  expect([Math.max(...icon.badges), icon.badges.at(-1)]).toEqual([1, 0])
  expect(icon.shares.map((share) => Math.round(share * 100))).toEqual([0, 33, 67, 100, -100])
})

test('a worktree’s changes are looked at, applied or thrown away, after the script was trusted', async ({ start, workflow, folders }) => {
  const git = (...words: string[]) => execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...words], { cwd: folders.project })
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', 'begin')
  workflow('trees.js', WORKTREES)
  const { page } = await start(folders.project)
  await page
    .getByRole('button', { name: /^New run/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Start run' }).click()
  await page.getByRole('button', { name: /^Trust and run/ }).click()
  await expect(page.getByRole('banner')).toContainText('Completed')
  await page.getByRole('button', { name: '2 worktrees with changes are left' }).click()
  await expect(inspector(page)).toContainText('kept.txt +1')
  await page.getByRole('row', { name: /^keep, / }).click()
  await inspector(page).getByRole('button', { name: 'View changes' }).click()
  await expect(inspector(page).getByRole('region', { name: 'Changes of keep' })).toContainText('+kept')
  await inspector(page).getByRole('button', { name: 'Apply' }).click()
  await expect(message(page)).toContainText('Applied the changes of keep: 1 file.')
  expect(readFileSync(join(folders.project, 'kept.txt'), 'utf8')).toBe('kept\n')
  await page.getByRole('row', { name: /^lose, / }).click()
  await inspector(page).getByRole('button', { name: 'Discard…' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Discard/ })
    .click()
  await expect(message(page)).toContainText('Discarded the worktree of lose.')
  expect(existsSync(join(folders.project, 'lost.txt'))).toBe(false)
})

test('a run is kept, let go, exported, deleted and taken in again', async ({ start, workflow, command, folders }) => {
  workflow('quick.js', QUICK)
  await command('run', 'quick', '--agent', 'simulated')
  const { app, page } = await start(folders.project)
  await page.locator('[data-run]').first().dblclick()
  const more = async (label: string) => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: label }).click()
  }
  await more('Keep whatever its age')
  await expect(message(page)).toContainText('quick #1 is kept')
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menuitem', { name: /^Delete run/ })).toContainText('It is kept')
  await page.keyboard.press('Escape')
  await more('Keep no longer')
  const saved = join(folders.home, 'a run #1 50% ü.reprise')
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath })
  }, saved)
  await more('Export…')
  await expect(message(page)).toContainText('Exported quick #1.')
  await more('Delete run…')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Delete run/ })
    .click()
  await expect(page.getByRole('main', { name: 'Runs' })).toContainText('No runs yet.')
  await dropFiles(page, [saved])
  await expect(message(page)).toContainText('Imported quick')
  await expect(page.getByRole('row', { name: /^first, .*Done/ })).toBeVisible()
})

test('an agent is added with its prices, tested, changed and removed; a key is never written in plain text', async ({ start, folders }) => {
  const { page } = await start(folders.project)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Add…' }).click()
  const form = page.getByRole('form', { name: 'Another agent' })
  const choose = async (place: Locator, label: string, choice: RegExp) => {
    await place.getByRole('button', { name: new RegExp(`^${label}`) }).click()
    await page.getByRole('menuitemradio', { name: choice }).click()
  }
  await form.getByLabel('Name', { exact: true }).fill('echo')
  await form.getByLabel('Program', { exact: true }).fill('cat')
  await form.getByLabel('Price in').fill('1.50')
  await form.getByLabel('Price out').fill('6')
  await form.getByRole('button', { name: 'Save' }).click()
  const echo = page.getByRole('group', { name: 'echo' })
  await expect(echo).toContainText('prices known')
  await echo.getByRole('button', { name: 'Test echo' }).click()
  await expect(page.getByText(/Answered after/)).toBeVisible()
  await echo.getByRole('button', { name: 'Edit echo' }).click()
  const edit = page.getByRole('form', { name: 'Agent echo' })
  await expect(edit.getByLabel('Price out')).toHaveValue('6')
  await choose(edit, 'Permissions', /^Every tool/)
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(echo).toContainText('may use every tool')
  await echo.getByRole('button', { name: 'Remove echo' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Remove/ })
    .click()
  await expect(echo).toHaveCount(0)

  await page.getByRole('button', { name: 'Add…' }).click()
  await form.getByLabel('Name', { exact: true }).fill('hosted')
  await choose(form, 'Answered by', /^A model API/)
  await form.getByLabel('Model', { exact: true }).fill('small')
  await form.getByLabel('Key', { exact: true }).fill('sk-told-to-nobody')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('group', { name: 'hosted' })).toBeVisible()
  const known = await page.evaluate(() => window.reprise.agents.list())
  expect(known.ok && known.value.agents.find(({ name }) => name === 'hosted')?.secrets).toEqual(['API_KEY'])
  expect(readFileSync(join(folders.data, 'settings.json'), 'utf8')).not.toContain('sk-told-to-nobody')
})

test('rows of the settings changed by mouse are there after a restart', async ({ start, folders }) => {
  const first = await start(folders.project)
  await first.page.getByRole('button', { name: 'Settings' }).click()
  for (const [label, choice] of [
    ['Theme', 'Dark'],
    ['Density', 'Dense'],
    ['Zoom', '125 %'],
  ] as const) {
    await first.page.getByRole('button', { name: new RegExp(`^${label}:`) }).click()
    await first.page.getByRole('menuitemradio', { name: choice }).click()
  }
  await first.page.getByRole('textbox', { name: 'Day limit' }).fill('12.50')
  await first.page.getByLabel('Keep the computer awake').uncheck()
  await first.app.close()

  const { page } = await start(folders.project)
  expect(await page.evaluate(() => [devicePixelRatio, matchMedia('(prefers-color-scheme: dark)').matches])).toEqual([1.25, true])
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(page.getByRole('button', { name: 'Density: Dense' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Day limit' })).toHaveValue('12.5')
  await expect(page.getByLabel('Keep the computer awake')).not.toBeChecked()
})
