import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeCodexRunner } from '../../main/agents/codex/codex.ts'
import { familyOf, isAlive } from '../../main/agents/process-tree.ts'
import { codexHome, KEY_NAME } from './codex-home.ts'
import { agentCall, recording, temporaryFolder, until } from './process-fixture.ts'
import { describeProgram, type Going, type ProgramCase, Stage } from './program-cases.ts'
import { agentProgram } from './programs.ts'

type Codex = Parameters<typeof makeCodexRunner>[0]

const PROFILE: Codex = { name: 'codex', backend: 'codex', permissions: 'ask', options: {} }

function codex(change: Partial<Codex> = {}): ProgramCase {
  return {
    program: agentProgram('codex'),
    runner: (file) => makeCodexRunner({ ...PROFILE, ...change }, { project: temporaryFolder(), data: '/', executable: async () => file }),
    env: (api, home) => ({ CODEX_HOME: codexHome(api, home), [KEY_NAME]: 'sk-fake' }),
    shell: 'shell',
    asking: 'Work [[tool:echo]]',
    repairs: false,
    tellsCost: false,
    key: 'Bearer sk-fake',
  }
}

test('a program that never answers is ended when the call is stopped and the run is over', async () => {
  const file = join(temporaryFolder(), 'codex')
  writeFileSync(file, '#!/bin/sh\nexec tail -f /dev/null\n', { mode: 0o755 })
  const runner = makeCodexRunner(PROFILE, { project: temporaryFolder(), data: '/', executable: async () => file })
  const { context, children, stop } = recording()
  const ended = runner.run(agentCall('Say it'), context)
  const child = await until(() => children[0], 'it is started')
  stop.abort()
  expect(await ended).toEqual({ kind: 'cancelled' })
  await runner.close?.()
  expect(isAlive(child)).toBe(false)
})

describeProgram(codex(), (stage) => {
  const offered = () => stage().api.requests[0]?.question.tools.map((tool) => tool.name) ?? []
  const ran = (call: Going) => existsSync(join(call.cwd, 'tool-ran.txt'))

  test('one process works for many calls, is started again when it dies, and ends when it is told to', async () => {
    const own = new Stage(stage().api, codex())
    const calls = [own.start('[[text:1]]'), own.start('[[text:2]]')]
    await Promise.all(calls.map((call) => call.outcome))
    const [server, ...others] = calls.flatMap((call) => call.children)
    expect(others).toEqual([])
    const hanging = own.start('[[hang:dies]]')
    await own.api.asked((request) => request.marker === 'hang:dies')
    if (server !== undefined) process.kill(-server.pid, 'SIGKILL')
    expect(await hanging.outcome).toMatchObject({
      kind: 'dead',
      reason: 'agent-error',
      retryable: true,
      detail: expect.stringMatching(/^Codex was ended/),
    })
    const again = own.start('[[text:3]]')
    expect(await again.outcome).toMatchObject({ kind: 'ok' })
    expect(again.children).toHaveLength(1)
    await own.runner.close?.()
    expect(again.children.filter((child) => isAlive(child))).toEqual([])
  })

  test('a server that does not answer a stop any more is ended, with its tools', async () => {
    const own = new Stage(stage().api, codex())
    const call = own.start('[[tool:endless]]', { permissions: 'full' })
    const family = await until(
      () => {
        const { REPRISE_RUN } = call.marks
        const found = familyOf(call.children, { REPRISE_RUN })
        return call.events.some((event) => event.kind === 'tool-started') && found.length > 2 ? found : null
      },
      'the tool works',
      20_000,
    )
    for (const one of familyOf(call.children)) if (!call.children.some((child) => child.pid === one.pid)) process.kill(one.pid, 'SIGSTOP')
    call.stop.abort()
    expect(await call.outcome).toEqual({ kind: 'cancelled' })
    expect(family.filter((one) => isAlive(one))).toEqual([])
    expect(await own.start('[[text]]').outcome).toMatchObject({ kind: 'ok' })
    await own.runner.close?.()
  })

  test('a profile with all permissions asks nobody and has no sandbox', async () => {
    const call = stage().start('[[tool:echo]]', { permissions: 'full' })
    expect(await call.outcome).toMatchObject({ kind: 'ok' })
    expect([ran(call), call.questions]).toEqual([true, []])
    expect(JSON.stringify(stage().api.requests[0]?.body)).toContain('danger-full-access')
  })

  test('a call that may only look changes nothing, and nobody is asked', async () => {
    const call = stage().start('[[tool:echo]]', { permissions: 'full', readOnly: true })
    expect(await call.outcome).toMatchObject({ kind: 'ok' })
    expect([ran(call), call.questions]).toEqual([false, []])
    // It tells the model why, and sometimes nobody else.
    expect(JSON.stringify(stage().api.requests.at(-1)?.body)).toContain('Read-only file system')
  })

  test('a change of files is asked for by the names of the files', async () => {
    const call = stage().start('[[tool:patch]]')
    expect(await call.outcome).toMatchObject({ kind: 'ok' })
    expect(call.questions).toMatchObject([{ tool: 'apply_patch', title: expect.stringContaining('patched.txt') }])
    expect(existsSync(join(call.cwd, 'patched.txt'))).toBe(true)
    const denied = stage().start('[[tool:patch]]', {}, { onPermission: async () => 'deny' })
    await denied.outcome
    expect(existsSync(join(denied.cwd, 'patched.txt'))).toBe(false)
  })

  test('in its own mode it asks only to leave the sandbox, and says why', async () => {
    const own = new Stage(stage().api, codex({ mode: 'on-request' }))
    const inside = own.start('[[tool:echo]]')
    const outside = own.start('[[tool:escalate]]')
    await Promise.all([inside.outcome, outside.outcome])
    await own.runner.close?.()
    expect([ran(inside), inside.questions]).toEqual([true, []])
    expect(outside.questions).toMatchObject([{ tool: 'shell', input: { reason: 'It has to write outside' } }])
  })

  test('a call without a shell among its tools has none', async () => {
    await stage().start('[[text]]', { allowedTools: ['apply_patch'] }).outcome
    expect(offered()).not.toContain('exec_command')
    expect(offered()).not.toContain('web_search')
    stage().api.forget()
    await stage().start('[[text]]', { allowedTools: ['Bash(git log:*)'] }).outcome
    expect(offered()).toContain('exec_command')
  })

  test('a tool is asked about by the name that the call has for it, and barred where it has none', async () => {
    const shell = stage().start('[[tool:echo]]', { allowedTools: ['Bash'] })
    const reader = stage().start('[[tool:echo]]', { allowedTools: ['Read'] })
    await Promise.all([shell.outcome, reader.outcome])
    expect([ran(shell), shell.questions.map((question) => question.tool)]).toEqual([true, ['Bash']])
    expect([ran(reader), reader.questions]).toEqual([false, []])
    expect(reader.events).toContainEqual({ kind: 'notice', text: expect.stringMatching(/^shell is not among the tools/) })
  })

  test('a schema reaches the model in the dialect that it keeps to, or in words where that can not say it', async () => {
    const schema = {
      type: 'object',
      properties: { title: { type: 'string', maxLength: 20 }, note: { type: 'string' } },
      required: ['title'],
    }
    expect(await stage().start('[[json]]', { schema }).outcome).toMatchObject({ kind: 'ok', output: { title: 'simulated' } })
    expect(stage().api.requests[0]?.question.schema).toMatchObject({ required: ['title', 'note'], additionalProperties: false })
    stage().api.forget()
    const open = { type: 'object', additionalProperties: { type: 'number' } }
    await stage().start('[[text]]', { schema: open }).outcome
    expect(stage().api.requests[0]?.question).toMatchObject({ schema: null, said: expect.stringContaining(JSON.stringify(open)) })
  })

  test('a person who is not signed in is told how to, and the run pauses at once', async () => {
    const own = new Stage(stage().api, { ...codex(), env: (_, home) => ({ CODEX_HOME: home }) })
    expect(await own.start('[[text]]').outcome).toMatchObject({
      kind: 'halt',
      reason: 'auth',
      detail: expect.stringContaining('codex login'),
    })
    expect(await own.runner.probe?.(own.probe())).toMatchObject({ version: '0.163.0', state: 'signed-out' })
    await own.runner.close?.()
    expect(await stage().runner.probe?.(stage().probe())).toEqual({ version: '0.163.0', state: 'ready', detail: null })
  })

  test("a profile's rows of configuration count", async () => {
    const { api } = stage()
    const config = {
      model_provider: 'other',
      'model_providers.other': {
        name: 'other',
        base_url: `${api.url}/v1`,
        wire_api: 'responses',
        env_key: 'OTHER_KEY',
        supports_websockets: false,
      },
    }
    const env = (_: string, home: string) => ({ CODEX_HOME: home, OTHER_KEY: 'sk-other' })
    const own = new Stage(api, { ...codex({ options: { config } }), env })
    expect(await own.start('[[text]]', { effort: 'high' }).outcome).toMatchObject({ kind: 'ok' })
    await own.runner.close?.()
    expect(api.requests[0]?.key).toBe('Bearer sk-other')
  })
})
