import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeCommandRunner } from '../../../main/agents/command/command-agent.ts'
import { promptFor } from '../../../main/agents/command/prompt.ts'
import { Programs } from '../../../main/agents/programs.ts'
import { Profile, type ProfileOf } from '../../../shared/contract/agents.ts'
import { backendSuite } from '../backend-suite.ts'
import { agentCall, recording, temporaryFolder } from '../process-fixture.ts'

const SCRIPT = join(import.meta.dirname, 'scripted-agent.mjs')
const SCHEMA = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
const USAGE = { inputTokens: 'in ([\\d,]+)', cachedInputTokens: 'cached (\\d+)', outputTokens: 'out (\\d+)', cost: 'cost \\$([\\d.]+)' }

type Options = Partial<ProfileOf<'command'>['options']>

function runner(options: Options = {}, more: { command?: string; args?: string[] } = {}) {
  const profile = Profile.parse({ name: 'mine', backend: 'command', command: process.execPath, args: [SCRIPT], options, ...more })
  const [project, data] = [temporaryFolder(), temporaryFolder()]
  const programs = new Programs({ project, data, env: { PATH: process.env['PATH'], SHELL: '/bin/false' } })
  const deps = { project, data, executable: () => programs.find(profile.command ?? '') }
  return makeCommandRunner(profile as ProfileOf<'command'>, deps) // parsed as one above
}

async function outcome(prompt: string, options: Options = {}, more: Parameters<typeof agentCall>[1] & { args?: string[] } = {}) {
  const { args, ...call } = more
  return runner(options, args === undefined ? {} : { args }).run(agentCall(prompt, call), recording().context)
}

backendSuite('a command', {
  make: async () => ({ runner: runner({ usage: USAGE }) }),
  cases: {
    text: { prompt: 'hello', answer: /^heard: hello$/ },
    schema: { prompt: '[[fence]]', schema: SCHEMA, answer: { n: 3 } },
    badSchema: { prompt: '[[prose]]', schema: SCHEMA },
    usage: { prompt: '[[usage]]', outputTokens: 34 },
    hang: { prompt: '[[hang]]', started: (events) => events.some(({ text }) => text === 'at work') },
    signedOut: { prompt: '[[fail:Not logged in. Run /login]]' },
    rateLimited: { prompt: '[[fail:429 Too Many Requests]]' },
    quota: { prompt: '[[fail:You have hit your usage limit, resets 2030-01-31T12:00:00Z]]', resetAt: '2030-01-31T12:00:00.000Z' },
    serverError: { prompt: '[[fail:500 internal server error]]' },
  },
})

describe('the prompt of a command', () => {
  test('comes on stdin, or as an argument where the profile puts it', async () => {
    const prompt = 'a "b" $HOME `c`\n  d ü \u2028'
    expect(await outcome(prompt)).toMatchObject({ output: `heard: ${prompt}` })
    expect(await outcome(prompt, { input: 'argument' })).toMatchObject({ output: `heard: ${prompt}` })
    expect(await outcome('x $& y', { input: 'argument' }, { args: [SCRIPT, '--say', 'it: {prompt}!'] })).toMatchObject({
      output: 'heard: it: x $& y!',
    })
  })

  test('is led by the instructions, and followed by the schema in words', async () => {
    expect(await outcome('do it', {}, { instructions: 'You review.' })).toMatchObject({ output: 'heard: You review.\n\ndo it' })
    expect(promptFor({ prompt: 'do it', schema: SCHEMA })).toMatch(/^do it\n\nAnswer with one JSON value .*JSON Schema:\n\{"type":"object"/)
  })
})

describe('the answer of a command', () => {
  test('is text, JSON, or the part of the JSON that the profile names', async () => {
    expect(await outcome('[[json]]', { output: 'json' })).toMatchObject({ output: { n: 3, result: { list: [1, 2] } } })
    expect(await outcome('[[json]]', { output: { field: 'result.text' } })).toMatchObject({ output: 'inside' })
    expect(await outcome('[[json]]', { output: { field: 'result.list.-1' } })).toMatchObject({ output: 2 })
    expect(await outcome('[[json]]', { output: { field: 'result.gone' } })).toMatchObject({
      kind: 'dead',
      detail: expect.stringContaining('has no “result.gone”'),
    })
    expect(await outcome('[[prose]]', { output: 'json' })).toMatchObject({
      kind: 'dead',
      detail: 'The program was to write JSON and wrote: I would rather not.',
    })
  })

  test('is JSON where a schema is given, and stays text for the schema’s check where it is none', async () => {
    expect(await outcome('[[json]]', {}, { schema: SCHEMA })).toMatchObject({ output: { n: 3 } })
    expect(await outcome('[[prose]]', {}, { schema: SCHEMA })).toMatchObject({ kind: 'ok', output: 'I would rather not.\n' })
  })
})

describe('the end of a command', () => {
  test('tells usage and cost by the patterns of the profile', async () => {
    expect(await outcome('[[usage]]', { usage: USAGE })).toMatchObject({
      usage: { inputTokens: 1200, cachedInputTokens: 200, outputTokens: 34 },
      cost: 0.05,
    })
    expect(await outcome('[[usage]]')).toMatchObject({ usage: { inputTokens: 0, outputTokens: 0 }, cost: null })
  })

  test('is what the profile says of its exit code', async () => {
    const exitCodes = { 7: 'auth', 8: 'refused', 9: 'rate-limited', 10: 'quota' } as const
    expect(await outcome('[[exit:7]]', { exitCodes })).toEqual({ kind: 'halt', reason: 'auth', detail: 'it went wrong' })
    expect(await outcome('[[exit:8]]', { exitCodes })).toMatchObject({ kind: 'dead', reason: 'refused', retryable: false })
    expect(await outcome('[[exit:9]]', { exitCodes })).toMatchObject({ kind: 'dead', reason: 'rate-limited', retryable: true })
    expect(await outcome('[[exit:10]]', { exitCodes })).toMatchObject({ kind: 'halt', reason: 'quota' })
    expect(await outcome('[[exit:3]]', { exitCodes })).toMatchObject({
      kind: 'dead',
      reason: 'agent-error',
      detail: 'The program exited with 3: it went wrong',
    })
  })

  test('is what the profile says of its words, also when it exits with 0', async () => {
    const failures = [{ pattern: '^no credit', reason: 'quota' as const }]
    expect(await outcome('[[polite:no credit, try again in 2h]]', { failures })).toMatchObject({
      kind: 'halt',
      reason: 'quota',
      resetAt: expect.stringMatching(/Z$/),
    })
    expect(await outcome('[[polite:credit]]', { failures })).toMatchObject({ kind: 'ok', output: 'credit' })
  })

  test('is a sentence with what is missing when it can’t be started', async () => {
    await expect(runner({}, { command: 'no-such-agent' }).run(agentCall('x'), recording().context)).rejects.toMatchObject({
      code: 'agent-unreachable',
      message: "Can't start `no-such-agent`: not found on PATH. Nothing was lost.",
    })
    const gone = join(temporaryFolder(), 'gone')
    expect(await outcome('x', {}, { cwd: gone })).toMatchObject({
      kind: 'dead',
      detail: expect.stringContaining(`its folder ${gone} isn't there`),
    })
    const file = join(temporaryFolder(), 'agent')
    writeFileSync(file, '#!/no/such/interpreter\n')
    chmodSync(file, 0o755)
    expect(await runner({}, { command: file }).run(agentCall('x'), recording().context)).toMatchObject({
      kind: 'dead',
      detail: expect.stringContaining(file),
    })
  })
})

test('a command may read what the call asks besides its prompt', async () => {
  const call = { model: 'm1', allowedTools: ['Read', 'Grep'], readOnly: true, maxTokens: 5 }
  const said = async (name: string) => ((await outcome(`[[env:${name}]]`, {}, call)) as { output: string }).output
  expect([await said('REPRISE_MODEL'), await said('REPRISE_ALLOWED_TOOLS'), await said('REPRISE_READ_ONLY')]).toEqual([
    'm1',
    'Read,Grep',
    '1',
  ])
})
