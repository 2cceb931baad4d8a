import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { AgentCall, AgentContext } from '../../main/agents/agent-runner.ts'
import { SimulatedRunner } from '../../main/agents/simulated.ts'
import { agentCall, linesOf, recording, temporaryFolder, until } from './process-fixture.ts'

const simulated = new SimulatedRunner()
const verdict = { type: 'object', properties: { real: { type: 'boolean' } }, required: ['real'] }

async function answerTo(prompt: string, call: Partial<AgentCall> = {}, context: Partial<AgentContext> = {}) {
  return simulated.run(agentCall(prompt, call), recording(context).context)
}

afterEach(() => vi.unstubAllEnvs())

describe('the simulated answer', () => {
  test('is the first line of the prompt, cut at 80 characters, for ten tokens and no money', async () => {
    const usage = { inputTokens: 0, outputTokens: 10 }
    expect(await answerTo('Read the code\nand more')).toEqual({ kind: 'ok', output: '[simulated] Read the code', usage, cost: 0 })
    expect(await answerTo(`${'é'.repeat(79)}😀😀`)).toMatchObject({ output: `[simulated] ${'é'.repeat(79)}😀` })
    expect(await answerTo('')).toMatchObject({ output: '[simulated] ' })
  })

  test('knows no markers in its text', async () => {
    expect(await answerTo('[[delay:1]]\n[[tokens:5]] Look here [[events:1]]\nmore')).toMatchObject({ output: '[simulated] Look here' })
    expect(await answerTo('a [[link]] and [[b:c]]')).toMatchObject({ output: '[simulated] a [[link]] and [[b:c]]' })
  })

  test('is the smallest instance when a schema is given', async () => {
    expect(await answerTo('x', { schema: verdict })).toMatchObject({ output: { real: false } })
  })

  test('takes about 20 ms, or what the prompt says', async () => {
    const start = performance.now()
    await answerTo('[[delay:150]] x')
    expect(performance.now() - start).toBeGreaterThanOrEqual(140)
  })
})

describe('markers', () => {
  test('[[text:…]] is the answer, also over lines', async () => {
    expect(await answerTo('[[text:one\ntwo]] ignored')).toMatchObject({ output: 'one\ntwo' })
  })

  test('[[json:…]] is the answer to a schema, and may hold brackets of its own', async () => {
    expect(await answerTo('[[json:{"real":true,"at":[[1]]}]] x', { schema: verdict })).toMatchObject({ output: { real: true, at: [[1]] } })
    expect(await answerTo('[[json:[[1]]]]', { schema: {} })).toMatchObject({ output: [[1]] })
  })

  test('[[json:…]] without a schema is a text like every answer without a schema', async () => {
    expect(await answerTo('[[json:{"a": 1}]]')).toMatchObject({ output: '{"a":1}' })
  })

  test('[[tokens:N]] are the tokens used', async () => {
    expect(await answerTo('[[tokens:1234]]')).toMatchObject({ usage: { outputTokens: 1234 } })
    expect(await answerTo('[[tokens:7]] [[die:timeout]]')).toMatchObject({ kind: 'dead', usage: { outputTokens: 7 } })
  })

  test.each([
    ['agent-error', true],
    ['schema-mismatch', false],
    ['timeout', false],
    ['stalled', true],
    ['worktree-failed', true],
    ['refused', false],
    ['rate-limited', true],
    ['unknown-agent', false],
    ['unknown-model', false],
    ['unserialisable', false],
  ])('[[die:%s]] dies of that; worth a retry: %s', async (reason, retryable) => {
    expect(await answerTo(`[[die:${reason}]] x`, { generation: 3 })).toMatchObject({ kind: 'dead', reason, retryable })
  })

  test('[[die:…]] with words of its own is an agent error with these words', async () => {
    expect(await answerTo('[[die:the disk is on fire]]')).toMatchObject({
      kind: 'dead',
      reason: 'agent-error',
      detail: 'the disk is on fire',
    })
  })

  test('[[die:quota]] and [[die:auth]] halt the run, with the time of [[reset:…]]', async () => {
    const reset = '2030-01-31T12:00:00Z'
    expect(await answerTo(`[[die:quota]] [[reset:${reset}]]`)).toMatchObject({ kind: 'halt', reason: 'quota', resetAt: reset })
    const auth = await answerTo('[[die:auth]]')
    expect(auth).toMatchObject({ kind: 'halt', reason: 'auth' })
    expect(auth).not.toHaveProperty('resetAt')
  })

  test('[[die-once:…]] dies at the first start only', async () => {
    expect(await answerTo('[[die-once:stalled]] x')).toMatchObject({ kind: 'dead', reason: 'stalled' })
    expect(await answerTo('[[die-once:stalled]] x', { generation: 2 })).toMatchObject({ kind: 'ok', output: '[simulated] x' })
    expect(await answerTo('[[die-once:quota]] x')).toMatchObject({ kind: 'halt', reason: 'quota' })
  })

  test('[[invalid:N]] breaks the schema with the first N answers, then obeys', async () => {
    const accepts = new Ajv2020().compile(verdict)
    for (const generation of [1, 2, 3]) {
      const outcome = await answerTo('[[invalid:2]]', { schema: verdict, generation })
      expect(accepts('output' in outcome ? outcome.output : null)).toBe(generation === 3)
    }
    expect(await answerTo('[[invalid:1]] free text')).toMatchObject({ output: '[simulated] free text' })
  })

  test('[[hang]] works until it is stopped', async () => {
    const { context, stop, events } = recording()
    let ended = false
    const running = simulated.run(agentCall('[[delay:0]] [[events:1]] [[hang]]'), context).finally(() => {
      ended = true
    })
    await until(() => events.length === 1, 'the event before it hangs')
    expect(ended).toBe(false)
    stop.abort()
    expect(await running).toEqual({ kind: 'cancelled' })
  })

  test('[[ask:TOOL]] asks, each tool in its turn, and goes on without one that is denied', async () => {
    const asked: string[] = []
    const { context, events } = recording({
      onPermission: async (question) => {
        asked.push(question.tool)
        return question.tool === 'Bash' ? 'deny' : 'allow-once'
      },
    })
    const outcome = await simulated.run(agentCall('[[ask:Bash]] [[ask:Edit]] go'), context)
    expect(outcome).toMatchObject({ kind: 'ok', output: '[simulated] go' })
    expect(asked).toEqual(['Bash', 'Edit'])
    expect(events.map((event) => `${event.kind} ${event.text}`)).toEqual([
      'notice Bash was denied; the agent goes on without it',
      'tool-started Edit',
      'tool-ended Edit',
    ])
  })

  test('[[ask:TOOL]] for a tool that the call does not allow is denied unasked', async () => {
    const { context, events } = recording({ onPermission: () => Promise.reject(new Error('asked')) })
    const outcome = await simulated.run(agentCall('[[ask:Bash]]', { allowedTools: ['Read'] }), context)
    expect(outcome.kind).toBe('ok')
    expect(events[0]?.text).toMatch(/^Bash is not among the allowed tools/)
  })

  test('[[events:N]] shows N steps on the way', async () => {
    const { context, events } = recording()
    await simulated.run(agentCall('[[events:3]]'), context)
    expect(events).toEqual([1, 2, 3].map((step) => ({ kind: 'text', text: `Simulated step ${step} of 3` })))
  })

  test.each(['[[delay:soon]]', '[[json:{oops]]', '[[text:no end', '[[ask:]]', '[[reset:tomorrow]]', '[[die]]'])(
    '%s is answered with what is wrong',
    async (prompt) => {
      expect(await answerTo(prompt)).toMatchObject({
        kind: 'dead',
        reason: 'agent-error',
        retryable: false,
        detail: expect.stringContaining('marker'),
      })
    },
  )

  test('a stop ends it at once, whatever it does', async () => {
    const { context, stop } = recording()
    const running = simulated.run(agentCall('[[delay:60000]]'), context)
    stop.abort()
    expect(await running).toEqual({ kind: 'cancelled' })
  })
})

describe('REPRISE_SIM_LOG', () => {
  test('gets one JSON line for each real start, also of those that die', async () => {
    const file = join(temporaryFolder(), 'sim.log')
    vi.stubEnv('REPRISE_SIM_LOG', file)
    await answerTo('first\nline', { call: 3, attempt: 2 })
    await answerTo('[[die:boom]]', { call: 4 })
    const lines = (linesOf(file) ?? []).map((line) => JSON.parse(line) as unknown)
    expect(lines).toEqual([
      { call: 3, prompt: 'first\nline', attempt: 2, at: expect.any(Number) },
      { call: 4, prompt: '[[die:boom]]', attempt: 1, at: expect.any(Number) },
    ])
  })

  test('that can not be written is an error in words, not a start nobody counted', async () => {
    const folder = join(temporaryFolder(), 'folder')
    mkdirSync(folder)
    vi.stubEnv('REPRISE_SIM_LOG', folder)
    expect(await answerTo('x')).toMatchObject({ kind: 'dead', retryable: false, detail: expect.stringContaining(folder) })
  })
})
