import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentRunners } from '../../main/agents/runners.ts'
import { temporaryFolder } from './process-fixture.ts'

function runners(defaultAgent: string | null, project = temporaryFolder(), more: { isTrusted?: (sha256: string) => boolean } = {}) {
  return agentRunners({ project, data: temporaryFolder(), defaultAgent, env: { PATH: '/nowhere', SHELL: '/bin/false' }, ...more })
}

async function backend(defaultAgent: string | null, request: { agentType?: string; model?: string }) {
  const agent = await runners(defaultAgent).resolve({ prompt: 'x', ...request })
  return 'refused' in agent ? agent : agent.runner.backend
}

test('a call that names a profile gets it, any other the default agent', async () => {
  expect(await backend('simulated', { agentType: 'shell' })).toBe('shell')
  expect(await backend(null, { agentType: 'simulated' })).toBe('simulated')
  expect(await backend('simulated', { agentType: 'Explore' })).toBe('simulated')
  expect(await backend('shell', {})).toBe('shell')
})

test('an unknown model is refused, but the simulated agent plays any', async () => {
  expect(await backend('shell', { model: 'gpt-0' })).toMatchObject({ refused: 'unknown-model' })
  expect(await backend('shell', { model: 'haiku' })).toBe('shell')
  expect(await backend('simulated', { model: 'gpt-0' })).toBe('simulated')
})

test('all calls of a profile share one runner', async () => {
  const agents = runners('shell')
  const [one, two] = [await agents.resolve({ prompt: 'a' }), await agents.resolve({ prompt: 'b', agentType: 'general-purpose' })]
  expect('runner' in one && 'runner' in two && one.runner === two.runner).toBe(true)
})

test("a project's own profile starts nothing until its file is trusted", async () => {
  const project = temporaryFolder()
  mkdirSync(join(project, '.claude'))
  writeFileSync(join(project, '.claude', 'reprise.json'), '{"profiles": [{"name": "quick", "backend": "shell"}]}')
  const request = { prompt: 'x', agentType: 'quick' }
  expect(await runners(null, project, { isTrusted: () => false }).resolve(request)).toMatchObject({
    refused: 'refused',
    detail: expect.stringContaining('reprise.json, which is not trusted as it is now'),
  })
  expect(await runners(null, project, { isTrusted: (sha256) => sha256.length === 64 }).resolve(request)).toHaveProperty('runner')
})
