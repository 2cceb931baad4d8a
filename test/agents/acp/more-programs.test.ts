/** Other real programs of the protocol, of the longer test command: each answers, hands in a value, asks, and leaves nothing. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeAcpRunner } from '../../../main/agents/acp/acp.ts'
import type { AgentCall, AgentContext, AgentOutcome } from '../../../main/agents/agent-runner.ts'
import { familyOf, isAlive } from '../../../main/agents/process-tree.ts'
import type { ProfileOf } from '../../../shared/contract/agents.ts'
import { FakeApi } from '../fake-api/fake-api.ts'
import { agentCall, recording, temporaryFolder, until } from '../process-fixture.ts'
import { agentProgram } from '../programs.ts'

const SCHEMA = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'], additionalProperties: false }

interface Case {
  name: string
  profile?: Partial<ProfileOf<'acp'>>
  env(api: string, home: string): Record<string, string>
}

function codexHome(api: string, home: string): string {
  const folder = join(home, 'codex')
  mkdirSync(folder, { recursive: true })
  const rows = ['model_provider = "fake"', 'model = "fake-model"', 'check_for_update_on_startup = false', '[analytics]', 'enabled = false']
  const provider = ['[model_providers.fake]', 'name = "fake"', `base_url = "${api}/v1"`, 'wire_api = "responses"', 'env_key = "FAKE_KEY"']
  const quiet = [
    'supports_websockets = false',
    'request_max_retries = 0',
    'stream_max_retries = 0',
    '[features]',
    'apps = false',
    'plugins = false',
  ]
  writeFileSync(join(folder, 'config.toml'), `${[...rows, ...provider, ...quiet].join('\n')}\n`)
  return folder
}

function opencodeConfig(api: string): string {
  const provider = {
    npm: '@ai-sdk/openai-compatible',
    options: { baseURL: `${api}/v1`, apiKey: 'fake' },
    models: { 'fake-model': { name: 'Fake' } },
  }
  const ask = { edit: 'ask', bash: 'ask', webfetch: 'ask' }
  return JSON.stringify({ provider: { fake: provider }, model: 'fake/fake-model', small_model: 'fake/fake-model', permission: ask })
}

const CASES: Case[] = [
  { name: 'codex-acp', env: (api, home) => ({ CODEX_HOME: codexHome(api, home), FAKE_KEY: 'sk-fake' }) },
  {
    name: 'claude-agent-acp',
    env: (api, home) => ({
      ...{ ANTHROPIC_BASE_URL: api, ANTHROPIC_API_KEY: 'sk-fake', CLAUDE_CONFIG_DIR: join(home, 'claude'), CLAUDE_CODE_MAX_RETRIES: '0' },
      ...{ DISABLE_TELEMETRY: '1', DISABLE_ERROR_REPORTING: '1' },
    }),
  },
  {
    name: 'opencode',
    env: (api, home) => ({
      ...{ OPENCODE_CONFIG_CONTENT: opencodeConfig(api), OPENCODE_DISABLE_MODELS_FETCH: '1', XDG_CONFIG_HOME: home },
      ...{ XDG_DATA_HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home },
    }),
  },
]

for (const one of CASES) {
  const program = agentProgram(one.name, true)
  describe.skipIf(!program.installed)(program.title, { timeout: 120_000 }, () => {
    let api: FakeApi
    beforeAll(async () => {
      api = await FakeApi.start()
    })
    beforeEach(() => api.forget())
    afterAll(() => api.close())

    function start(prompt: string, more: Partial<AgentCall> = {}, context: Partial<AgentContext> = {}) {
      const told = recording(context)
      const home = temporaryFolder()
      const env = { ...told.context.env, HOME: home, ...one.env(api.url, home) }
      const profile: ProfileOf<'acp'> = {
        name: one.name,
        backend: 'acp',
        command: one.name,
        permissions: 'ask',
        options: {},
        ...one.profile,
      }
      const runner = makeAcpRunner(profile, { project: '/', data: '/', executable: async () => program.path })
      return { outcome: runner.run(agentCall(prompt, { cwd: temporaryFolder(), ...more }), { ...told.context, env }), ...told }
    }

    test('answers with its text and its tokens', async () => {
      const { outcome, children } = start('Do it [[text]]')
      const ended: AgentOutcome = await outcome
      expect(ended).toMatchObject({
        kind: 'ok',
        output: expect.stringContaining('Hello from the fake model (text).'),
        session: expect.any(String),
      })
      expect(ended.kind === 'ok' && ended.usage.outputTokens).toBeGreaterThan(0)
      expect(children.map(isAlive)).toEqual([false])
    })

    test('hands in a value of the wanted shape without a question', async () => {
      const asked: string[] = []
      const onPermission: AgentContext['onPermission'] = async ({ tool }) => {
        asked.push(tool)
        return 'deny'
      }
      const { outcome } = start('Do it [[json]]', { schema: SCHEMA }, { onPermission })
      expect(await outcome).toMatchObject({ kind: 'ok', output: { title: 'simulated' } })
      expect(asked).toEqual([])
    })

    test('uses a tool when it is allowed, and goes on without it when it is not', async () => {
      for (const answer of ['allow-once', 'deny'] as const) {
        const cwd = temporaryFolder()
        const asked: string[] = []
        const onPermission: AgentContext['onPermission'] = async ({ tool }) => {
          asked.push(tool)
          return answer
        }
        const prompt = one.name === 'codex-acp' ? 'Do it [[tool:escalate]]' : 'Do it [[tool:echo]]'
        const { outcome } = start(prompt, { cwd }, { onPermission })
        expect(await outcome).toMatchObject({ kind: 'ok' })
        expect(asked).toEqual(['Bash'])
        expect(existsSync(join(cwd, 'tool-ran.txt'))).toBe(answer === 'allow-once')
      }
    })

    test('leaves nothing when it is stopped in the middle of a tool', async () => {
      const { outcome, events, children, stop } = start('Do it [[tool:endless]]')
      await until(() => events.some(({ kind }) => kind === 'tool-started'), 'the tool is told', 90_000)
      const family = await until(() => {
        const found = familyOf(children)
        return found.length > 1 && found
      }, 'the tool runs')
      stop.abort()
      expect(await outcome).toEqual({ kind: 'cancelled' })
      await until(() => !family.some(isAlive), 'all of them are gone', 5000)
    })

    test('halts the run when the key is refused', async () => {
      expect(await start('Do it [[401]]').outcome).toMatchObject({ kind: 'halt', reason: 'auth' })
    })
  })
}
