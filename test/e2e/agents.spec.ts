/** Real agent programs at work below the app, against the fake of their models' APIs. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { delimiter, dirname, join } from 'node:path'
import { familyOf, isAlive } from '../../main/agents/process-tree.ts'
import { codexHome, KEY_NAME } from '../agents/codex-home.ts'
import { FakeApi } from '../agents/fake-api/fake-api.ts'
import { agentProgram } from '../agents/programs.ts'
import { expect, openApp, test } from './fixtures.ts'

const ENDLESS = `export const meta = { name: 'endless', description: 'Works until it is stopped' }
return await parallel([() => agent('Work [[tool:endless]]'), () => agent('Wait [[hang]]')])
`
const claude = agentProgram('claude')
const codex = agentProgram('codex')

for (const program of [claude, codex]) {
  const whenInstalled = program.installed ? test : test.fixme
  whenInstalled(`quitting the app in the middle of calls of ${program.title} leaves no process`, async ({ folders, workflow }) => {
    const api = await FakeApi.start()
    const own = {
      ANTHROPIC_BASE_URL: api.url,
      ANTHROPIC_API_KEY: 'sk-fake',
      CLAUDE_CONFIG_DIR: join(folders.home, 'claude'),
      CODEX_HOME: codexHome(api.url, folders.home),
      [KEY_NAME]: 'sk-fake',
    }
    const trusted = { path: workflow('endless.ts', ENDLESS), sha256: createHash('sha256').update(ENDLESS).digest('hex') }
    const PATH = [dirname(program.path), process.env['PATH'] ?? ''].join(delimiter)
    const started = await openApp(folders, [], { ...own, PATH })
    const runId = await started.page.evaluate(
      async ({ project, backend, passEnv, trusted }) => {
        const value = <T>(answer: { ok: true; value: T } | { ok: false; error: { message: string } }): T => {
          if (answer.ok) return answer.value
          throw new Error(answer.error.message)
        }
        value(await window.reprise.projects.open({ path: project }))
        value(await window.reprise.agents.save({ profile: { name: 'free', backend, permissions: 'full', passEnv, options: {} } }))
        value(await window.reprise.runs.trust(trusted))
        const launch = { target: { name: 'endless' }, requestId: crypto.randomUUID(), agent: 'free', concurrency: 2 }
        return value(await window.reprise.runs.launch(launch)).runId
      },
      { project: folders.project, trusted, backend: program.name as 'claude' | 'codex', passEnv: Object.keys(own) },
    )
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
