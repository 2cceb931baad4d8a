/**
 * What every backend has to keep, as a table of cases. A backend says how to make its runner and how to bring about each case:
 * by a marker in the prompt, a scripted program or a fake of its model's API.
 */
import { describe, expect, test } from 'vitest'
import type { AgentCall, AgentOutcome, AgentRunner, PermissionAnswer } from '../../main/agents/agent-runner.ts'
import { familyOf } from '../../main/agents/process-tree.ts'
import type { AgentEvent } from '../../main/engine/ports.ts'
import type { Json } from '../../shared/json.ts'
import { agentCall, recording, until } from './process-fixture.ts'

/** How a backend brings a case about; a case that it can't have is left out, with its reason in the backend's own test. */
export interface BackendWorld {
  /** A runner, and what its environment has besides. Made anew for each case. */
  make(): Promise<{ runner: AgentRunner; env?: Readonly<Record<string, string>> }>
  cases: {
    /** A prompt that is answered with this text. */
    text: { prompt: string; answer: string | RegExp }
    /** A prompt with a schema, answered with this value. */
    schema?: { prompt: string; schema: Json; answer: Json }
    /** Answers with the schema broken. */
    badSchema?: { prompt: string; schema: Json }
    /** Uses a tool that needs no question, then answers. */
    tool?: { prompt: string; more?: Partial<AgentCall> }
    /** Tokens that the backend tells. */
    usage?: { prompt: string; outputTokens: number }
    /** Asks to use a tool; `done` is true when it was really used. */
    permission?: { prompt: string; more?: Partial<AgentCall>; done?: () => boolean }
    /** Works until it is stopped, in the middle of a tool where the backend has tools. */
    hang: { prompt: string; started: (events: readonly AgentEvent[]) => boolean; more?: Partial<AgentCall> }
    signedOut?: { prompt: string }
    rateLimited?: { prompt: string }
    quota?: { prompt: string; resetAt?: string | RegExp }
    serverError?: { prompt: string }
    malformed?: { prompt: string }
  }
  /** Milliseconds that one case may take. */
  timeoutMs?: number
}

/** How long what was stopped may still be there. */
const GONE_MS = 5000

export function backendSuite(name: string, world: BackendWorld): void {
  const { cases, timeoutMs = 30_000 } = world

  async function ask(prompt: string, more: Partial<AgentCall> = {}, answer: PermissionAnswer = 'allow-once') {
    const { runner, env = {} } = await world.make()
    const questions: string[] = []
    const record = recording({
      onPermission: async ({ tool }) => {
        questions.push(tool)
        return answer
      },
    })
    const context = { ...record.context, env: { ...record.context.env, ...env } }
    const outcome = await runner.run(agentCall(prompt, more), context)
    await runner.close?.()
    return { outcome, questions, ...record }
  }

  /** Case `title`, when the backend has what it needs. */
  function row<T>(title: string, given: T | undefined, check: (given: T) => Promise<void>): void {
    if (given !== undefined) test(title, { timeout: timeoutMs }, () => check(given))
  }

  describe(`${name}, as every backend,`, () => {
    row('answers with the text', cases.text, async ({ prompt, answer }) => {
      const { outcome } = await ask(prompt)
      expect(outcome).toMatchObject({ kind: 'ok', output: expect.stringMatching(answer) })
    })

    row('answers with the value that the schema asks for', cases.schema, async ({ prompt, schema, answer }) => {
      expect((await ask(prompt, { schema })).outcome).toMatchObject({ kind: 'ok', output: answer })
    })

    row('gives a wrong answer as it came, or dies of it', cases.badSchema, async ({ prompt, schema }) => {
      const { outcome } = await ask(prompt, { schema })
      if (outcome.kind !== 'ok') expect(outcome).toMatchObject({ kind: 'dead', reason: 'schema-mismatch' })
    })

    row('tells of its tools while it works', cases.tool, async ({ prompt, more }) => {
      const { outcome, events } = await ask(prompt, more)
      expect(outcome.kind).toBe('ok')
      expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['tool-started', 'tool-ended']))
    })

    row('tells what it used', cases.usage, async ({ prompt, outputTokens }) => {
      expect((await ask(prompt)).outcome).toMatchObject({ kind: 'ok', usage: { outputTokens } })
    })

    row('uses a tool when it is allowed to', cases.permission, async ({ prompt, more, done }) => {
      const { outcome, questions } = await ask(prompt, more, 'allow-once')
      expect(questions.length).toBeGreaterThan(0)
      expect(outcome.kind).toBe('ok')
      if (done !== undefined) expect(done()).toBe(true)
    })

    row('goes on without a tool that is denied', cases.permission, async ({ prompt, more, done }) => {
      const before = done?.() ?? false
      const { outcome, questions } = await ask(prompt, more, 'deny')
      expect(questions.length).toBeGreaterThan(0)
      expect(outcome.kind).toBe('ok')
      if (done !== undefined && !before) expect(done()).toBe(false)
    })

    row('leaves no process 5 s after it was stopped', cases.hang, async ({ prompt, started, more }) => {
      const { runner, env = {} } = await world.make()
      const { context, events, children, stop } = recording()
      const running = runner.run(agentCall(prompt, more), { ...context, env: { ...context.env, ...env } })
      await until(() => started(events), 'it is at work', timeoutMs)
      const family = familyOf(children)
      expect(family.length).toBeGreaterThan(0)
      stop.abort()
      expect(await running).toEqual({ kind: 'cancelled' })
      await runner.close?.()
      const left = () => familyOf([...children, ...family], { REPRISE_RUN: 'run', REPRISE_CALL: '1' })
      await until(() => left().length === 0, `nothing of it is left, but ${JSON.stringify(left())}`, GONE_MS)
    })

    row('starts nothing when it was stopped before', cases.hang, async ({ prompt, more }) => {
      const { runner, env = {} } = await world.make()
      const { context, children, stop } = recording()
      stop.abort()
      expect(await runner.run(agentCall(prompt, more), { ...context, env: { ...context.env, ...env } })).toEqual({ kind: 'cancelled' })
      await runner.close?.()
      expect(familyOf(children)).toEqual([])
    })

    row('pauses the run when nobody is signed in', cases.signedOut, async ({ prompt }) => {
      expect((await ask(prompt)).outcome).toMatchObject({ kind: 'halt', reason: 'auth', detail: expect.stringMatching(/\S/) })
    })

    row('waits and tries again when it is limited', cases.rateLimited, async ({ prompt }) => {
      expect((await ask(prompt)).outcome).toMatchObject({ kind: 'dead', reason: 'rate-limited', retryable: true })
    })

    row('pauses the run when the quota is used up, and says until when', cases.quota, async ({ prompt, resetAt }) => {
      const { outcome } = await ask(prompt)
      expect(outcome).toMatchObject({ kind: 'halt', reason: 'quota' })
      if (resetAt !== undefined) expect(outcome).toMatchObject({ resetAt: expect.stringMatching(resetAt) })
    })

    row('dies of a failing server and may be tried again', cases.serverError, async ({ prompt }) => {
      expect((await ask(prompt)).outcome).toMatchObject({ kind: 'dead', reason: 'agent-error', retryable: true })
    })

    row('dies of an answer that nobody can read', cases.malformed, async ({ prompt }) => {
      expect((await ask(prompt)).outcome).toMatchObject({ kind: 'dead', reason: 'agent-error' })
    })

    row('does eight calls at once', cases.text, async ({ prompt, answer }) => {
      const { runner, env = {} } = await world.make()
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, index): Promise<AgentOutcome> => {
          const { context } = recording()
          return runner.run(agentCall(prompt, { call: index + 1 }), { ...context, env: { ...context.env, ...env } })
        }),
      )
      await runner.close?.()
      for (const outcome of outcomes) expect(outcome).toMatchObject({ kind: 'ok', output: expect.stringMatching(answer) })
    })
  })
}
