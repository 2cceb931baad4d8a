import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { claudeRunner, makeClaudeRunner } from '../../main/agents/claude/claude.ts'
import { describeProgram, type ProgramCase, SCHEMA, Stage, VALUE } from './program-cases.ts'
import { agentProgram } from './programs.ts'

type Claude = Parameters<typeof makeClaudeRunner>[0]

const PROFILE: Claude = { name: 'claude', backend: 'claude', permissions: 'ask', options: {} }

function claude(change: Partial<Claude> = {}): ProgramCase {
  return {
    program: agentProgram('claude'),
    runner: (file) => makeClaudeRunner({ ...PROFILE, ...change }, deps(file)),
    env: (api, home) => ({
      ANTHROPIC_BASE_URL: api,
      ANTHROPIC_API_KEY: 'sk-fake',
      CLAUDE_CONFIG_DIR: `${home}/claude`,
      CLAUDE_CODE_MAX_RETRIES: '0',
    }),
    shell: 'Bash',
    asking: 'Work [[tool:echo]]',
    repairs: true,
    tellsCost: true,
    key: 'sk-fake',
  }
}

function deps(file: string) {
  return { project: '/', data: '/', executable: async () => file }
}

describeProgram(claude(), (stage) => {
  // Claude Code's own stand-in for tools that it would load later.
  const offered = () => {
    const names = stage().api.requests[0]?.question.tools.map((tool) => tool.name) ?? []
    return names.filter((name) => name !== 'DeferredToolPlaceholder')
  }

  test('only the tools that a call allows exist for it', async () => {
    await stage().start('[[text]]', { allowedTools: ['Read', 'Bash(git log:*)'] }).outcome
    expect(offered().sort()).toEqual(['Bash', 'Read'])
  })

  test('a call without a list has no tools that need a person or outlive it', async () => {
    await stage().start('[[text]]').outcome
    expect(offered()).toEqual(expect.arrayContaining(['Bash', 'Edit', 'Read', 'Write']))
    for (const name of ['AskUserQuestion', 'ScheduleWakeup', 'Workflow', 'ExitPlanMode']) expect(offered()).not.toContain(name)
  })

  test('a call that may only look changes nothing, and nobody is asked', async () => {
    const call = stage().start('[[tool:echo]]', { readOnly: true })
    expect(await call.outcome).toMatchObject({ kind: 'ok' })
    expect(offered()).not.toContain('Write')
    expect(offered()).not.toContain('Edit')
    expect(call.questions).toEqual([])
    expect(existsSync(join(call.cwd, 'tool-ran.txt'))).toBe(false)
    expect(call.events).toContainEqual({ kind: 'notice', text: expect.stringMatching(/^Bash would change something/) })
  })

  test('a rule that a profile allows needs no question, and opens no more than it says', async () => {
    const listed = (...allowedTools: string[]) =>
      stage().start('[[tool:echo]]', { permissions: 'allow-listed', allowedTools }, { onPermission: async () => 'deny' })
    const [both, one] = [listed('Bash(echo:*)', 'Bash(tee:*)'), listed('Bash(echo:*)')]
    await Promise.all([both.outcome, one.outcome])
    expect([both, one].map((call) => existsSync(join(call.cwd, 'tool-ran.txt')))).toEqual([true, false])
  })

  test('what it thinks is shown apart from what it says', async () => {
    const call = stage().start('[[think]]')
    await call.outcome
    expect(call.events.filter((event) => event.kind === 'thinking')).toEqual([{ kind: 'thinking', text: 'Let me see.' }])
  })

  test('a person who is not signed in is told how to, and the run pauses', async () => {
    const end = await stage().start('[[text]]', {}, {}, { ANTHROPIC_API_KEY: '' }).outcome
    expect(end).toMatchObject({ kind: 'halt', reason: 'auth', detail: expect.stringContaining('claude /login') })
    const probe = (key: string) => stage().runner.probe?.({ ...stage().probe(), env: { ...stage().probe().env, ANTHROPIC_API_KEY: key } })
    expect(await probe('')).toMatchObject({ version: '2.1.332', state: 'signed-out' })
    expect(await probe('sk-fake')).toEqual({ version: '2.1.332', state: 'ready', detail: null })
  })

  test('an answered call leaves no session behind', async () => {
    const sessions = () =>
      readdirSync(join(stage().home, 'claude', 'projects'), { recursive: true }).filter((name) => String(name).endsWith('.jsonl'))
    const before = sessions()
    await stage().start('[[text]]').outcome
    expect(sessions()).toEqual(before)
  })

  test('an effort and a limit of tokens reach the model; what it does not know is said', async () => {
    const call = stage().start('[[text]]', { effort: 'low', maxTokens: 1234 })
    await call.outcome
    expect(stage().api.requests[0]?.body).toMatchObject({ max_tokens: 1234, output_config: { effort: 'low' } })
    const other = stage().start('[[text]]', { effort: 'heroic' })
    await other.outcome
    expect(other.events).toContainEqual({ kind: 'notice', text: expect.stringContaining('heroic') })
  })

  test('without its SDK the command line alone does the work, and denies what it can not ask', async () => {
    const { api } = stage()
    const alone = new Stage(api, { ...claude(), runner: (file) => claudeRunner(PROFILE, deps(file), async () => null) })
    const value = alone.start('[[json]]', { schema: SCHEMA })
    const denied = alone.start('[[tool:echo]]')
    const allowed = alone.start('[[tool:echo]]', { permissions: 'full' })
    const refused = alone.start('[[401]]')
    expect(await value.outcome).toMatchObject({ kind: 'ok', output: VALUE, usage: { outputTokens: 22 } })
    expect(await denied.outcome).toMatchObject({ kind: 'ok' })
    expect(await allowed.outcome).toMatchObject({ kind: 'ok' })
    expect(await refused.outcome).toMatchObject({ kind: 'halt', reason: 'auth' })
    expect([denied, allowed].map((call) => existsSync(join(call.cwd, 'tool-ran.txt')))).toEqual([false, true])
  })

  test('a profile that limits its turns ends a call that goes on for longer', async () => {
    const short = new Stage(stage().api, claude({ options: { maxTurns: 1 } }))
    expect(await short.start('[[tool:echo]]').outcome).toMatchObject({
      kind: 'dead',
      retryable: false,
      detail: expect.stringContaining('turn'),
    })
  })
})
