import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtInRunners } from '../../main/agents/runners.ts'
import { temporaryFolder } from './process-fixture.ts'

async function backend(defaultAgent: string | null, request: { agentType?: string; model?: string }, project = temporaryFolder()) {
  const runner = await builtInRunners({ project, defaultAgent }).resolve({ prompt: 'x', ...request })
  return 'refused' in runner ? runner : runner.backend
}

test('a call that names a profile gets it', async () => {
  expect(await backend('simulated', { agentType: 'shell' })).toBe('shell')
  expect(await backend(null, { agentType: 'simulated' })).toBe('simulated')
})

test("every other known name plays its role on the run's default agent", async () => {
  const project = temporaryFolder()
  mkdirSync(join(project, '.claude', 'agents'), { recursive: true })
  writeFileSync(join(project, '.claude', 'agents', 'reviewer.md'), 'You review.')
  for (const agentType of ['general-purpose', 'Explore', 'Plan', 'reviewer']) {
    expect(await backend('simulated', { agentType }, project)).toBe('simulated')
  }
  expect(await backend('shell', {})).toBe('shell')
})

test('an unknown name is refused with the names that are known', async () => {
  expect(await backend('simulated', { agentType: 'nobody' })).toEqual({
    refused: 'unknown-agent',
    detail:
      'There is no agent "nobody" here. Use one of general-purpose, Explore, Plan, shell, simulated, or define it in .claude/agents/nobody.md',
  })
})

test('without a default agent a call that needs one is refused with what to choose', async () => {
  expect(await backend(null, {})).toEqual({
    refused: 'unknown-agent',
    detail: 'No default agent is chosen. Choose one of shell, simulated',
  })
  expect(await backend('gone', {})).toMatchObject({ detail: expect.stringContaining('"gone" is not known') })
})

test('an unknown model is refused, but the simulated agent plays any', async () => {
  expect(await backend('shell', { model: 'gpt-0' })).toMatchObject({ refused: 'unknown-model' })
  expect(await backend('shell', { model: 'haiku' })).toBe('shell')
  expect(await backend('simulated', { model: 'gpt-0' })).toBe('simulated')
})
