/** What a person does, from the drop of a script to the resume after a crash, by the words on the screen. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { dropFiles, expect, test } from './fixtures.ts'

const TRIAGE = `export const meta = { name: 'triage', description: 'Reads open issues', phases: [{ title: 'Collect' }, { title: 'Review' }] }
phase('Collect')
const issues = [await agent('one', { label: 'scan-1' }), await agent('two', { label: 'scan-2' })]
phase('Review')
return await agent('review ' + issues.length + 'HOW', { label: 'review' })
`
const quick = TRIAGE.replace('HOW', '')
const endless = TRIAGE.replace('HOW', ' [[hang]]')

/** In the open sheet: the simulated agent, then start. */
async function startSimulated(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Agent/ }).click()
  await page.getByRole('menuitemradio', { name: /^Simulated/ }).click()
  await page.getByRole('button', { name: 'Start run' }).click()
}

test('a dropped script is read, started and followed to its end, and stands in the history after a restart', async ({
  start,
  workflow,
}) => {
  const script = workflow('triage.ts', quick)
  const first = await start()
  await dropFiles(first.page, [script])
  const sheet = first.page.getByRole('dialog', { name: 'New run' })
  await expect(sheet).toContainText('Reads open issues')
  await startSimulated(first.page)
  await expect(first.page.getByRole('heading', { name: 'triage #1', level: 1 })).toBeVisible()
  await expect(first.page.getByRole('treegrid').getByRole('row', { name: /^review, .*Done/ })).toBeVisible()
  await expect(first.page.getByRole('banner')).toContainText('Completed')
  await first.app.close()

  const second = await start()
  const main = second.page.getByRole('main', { name: 'Runs' })
  await expect(main).toContainText('triage')
  await expect(main).toContainText('Completed')
})

test('after a crash the run needs you, and the resume does what its sheet says, by keyboard alone', async ({ start, workflow }) => {
  const script = workflow('triage.ts', endless)
  const first = await start()
  await dropFiles(first.page, [script])
  await startSimulated(first.page)
  await expect(first.page.getByRole('row', { name: /^review, .*Running/ })).toBeVisible()
  const ended = once(first.process, 'exit')
  first.process.kill('SIGKILL')
  await ended

  const { page, app } = await start()
  const needsYou = page.getByRole('region', { name: 'Needs you' })
  await expect(needsYou).toContainText('Interrupted')
  await expect(needsYou).toContainText('2 saved')
  await needsYou.getByRole('button', { name: /^Resume/ }).focus()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Resume triage #1' })
  await expect(sheet.getByRole('heading', { name: '2 results will be replayed' })).toBeVisible()
  await expect(sheet.getByRole('heading', { name: '1 call starts live, for certain' })).toBeVisible()
  await page.keyboard.press('Control+Enter')

  await expect(page.getByRole('row', { name: /^scan-1, .*Replayed/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /^review, .*Running.*live/ })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Summary' })).toContainText('2 replayed')
  await page.getByRole('button', { name: 'Stop' }).first().click()
  await expect(page.getByRole('banner')).toContainText('Stopped')
  await app.close()
})

test('a wrong drop is explained by its name, and nothing opens', async ({ start, folders }) => {
  const { page } = await start()
  const notes = join(folders.project, 'notes #1 %.pdf')
  writeFileSync(notes, 'x')
  await dropFiles(page, [notes])
  await expect(page.getByText(/notes #1 %\.pdf.*isn't a project folder, a workflow script/).first()).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('the first start offers a sample that runs without an account', async ({ start }) => {
  const { page, app } = await start('--fresh')
  await page.getByRole('button', { name: /^Try the sample/ }).click()
  const sheet = page.getByRole('dialog', { name: 'New run' })
  await expect(sheet).toContainText('Twenty seconds without an account')
  await expect(sheet.getByRole('button', { name: /^Agent/ })).toContainText('Simulated')
  await sheet.getByRole('button', { name: 'Start run' }).click()
  await expect(page.getByRole('heading', { name: 'tour #1', level: 1 })).toBeVisible()
  await expect(page.getByRole('row', { name: /^parser.ts, .*Done/ })).toBeVisible()
  await page.getByRole('button', { name: 'Stop' }).first().click()
  await expect(page.getByRole('banner')).toContainText('Stopped')
  await app.close()
})
