/** Whole runs of the command line with real agent programs, against the fake of their models' APIs. */
import { readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { familyOf, isAlive, type ProcessId } from '../../main/agents/process-tree.ts'
import { type Going, type RunDocument, TestProject } from '../support/reprise.ts'
import { codexHome, KEY_NAME } from './codex-home.ts'
import { FakeApi } from './fake-api/fake-api.ts'
import { agentProgram } from './programs.ts'

/** For a machine on which much else works. */
const BUSY_MS = 120_000
/** Looking through all processes of a machine costs something. */
const LOOK_MS = 200
const REVIEW = readFileSync('examples/review.workflow.js', 'utf8')
/** Two calls of which one waits for its tool, the other for the model. */
const ENDLESS = `export const meta = { name: 'endless', description: 'Works until it is stopped' }
return parallel([
  () => agent('Work [[tool:endless]]', { label: 'tool' }),
  () => agent('Wait [[hang]]', { label: 'model' }),
])
`
/** The profile that lets the endless tool run without a question. */
const free = (backend: string, passEnv: string[]) => JSON.stringify({ profiles: [{ name: 'free', backend, permissions: 'full', passEnv }] })

const PROGRAMS = [
  {
    program: agentProgram('claude'),
    env: (api: string, home: string) => ({
      ANTHROPIC_BASE_URL: api,
      ANTHROPIC_API_KEY: 'sk-fake',
      CLAUDE_CONFIG_DIR: join(home, 'claude'),
      CLAUDE_CODE_MAX_RETRIES: '0',
    }),
  },
  {
    program: agentProgram('codex'),
    env: (api: string, home: string) => ({ CODEX_HOME: codexHome(api, home), [KEY_NAME]: 'sk-fake' }),
  },
]

for (const { program, env } of PROGRAMS) {
  describe.skipIf(!program.installed)(`a run with ${program.title}`, { timeout: BUSY_MS }, () => {
    let api: FakeApi
    let project: TestProject
    let variables: Record<string, string>

    beforeAll(async () => {
      api = await FakeApi.start()
    })
    beforeEach(() => {
      api.forget()
      project = new TestProject()
      const PATH = [dirname(program.path), process.env['PATH'] ?? ''].join(delimiter)
      variables = { PATH, ...env(api.url, project.outside) }
    })
    afterEach(() => project.remove())
    afterAll(() => api.close())

    const start = (...args: string[]) => project.start(args, { env: variables })

    test('reviews a project from finding to report', async () => {
      project.write('review.workflow.js', REVIEW)
      const args = JSON.stringify({ areas: ['tests', 'error handling'] })
      const { stdout, stderr, code } = await start(
        'run',
        './review.workflow.js',
        '--agent',
        program.name,
        '--args',
        args,
        '--json',
        '--yes',
      ).ended
      expect([code, stderr]).toEqual([0, expect.any(String)])
      const run = JSON.parse(stdout) as RunDocument
      expect(run).toMatchObject({ status: 'completed', counts: { ok: 9, dead: 0, live: 9 } })
      expect(run.returnValue).toMatchObject({ summary: '2 of 2 problems confirmed in 2 areas', report: 'Hello from the fake model.' })
      expect(run.tokens).toBeGreaterThanOrEqual(9 * 22)
      expect(api.unknown).toEqual([])
    })

    test('pauses at the limit of the account, and goes on later without asking anything twice', async () => {
      const asks = "return [await agent('First [[text:first]]'), await agent('Then [[once:429]]')]"
      project.write('limited.workflow.js', `export const meta = { name: 'limited', description: 'Meets a limit' }\n${asks}\n`)
      const first = await start('run', './limited.workflow.js', '--agent', program.name, '--json', '--yes').ended
      expect([first.code, JSON.parse(first.stdout)]).toMatchObject([4, { status: 'paused', counts: { ok: 1, dead: 0 } }])
      const again = await start('resume', project.runIds[0] ?? '', '--json', '--yes').ended
      const said = ['Hello from the fake model (text:first).', 'Hello from the fake model (once:429).']
      expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { status: 'completed', returnValue: said }])
      expect(api.requests.map((request) => request.marker)).toEqual(['text:first', 'once:429', 'once:429'])
    })

    /** Starts the endless workflow, and gives what runs below it once both calls are at work. */
    async function atWork(): Promise<{ going: Going; family: ProcessId[] }> {
      project.write('endless.workflow.js', ENDLESS)
      project.write('.claude/reprise.json', free(program.name, Object.keys(variables)))
      const going = start('run', './endless.workflow.js', '--agent', 'free', '--concurrency', '2', '--yes')
      const isOver = () => going.child.exitCode !== null
      await Promise.race([api.asked((request) => request.marker === 'hang'), going.ended])
      const family = () => project.runIds.flatMap((REPRISE_RUN) => familyOf([], { REPRISE_RUN }))
      while (!isOver() && !family().some((one) => commandOf(one).startsWith('tail -f'))) await pause(LOOK_MS)
      expect(isOver() ? (await going.ended).stderr : '').toBe('')
      return { going, family: family() }
    }
    const alive = (family: ProcessId[]) => family.filter((one) => isAlive(one)).map(commandOf)

    test('that is stopped in the middle of tools leaves no process', async () => {
      const { going, family } = await atWork()
      going.child.kill('SIGINT')
      const { code } = await going.ended
      expect(code).toBe(130)
      expect(alive(family)).toEqual([])
    })

    test('whose owner was killed leaves no process once the next run starts', async () => {
      const { going, family } = await atWork()
      going.child.kill('SIGKILL')
      await going.ended
      project.write('other.workflow.js', "export const meta = { name: 'other', description: 'Does nothing' }\nreturn 1\n")
      const { code, stderr } = await start('run', './other.workflow.js', '--yes').ended
      expect([code, stderr]).toEqual([0, expect.any(String)])
      expect(alive(family)).toEqual([])
    })
  })
}

function commandOf({ pid }: ProcessId): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
