/** Agents as their users set them up: files, secrets and the command line. */
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DaySpending } from '../../../main/store/day-spending.ts'
import type { AgentInfo } from '../../../shared/contract/agents.ts'
import { type RunDocument, TestProject } from '../../support/reprise.ts'

const AGENT = join(import.meta.dirname, '../../agents/command/scripted-agent.mjs')
const PATH = '/usr/bin:/bin'

let project: TestProject
beforeEach(() => {
  project = new TestProject()
})
afterEach(() => project.remove())

/** `node` by its path: the terminal of these tests has next to no PATH. */
function setUp(...profiles: object[]): void {
  const mine = { name: 'mine', backend: 'command', command: process.execPath, args: [AGENT] }
  project.write('.claude/reprise.json', `{"profiles": [\n${[mine, ...profiles].map((one) => JSON.stringify(one)).join(',\n')}\n]}`)
}

const reprise = (...args: string[]) => project.run(args, { env: { PATH, SHELL: '/bin/false' } })

describe('reprise agents', () => {
  test('lists what is set up, what is missing, and what is wrong with its file and line', async () => {
    setUp({ name: 'odd', backend: 'comand' })
    project.write('.claude/agents/r.md', '---\nname: reviewer\ndescription: Reviews\n---\nYou review.')
    const { agents, problems } = JSON.parse((await reprise('agents', '--json')).stdout) as { agents: AgentInfo[]; problems: string[] }
    expect(agents.map(({ name, source, state }) => [name, source, state])).toEqual([
      ['shell', 'built-in', 'ready'],
      ['simulated', 'built-in', 'ready'],
      ['mine', 'project', 'unknown'],
      ['claude', 'built-in', 'not-found'],
      ['codex', 'built-in', 'not-found'],
      ['gemini', 'built-in', 'not-found'],
      ['opencode', 'built-in', 'not-found'],
      ['reviewer', 'definition', 'ready'],
    ])
    expect(problems).toEqual([expect.stringMatching(/reprise\.json:3: profile “odd”, backend: /)])
    const { stdout, stderr } = await reprise('agents')
    expect(stdout).toMatch(/^mine +command +unknown /m)
    expect(stdout).toMatch(/^claude: `claude` is not found on PATH$/m)
    expect(stderr).toMatch(/^Problem {2}.*reprise\.json:3: /m)
  })

  test('tells what all agents have cost today, and the limit', async () => {
    setUp()
    expect((await reprise('agents')).stdout).not.toContain('Today')
    const data = join(project.outside, 'data')
    new DaySpending(data).add('mine', 1.25, Date.now())
    new DaySpending(data).add('other', 0.5, Date.now())
    expect((await reprise('agents')).stdout).toMatch(/^Today: \$1\.75 for all agents together\.$/m)
    project.write('.claude/reprise.json', JSON.stringify({ maxCostPerDay: 20, profiles: [] }))
    expect((await reprise('agents')).stdout).toMatch(/^Today: \$1\.75 of \$20\.00 for all agents together\.$/m)
    expect(JSON.parse((await reprise('agents', '--json')).stdout)).toMatchObject({ today: { cost: 1.75, limit: 20 } })
  })

  test('starts nothing that a project brings along before its file is trusted', async () => {
    const mark = join(project.outside, 'started')
    const spy = project.write('spy.sh', `#!/bin/sh\necho 1.2.3\ntouch '${mark}'\n`)
    chmodSync(spy, 0o755)
    setUp({ name: 'spy', backend: 'acp', command: './spy.sh' })
    const row = async () => {
      const { agents } = JSON.parse((await reprise('agents', '--json')).stdout) as { agents: AgentInfo[] }
      return agents.find(({ name }) => name === 'spy')
    }
    expect(await row()).toMatchObject({ state: 'unknown', version: null, detail: expect.stringContaining('nobody has trusted') })
    expect(existsSync(mark)).toBe(false)
    await reprise('run', project.write('w.js', "return agent('x')"), '--agent', 'mine', '--yes')
    await row()
    expect(existsSync(mark)).toBe(true)
  })

  test('asks each agent one small question with --probe, and ends with 1 when one does not answer', async () => {
    setUp({ name: 'bad', backend: 'command', command: '/bin/false' })
    const trust = project.write('w.js', "return agent('x')")
    expect((await reprise('run', trust, '--agent', 'mine', '--yes')).code).toBe(0)
    expect(await reprise('agents', '--probe', '--only', 'mine')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^mine +command +answers in /m),
    })
    const bad = await reprise('agents', '--probe', '--only', 'bad')
    expect(bad.code).toBe(1)
    expect(bad.stdout).toMatch(/^bad: The program exited with 1/m)
    expect(await reprise('agents', '--only', 'nope')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no agent “nope”'),
    })
  })
})

describe('a run with an agent of the project', () => {
  const script = () =>
    project.write('w.js', "return [await agent('hello', { label: 'one' }), await agent('look', { agentType: 'Explore' })]")

  test('asks for trust in the file that says what starts, and again when that file changes', async () => {
    setUp()
    const refused = await reprise('run', script(), '--agent', 'mine')
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('.claude/reprise.json sets up its agents: “mine” (') })
    const run = await reprise('run', script(), '--agent', 'mine', '--yes', '--json')
    expect((JSON.parse(run.stdout) as RunDocument).returnValue).toEqual(['heard: hello', expect.stringContaining('Change no files')])
    setUp({ name: 'other', backend: 'command', command: './evil.sh' })
    expect(await reprise('run', script(), '--agent', 'mine')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('“other” (./evil.sh)'),
    })
  })

  test('shows what the agent said in the call’s transcript', async () => {
    setUp()
    await reprise('run', script(), '--agent', 'mine', '--yes')
    const { stdout } = await reprise('show', 'last', '--call', 'one')
    expect(stdout).toMatch(/Transcript\nattempt 1, start 1, .*\n {2}heard: hello/)
  })

  test('gives it the secret that was set, and keeps its value out of result, transcript and journal', async () => {
    setUp()
    const set = project.start(['agents', '--set-secret', 'mine.MY_API_KEY'], { env: { PATH } })
    expect((await set.ended).code).toBe(2) // nothing on stdin
    const value = 'sk-very-secret-value'
    expect(await project.run(['agents', '--set-secret', 'mine.MY_API_KEY'], { input: `${value}\n` })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('you alone can read'),
    })
    expect(statSync(join(project.outside, 'data', 'secrets.json')).mode & 0o777).toBe(0o600)
    expect((await reprise('agents')).stdout).toContain('mine: secrets set: MY_API_KEY')
    const asks = project.write('s.js', "return agent('[[env:MY_API_KEY]]', { label: 'key' })")
    const run = await reprise('run', asks, '--agent', 'mine', '--yes', '--json')
    expect((JSON.parse(run.stdout) as RunDocument).returnValue).toBe('[MY_API_KEY]')
    expect(project.everyFile().filter((text) => text.includes(value))).toEqual([])
  })
})

test('an agent whose program is missing is refused before anything starts, with what is missing', async () => {
  const script = project.write('w.js', "return agent('x')")
  expect(await reprise('run', script, '--agent', 'claude', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Can't start `claude`: not found on PATH. Nothing was lost."),
  })
  expect(project.runIds).toEqual([])
})

test('a program that only the login shell knows is found from a bare PATH, and its own tools with it', async () => {
  const bin = join(project.outside, 'bin')
  mkdirSync(bin)
  const program = (name: string, text: string) => writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  program('shell', `PATH="${bin}:/usr/bin:/bin" exec /bin/sh -c "$2"`)
  program('my-agent', 'my-tool')
  program('my-tool', 'echo from my tool')
  project.write('.claude/reprise.json', '{"profiles": [{"name": "mine", "backend": "command", "command": "my-agent"}]}')
  const script = project.write('w.js', "return agent('x')")
  const run = await project.run(['run', script, '--agent', 'mine', '--yes', '--json'], {
    env: { PATH: '/usr/bin:/bin', SHELL: join(bin, 'shell') },
  })
  expect((JSON.parse(run.stdout) as RunDocument).returnValue).toBe('from my tool')
})

test('unknown agents and models are refused before anything starts, with their place and the names that are known', async () => {
  const script = project.write('w.js', "await agent('x', { agentType: 'nope' })\nawait agent('y', { model: 'nope' })")
  const { code, stderr } = await reprise('run', script, '--agent', 'shell', '--yes')
  expect(code).toBe(2)
  expect(stderr).toMatch(/w\.js:1:\d+.*There is no agent "nope" here\. Use one of general-purpose, Explore, Plan, shell, simulated/)
  expect(stderr).toMatch(/w\.js:2:\d+.*There is no model "nope" here\. Use one of sonnet, opus, haiku, fable, inherit/)
  expect(project.runIds).toEqual([])
})
