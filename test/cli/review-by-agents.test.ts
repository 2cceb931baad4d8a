/** The review example from end to end through the built command: by the real gemini program, and by a model behind an HTTP endpoint. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RunView } from '../../shared/run/view.ts'
import { geminiEnvironment } from '../agents/acp/gemini-home.ts'
import { FakeApi } from '../agents/fake-api/fake-api.ts'
import { agentProgram } from '../agents/programs.ts'
import { TestProject } from '../support/reprise.ts'

const REVIEW = readFileSync(resolve('examples/review.workflow.js'))
const gemini = agentProgram('gemini')

let api: FakeApi
let project: TestProject
beforeAll(async () => {
  api = await FakeApi.start()
})
beforeEach(() => {
  api.forget()
  project = new TestProject()
  const options = { provider: 'openai-compatible', baseUrl: `${api.url}/v1`, keyName: 'ENDPOINT_KEY' }
  const profiles = [
    { name: 'local', backend: 'api', model: 'fake-model', env: { ENDPOINT_KEY: 'key' }, permissions: 'ask', options },
    {
      name: 'gemini',
      backend: 'acp',
      command: gemini.path,
      permissions: 'ask',
      passEnv: ['GEMINI_API_KEY', 'GOOGLE_GEMINI_BASE_URL', 'GEMINI_CLI_HOME'],
    },
  ]
  project.write('.claude/reprise.json', JSON.stringify({ profiles }))
})
afterEach(() => project.remove())
afterAll(() => api.close())

async function review(agent: string, env: Record<string, string> = {}) {
  const file = project.write('review.workflow.js', REVIEW)
  const args = ['run', file, '--agent', agent, '--args', '{"areas":["one area"]}', '--concurrency', '2', '--yes', '--json']
  const { code, stdout, stderr } = await project.run(args, { env })
  expect([code, stderr]).toEqual([0, expect.any(String)])
  const view = await project.json<RunView>('show', 'last')
  return { document: JSON.parse(stdout) as { status: string; counts: object; tokens: number }, view }
}

test('a review by a model behind an endpoint completes with its tokens', { timeout: 60_000 }, async () => {
  const { document, view } = await review('local')
  expect(document).toMatchObject({ status: 'completed', counts: { ok: 5, dead: 0, live: 5 }, tokens: 5 * 22 })
  expect(view.calls.map(({ backend }) => backend)).toEqual(Array(5).fill('api'))
  expect(api.requests.map(({ key }) => key)).toEqual(Array(5).fill('Bearer key'))
})

describe.skipIf(!gemini.installed)(gemini.title, () => {
  test('a review by gemini completes with its tokens', { timeout: 180_000 }, async () => {
    const { document, view } = await review('gemini', geminiEnvironment(project.outside, api.url))
    expect(document).toMatchObject({ status: 'completed', counts: { ok: 5, dead: 0, live: 5 } })
    expect(document.tokens).toBeGreaterThan(5 * 22)
    expect(view.calls.map(({ backend }) => backend)).toEqual(Array(5).fill('acp'))
  })
})
