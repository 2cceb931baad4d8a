/**
 * What holds for every agent program, tried with the real program against the fake of its model's API. Each has a home of its
 * own and no variable of ours but PATH: no key of a developer is ever used.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AgentCall, AgentContext, AgentOutcome, AgentRunner } from '../../main/agents/agent-runner.ts'
import { familyOf, isAlive, type ProcessId } from '../../main/agents/process-tree.ts'
import type { AgentEvent, Clock, Outcome, PermissionQuestion } from '../../main/engine/ports.ts'
import { LocalExecutor } from '../../main/host/local-executor.ts'
import { PERMISSION_MS } from '../../main/host/permissions.ts'
import { systemClock } from '../../main/host/system-clock.ts'
import { FakeApi } from './fake-api/fake-api.ts'
import { agentCall, playedBy, temporaryFolder, until } from './process-fixture.ts'
import type { Program } from './programs.ts'

export interface ProgramCase {
  program: Program
  /** The runner of a profile that asks, with what the program needs to talk to the fake. */
  runner(file: string): AgentRunner
  env(api: string, home: string): Record<string, string>
  /** Its tool that runs commands, as it names it when it asks. */
  shell: string
  /** The program itself asks the model again after an answer that breaks the schema. */
  repairs: boolean
  /** Its prices are known to it. */
  tellsCost: boolean
  key: string
  /** What the fake's marker makes it ask a permission for. */
  asking: string
}

/** A program at work: one fake API and one home for a group of tests. */
export class Stage {
  readonly api: FakeApi
  readonly home = temporaryFolder()
  readonly runner: AgentRunner
  private readonly runId = `run-${randomUUID()}`
  private readonly env: Record<string, string>
  private calls = 0

  constructor(api: FakeApi, one: ProgramCase) {
    this.api = api
    this.runner = one.runner(one.program.path)
    this.env = { PATH: process.env['PATH'] ?? '', HOME: this.home, LANG: 'C.UTF-8', ...one.env(api.url, this.home) }
  }

  /** Runs a task as a run does, with a clock that has no patience with questions. */
  async task(prompt: string, timeoutMs: number | null = null): Promise<{ cwd: string; asked: string[]; ended: Outcome }> {
    const cwd = temporaryFolder()
    const after: Clock['after'] = (ms, signal) => (ms === PERMISSION_MS ? Promise.resolve() : systemClock.after(ms, signal))
    const executor = new LocalExecutor({
      ...{ cwd, slots: 1, defaultAgent: null, clock: { ...systemClock, after }, env: this.env },
      runners: {
        ...playedBy(this.runner, { permissions: 'ask', passEnv: Object.keys(this.env) }),
        path: async () => this.env['PATH'] ?? '',
      },
    })
    this.calls += 1
    const id = `${this.runId}.${this.calls}`
    const name = { id, runId: this.runId, call: this.calls, attempt: 1, generation: 1, kind: 'agent' as const }
    await executor.accept([{ ...name, request: { prompt }, needs: [], workspace: null, timeoutMs, repeatable: false }])
    const asked: string[] = []
    const ended = await new Promise<Outcome>((resolve) => {
      const nothing = () => {}
      const on = { started: nothing, session: nothing, event: nothing, answered: nothing }
      executor.attach(id, { ...on, asked: ({ tool }) => void asked.push(tool), ended: resolve })
    })
    return { cwd, asked, ended }
  }

  probe(): Pick<AgentContext, 'signal' | 'env' | 'onSpawn'> {
    return { signal: new AbortController().signal, env: this.env, onSpawn: () => {} }
  }

  /** Starts a call in a folder of its own. */
  start(prompt: string, more: Partial<AgentCall> = {}, context: Partial<AgentContext> = {}, env: Record<string, string> = {}): Going {
    const cwd = more.cwd ?? temporaryFolder()
    const stop = new AbortController()
    this.calls += 1
    const id = { runId: this.runId, call: this.calls }
    const marks = { REPRISE_RUN: id.runId, REPRISE_CALL: String(id.call) }
    const going: Omit<Going, 'outcome'> = { cwd, stop, marks, events: [], questions: [], children: [], sessions: [] }
    const whole: AgentContext = {
      signal: stop.signal,
      onEvent: (event) => going.events.push(event),
      onPermission: async (question) => {
        going.questions.push(question)
        return 'allow-once'
      },
      onSpawn: (child) => going.children.push(child),
      onSession: (id) => going.sessions.push(id),
      env: { ...this.env, ...marks, ...env },
      ...context,
    }
    return { ...going, outcome: this.runner.run(agentCall(prompt, { ...id, cwd, project: cwd, permissions: 'ask', ...more }), whole) }
  }
}

export interface Going {
  cwd: string
  stop: AbortController
  /** The variables by which its processes are known. */
  marks: { REPRISE_RUN: string; REPRISE_CALL: string }
  events: AgentEvent[]
  questions: PermissionQuestion[]
  children: ProcessId[]
  sessions: string[]
  outcome: Promise<AgentOutcome>
}

export const SCHEMA = {
  type: 'object',
  properties: { title: { type: 'string' }, score: { type: 'integer' } },
  required: ['title', 'score'],
  additionalProperties: false,
}
export const VALUE = { title: 'simulated', score: 0 }

/** For a machine on which much else works. */
const BUSY_MS = 90_000
/** How long the system may take to let go of everything after a stop. */
const GONE_MS = 5000

export function describeProgram(one: ProgramCase, more?: (stage: () => Stage) => void): void {
  describe.skipIf(!one.program.installed)(one.program.title, { timeout: BUSY_MS }, () => {
    let stage: Stage

    beforeAll(async () => {
      stage = new Stage(await FakeApi.start(), one)
      mkdirSync(join(stage.home, 'tmp'))
    })
    beforeEach(() => stage.api.forget())
    afterAll(async () => {
      await stage.runner.close?.()
      await stage.api.close()
    })

    test('a text comes with its words as they are said, its tokens and its session', async () => {
      const call = stage.start('Say it [[text]]', { model: 'some-model', instructions: 'You are a careful reviewer.' })
      const text = 'Hello from the fake model (text).'
      const outcome = await call.outcome
      expect(outcome).toMatchObject({ kind: 'ok', output: text, usage: { outputTokens: 22 } })
      expect('usage' in outcome && outcome.usage.inputTokens).toBeGreaterThanOrEqual(11)
      expect('usage' in outcome && outcome.usage.cachedInputTokens).toBe(3)
      if (one.tellsCost) expect('cost' in outcome && outcome.cost).toBeGreaterThan(0)
      expect(call.events.filter((event) => event.kind === 'text').map((event) => event.text)).toEqual([text])
      expect(call.events.some((event) => event.kind === 'usage')).toBe(true)
      expect(call.children).toHaveLength(1)
      expect(call.sessions).toHaveLength(1)
      const [request] = stage.api.requests
      expect(stage.api.requests).toHaveLength(1)
      expect(request?.key).toBe(one.key)
      expect(request?.question.model).toBe('some-model')
      expect(JSON.stringify(request?.body)).toContain('You are a careful reviewer.')
    })

    test('a prompt reaches the model byte for byte', async () => {
      const prompt = '/clear @package.json "$HOME" `ls` \u2028 é 😀 <b>&amp;</b>\n# memory\n!ls\n\\n [[text]]'
      await stage.start(prompt).outcome
      expect(stage.api.requests[0]?.question.said).toContain(prompt)
    })

    test('a value keeps to the schema', async () => {
      expect(await stage.start('[[json]]', { schema: SCHEMA }).outcome).toMatchObject({ kind: 'ok', output: VALUE })
    })

    test('a value that breaks the schema is asked for again', async () => {
      const first = await stage.start('[[bad-json]]', { schema: SCHEMA }).outcome
      if (!one.repairs) expect(first).toMatchObject({ kind: 'ok', output: { unexpected: true } })
      // Where the program does not mind, the engine asks again.
      const last = one.repairs ? first : await stage.start('[[bad-json]]', { schema: SCHEMA, generation: 2 }).outcome
      expect(last).toMatchObject({ kind: 'ok', output: VALUE })
      expect(stage.api.requests.length).toBeGreaterThanOrEqual(2)
    })

    test('a tool is asked for, used and shown', async () => {
      const call = stage.start(one.asking)
      expect(await call.outcome).toMatchObject({ kind: 'ok', output: expect.stringContaining('Hello') })
      expect(call.questions).toMatchObject([{ tool: one.shell, input: expect.objectContaining({ command: expect.anything() }) }])
      expect(call.questions[0]?.title).toMatch(/tool-ran/)
      expect(existsSync(join(call.cwd, 'tool-ran.txt'))).toBe(true)
      const tools = call.events.filter((event) => event.kind.startsWith('tool-'))
      expect(tools).toMatchObject([
        { kind: 'tool-started', text: expect.stringContaining('tool-ran') },
        { kind: 'tool-ended', text: expect.not.stringContaining('failed') },
      ])
    })

    test('a denied tool is not used, and the agent goes on', async () => {
      const call = stage.start(one.asking, {}, { onPermission: async () => 'deny' })
      expect(await call.outcome).toMatchObject({ kind: 'ok', output: expect.stringContaining('Hello') })
      expect(existsSync(join(call.cwd, 'tool-ran.txt'))).toBe(false)
      expect(stage.api.requests.at(-1)?.question.toolResults).toBe(1)
    })

    test('a permission that nobody answers is denied after its time, and the agent goes on', async () => {
      const { cwd, asked, ended } = await stage.task(one.asking)
      expect(asked).toEqual([one.shell])
      expect(ended).toMatchObject({ kind: 'ok', output: { inline: expect.stringContaining('Hello') } })
      expect(existsSync(join(cwd, 'tool-ran.txt'))).toBe(false)
    })

    test('a stop while a permission is open ends the call', async () => {
      let isAsked = false
      const onPermission = (): Promise<never> => {
        isAsked = true
        return new Promise(() => {})
      }
      const call = stage.start(one.asking, {}, { onPermission })
      await until(() => isAsked, 'the agent asks')
      call.stop.abort()
      expect(await call.outcome).toEqual({ kind: 'cancelled' })
      expect(existsSync(join(call.cwd, 'tool-ran.txt'))).toBe(false)
    })

    test('a stop in the middle of a tool leaves none of its processes', async () => {
      const call = stage.start('[[tool:endless]]', { permissions: 'full' })
      const tool = await until(() => toolOf(call), 'the tool works', 20_000)
      call.stop.abort()
      expect(await call.outcome).toEqual({ kind: 'cancelled' })
      await until(() => !tool.some((one) => isAlive(one)), 'the tool is gone', GONE_MS)
    })

    test('a stop while the model is silent breaks the request off', async () => {
      const call = stage.start('[[hang]]')
      const request = await stage.api.asked((one) => one.marker === 'hang')
      call.stop.abort()
      expect(await call.outcome).toEqual({ kind: 'cancelled' })
      expect(await request.aborted).toBe(true)
    })

    test('a call that takes longer than its time ends with it', async () => {
      const { ended } = await stage.task('[[hang:timeout]]', 3000)
      expect(ended).toMatchObject({ kind: 'dead', reason: 'timeout', retryable: false })
      const begun = stage.api.requests.find((request) => request.marker === 'hang:timeout')
      if (begun !== undefined) expect(await begun.aborted).toBe(true)
    })

    test('a failure of the model says what it means for the run', async () => {
      const markers = ['401', '403', '429', 'usage-limit:3pm', '500', '529', 'malformed', 'drop']
      const ends = await Promise.all(markers.map((marker) => stage.start(`[[${marker}]]`).outcome))
      const quota = { kind: 'halt', reason: 'quota' }
      const dead = { kind: 'dead', retryable: true }
      expect(Object.fromEntries(markers.map((marker, index) => [marker, ends[index]]))).toMatchObject({
        '401': { kind: 'halt', reason: 'auth' },
        '403': { kind: 'halt', reason: 'auth' },
        '429': quota,
        'usage-limit:3pm': { ...quota, resetAt: expect.any(String) },
        '500': { ...dead, reason: 'agent-error' },
        '529': { ...dead, reason: 'rate-limited' },
        malformed: dead,
        drop: dead,
      })
      expect(ends.every((end) => 'detail' in end && end.detail.length > 10)).toBe(true)
    })

    test('eight calls at once all get their own answer', async () => {
      const calls = Array.from({ length: 8 }, (_, index) => stage.start(`Number ${index} [[text:n${index}]]`))
      const ends = await Promise.all(calls.map((call) => call.outcome))
      expect(ends.map((end) => ('output' in end ? end.output : end))).toEqual(
        calls.map((_, index) => `Hello from the fake model (text:n${index}).`),
      )
    })

    test('a stopped call can go on in its own session', async () => {
      const first = stage.start('Remember the number 4711 [[hang]]')
      await stage.api.asked()
      const session = await until(() => first.sessions[0], 'the session is told')
      first.stop.abort()
      await first.outcome
      stage.api.forget()
      const second = stage.start('Go on [[text]]', { cwd: first.cwd, session })
      expect(await second.outcome).toMatchObject({ kind: 'ok', output: 'Hello from the fake model (text).' })
      expect(stage.api.requests[0]?.question.said).toContain('4711')
      expect(second.sessions).toEqual([session])
    })

    test('a session that is gone is said so, and not tried again', async () => {
      const call = stage.start('Go on', { session: '01234567-89ab-4cde-8f01-23456789abcd' })
      expect(await call.outcome).toMatchObject({
        kind: 'dead',
        reason: 'agent-error',
        retryable: false,
        detail: expect.stringMatching(/session/i),
      })
    })

    more?.(() => stage)
  })
}

/** The processes of a call's endless tool, once it works: what has its marks, but for the program itself. */
function toolOf(call: Going): ProcessId[] | null {
  if (!call.events.some((event) => event.kind === 'tool-started')) return null
  const family = familyOf([], call.marks).filter((one) => !call.children.some((child) => child.pid === one.pid))
  return family.length > 0 ? family : null
}
