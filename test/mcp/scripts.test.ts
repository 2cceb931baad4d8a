import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PromptListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import { Host, TestProject } from './host.ts'

const ONE =
  "export const meta = { name: 'one', description: 'Says one', whenToUse: 'when you want one' }\nreturn agent('[[text:1]] say it')\n"
const RETURNS = 'return 1\n'

test('all tools are offered with their input and output', async () => {
  const { client } = await Host.start()
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).sort()).toEqual([
    'workflow_answer',
    'workflow_decide',
    'workflow_list',
    'workflow_resume',
    'workflow_run',
    'workflow_status',
    'workflow_stop',
    'workflow_wait',
  ])
  for (const { inputSchema, outputSchema, description } of tools) {
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(outputSchema?.type).toBe('object')
    expect(description).toBeTruthy()
  }
})

test('a script with a name becomes a workflow of the project, a prompt, and is listed with when to use it', async () => {
  const host = await Host.start()
  const changed = new Promise<void>((resolve) => host.client.setNotificationHandler(PromptListChangedNotificationSchema, () => resolve()))
  const { data, text } = await host.call('workflow_run', { script: ONE, name: 'one', agent: 'simulated' })
  const path = join(host.project.folder, '.claude', 'workflows', 'one.js')
  expect(data).toMatchObject({ scriptPath: path, scriptSaved: true })
  expect(text).toContain(path)
  expect(readFileSync(path, 'utf8')).toBe(ONE)
  await changed
  expect((await host.client.listPrompts()).prompts).toMatchObject([{ name: 'one', description: 'Says one\nUse it: when you want one' }])
  const prompt = await host.client.getPrompt({ name: 'one', arguments: { args: '{"n":1}' } })
  expect(prompt.messages[0]?.content).toMatchObject({ text: expect.stringMatching(/workflow_run with name "one".*\{"n":1\}/s) })
  await expect(host.client.getPrompt({ name: 'two' })).rejects.toThrow('There are: one.')
  expect((await host.call('workflow_list')).data).toMatchObject({
    runs: [{ number: 1, title: 'one', scriptPath: path }],
    total: 1,
    workflows: [{ name: 'one', description: 'Says one', whenToUse: 'when you want one' }],
  })

  const other = await host.call('workflow_run', { script: RETURNS, name: 'one', agent: 'simulated' })
  expect(other).toMatchObject({ isError: true, code: 'workflow-exists' })
  expect(readFileSync(path, 'utf8')).toBe(ONE)
  expect((await host.call('workflow_run', { script: ONE, name: 'one', agent: 'simulated' })).data).toMatchObject({ scriptSaved: false })
  expect((await host.call('workflow_run', { name: 'one', agent: 'simulated' })).isError).toBe(false)
})

test('a script that can’t run is refused with every fault and its place, and can be mended where it was saved', async () => {
  const host = await Host.start()
  const refused = await host.call('workflow_run', { script: 'phase(1\n', name: 'bad', agent: 'simulated' })
  expect(refused).toMatchObject({ isError: true, code: 'script-syntax', text: expect.stringMatching(/\.js:\d+:\d+: .*Nothing ran/s) })
  const path = /^(.+\.js):\d+:\d+: /.exec(refused.text)?.[1] ?? ''
  writeFileSync(path, RETURNS)
  expect((await host.call('workflow_run', { path })).data).toMatchObject({ scriptPath: path, number: 1 })
  expect((await host.client.listPrompts()).prompts).toEqual([])
})

test('an untrusted script is refused in words that a person can act on, and runs once they did', async () => {
  const host = await Host.start()
  const path = host.project.write('touch.js', "return agent('echo hello')\n")
  const input = { path: 'touch.js', agent: 'shell' }
  const refused = await host.call('workflow_run', input)
  expect(refused).toMatchObject({ isError: true, code: 'not-trusted' })
  expect(refused.text).toMatch(/Nothing ran\. A person .*: reprise run .*touch\.js.* --agent shell --yes --project /)
  expect(host.project.runIds).toEqual([])
  await host.project.run(['run', path, '--agent', 'shell', '--yes'])
  const { data } = await host.call('workflow_run', input)
  expect(await host.ended(String(data['runId']))).toMatchObject({ status: 'completed' })

  host.project.write('touch.js', "return agent('echo changed')\n")
  const changed = await host.call('workflow_resume', { run: 'last' })
  expect(changed).toMatchObject({ isError: true, code: 'not-trusted', text: expect.stringContaining('--yes') })
})

test('a server started with --yes trusts what it is given', async () => {
  const host = await Host.start(['--yes'])
  host.project.write('touch.js', "return agent('echo hello')\n")
  const { isError } = await host.call('workflow_run', { path: 'touch.js', agent: 'shell' })
  expect(isError).toBe(false)
  expect(await host.ended('last')).toMatchObject({ status: 'completed', counts: { ok: 1 } })
})

test('no path leads out of the project', async () => {
  const project = new TestProject()
  const secret = join(project.outside, 'secret.js')
  writeFileSync(secret, RETURNS)
  symlinkSync(secret, join(project.folder, 'link.js'))
  symlinkSync(project.outside, join(project.folder, 'folder'))
  mkdirSync(join(project.folder, '.claude', 'workflows'))
  symlinkSync(secret, join(project.folder, '.claude', 'workflows', 'named.js'))
  const host = await Host.start([], project)
  const outside = { isError: true, code: 'outside-project' }
  for (const path of [secret, '../secret.js', 'a/../link.js', 'link.js', 'folder/secret.js', 'folder/none.js', 'no\0path.js']) {
    expect(await host.call('workflow_run', { path }), path).toMatchObject(outside)
  }
  expect(await host.call('workflow_run', { name: 'named' })).toMatchObject(outside)
  for (const name of ['../up', 'a/b', 'globals', '']) {
    expect((await host.call('workflow_run', { script: RETURNS, name })).isError, name).toBe(true)
  }
  rmSync(join(project.folder, '.claude', 'workflows'), { recursive: true })
  symlinkSync(project.outside, join(project.folder, '.claude', 'workflows'))
  expect(await host.call('workflow_run', { script: RETURNS, name: 'leaks' })).toMatchObject(outside)
  expect(project.runIds).toEqual([])
})

test('wrong input is refused, and names what is wrong', async () => {
  const host = await Host.start()
  const refusals: [string, Record<string, unknown>, RegExp][] = [
    ['workflow_run', {}, /Nothing to run/],
    ['workflow_run', { path: 'a.js', name: 'a' }, /one of script, name and path/],
    ['workflow_run', { script: RETURNS, budget: 0 }, /budget/],
    ['workflow_run', { script: RETURNS, scriptPath: 'a.js' }, /scriptPath/],
    ['workflow_run', { script: RETURNS, agent: 'nobody' }, /no agent “nobody”/],
    ['workflow_run', { script: "return agent('x')" }, /agent “simulated”/],
    ['workflow_run', { name: 'nothing' }, /no workflow “nothing”/],
    ['workflow_run', { path: 'nothing.js' }, /no file .*nothing\.js/],
    ['workflow_run', { resumeFromRunId: 'last', request_id: 'x' }, /request_id is for new runs/],
    ['workflow_status', { run: '7' }, /no run “7”/],
    ['workflow_wait', {}, /Nothing has run/],
    ['workflow_resume', { run: 'last', policy: 'all' }, /policy/],
    ['workflow_stop', {}, /run/],
    ['workflow_list', { status: ['odd'] }, /status/],
  ]
  for (const [tool, input, words] of refusals) {
    const { isError, text } = await host.call(tool, input)
    expect({ isError, text }, `${tool} ${JSON.stringify(input)}`).toEqual({ isError: true, text: expect.stringMatching(words) })
  }
  expect(host.project.runIds).toEqual([])
})
