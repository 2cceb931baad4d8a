/** Real agent programs at work below the app, against the fake of their models' APIs. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { delimiter, dirname, join } from 'node:path'
import { familyOf, isAlive } from '../../main/agents/process-tree.ts'
import { codexHome, KEY_NAME } from '../agents/codex-home.ts'
import { FakeApi } from '../agents/fake-api/fake-api.ts'
import { agentProgram } from '../agents/programs.ts'
import { expect, type Folders, openApp, type Started, test } from './fixtures.ts'

const ENDLESS = `export const meta = { name: 'endless', description: 'Works until it is stopped' }
return await parallel([() => agent('Work [[tool:endless]]'), () => agent('Wait [[hang]]')])
`
const LOOKS = `export const meta = { name: 'looks', description: 'Uses a tool once' }
return await agent('Look around [[tool:echo]]', { label: 'looker' })
`
const PROGRAMS = [agentProgram('claude'), agentProgram('codex')]

/** The app with a profile of the program that needs no permissions, at work on this text. */
async function startWith(
  program: (typeof PROGRAMS)[number],
  api: FakeApi,
  folders: Folders,
  script: { name: string; path: string; text: string },
): Promise<Started & { runId: string }> {
  const own = {
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_API_KEY: 'sk-fake',
    CLAUDE_CONFIG_DIR: join(folders.home, 'claude'),
    CODEX_HOME: codexHome(api.url, folders.home),
    [KEY_NAME]: 'sk-fake',
  }
  const trusted = { path: script.path, sha256: createHash('sha256').update(script.text).digest('hex') }
  const PATH = [dirname(program.path), process.env['PATH'] ?? ''].join(delimiter)
  const started = await openApp(folders, [], { ...own, PATH })
  const runId = await started.page.evaluate(
    async ({ project, backend, passEnv, trusted, name }) => {
      const value = <T>(answer: { ok: true; value: T } | { ok: false; error: { message: string } }): T => {
        if (answer.ok) return answer.value
        throw new Error(answer.error.message)
      }
      value(await window.reprise.projects.open({ path: project }))
      value(await window.reprise.agents.save({ profile: { name: 'free', backend, permissions: 'full', passEnv, options: {} } }))
      value(await window.reprise.runs.trust(trusted))
      const launch = { target: { name }, requestId: crypto.randomUUID(), agent: 'free', concurrency: 2 }
      return value(await window.reprise.runs.launch(launch)).runId
    },
    { project: folders.project, trusted, name: script.name, backend: program.name as 'claude' | 'codex', passEnv: Object.keys(own) },
  )
  return { ...started, runId }
}

for (const program of PROGRAMS) {
  const whenInstalled = program.installed ? test : test.fixme
  whenInstalled(`the page of a run tells what ${program.title} did and what it spent`, async ({ folders, workflow }) => {
    const api = await FakeApi.start()
    const script = { name: 'looks', path: workflow('looks.ts', LOOKS), text: LOOKS }
    const { app, page } = await startWith(program, api, folders, script)
    await page.reload() // the project was opened from below the page
    await page.getByRole('grid', { name: 'Runs' }).getByRole('row', { name: /looks/ }).dblclick()
    const call = page.getByRole('row', { name: /^looker, .*Done/ })
    await expect(call).toBeVisible({ timeout: 30_000 })
    await call.click()
    const inspector = page.getByRole('complementary', { name: 'Inspector' })
    const transcript = inspector.getByRole('list', { name: 'Transcript' })
    await expect(transcript).toContainText(/Uses .*echo/)
    await expect(transcript).toContainText('Says')
    await expect(inspector).toContainText('44 out')
    await app.close()
    await api.close()
  })

  whenInstalled(`quitting the app in the middle of calls of ${program.title} leaves no process`, async ({ folders, workflow }) => {
    const api = await FakeApi.start()
    const script = { name: 'endless', path: workflow('endless.ts', ENDLESS), text: ENDLESS }
    const { runId, ...started } = await startWith(program, api, folders, script)
    await api.asked((request) => request.marker === 'hang')
    const family = () => familyOf([], { REPRISE_RUN: runId })
    // The program itself, the tool's shell, and what it runs.
    await expect.poll(() => family().length, { intervals: [300], timeout: 30_000 }).toBeGreaterThan(2)
    const before = family()
    started.process.kill('SIGTERM')
    await once(started.process, 'exit')
    expect(before.filter((one) => isAlive(one))).toEqual([])
    await api.close()
  })
}
