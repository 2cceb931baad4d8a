/** Processes for tests: a folder of their own, and waiting for what they write or for their end. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { AgentCall, AgentContext, AgentRunner } from '../../main/agents/agent-runner.ts'
import { childEnvironment } from '../../main/agents/child-environment.ts'
import type { Runners } from '../../main/agents/runners.ts'
import type { AgentEvent } from '../../main/engine/ports.ts'
import { Profile } from '../../shared/contract/agents.ts'

const folders: string[] = []

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'reprise-agents-'))
  folders.push(folder)
  return folder
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Polls until the value is there. */
export async function until<T>(look: () => T | null | undefined | false, what: string, ms = 10_000): Promise<T> {
  const by = performance.now() + ms
  for (;;) {
    const value = look()
    if (value !== null && value !== undefined && value !== false) return value
    if (performance.now() > by) throw new Error(`Not within ${ms} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** The lines of a file, when it has at least so many. */
export function linesOf(file: string, atLeast = 1): string[] | null {
  try {
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
    return lines.length >= atLeast ? lines : null
  } catch {
    return null
  }
}

/** Of this test file alone: processes are ended by their run, also those of a test that runs beside this one. */
export const RUN = `run-${randomUUID()}`
const PLACE = { cwd: tmpdir(), project: tmpdir(), readOnly: false, permissions: 'ask' } as const

export function agentCall(prompt: string, more: Partial<AgentCall> = {}): AgentCall {
  return { runId: RUN, call: 1, attempt: 1, generation: 1, prompt, ...PLACE, label: null, timeoutMs: null, ...more }
}

/** A context that records what it is told. */
export function recording(more: Partial<AgentContext> = {}) {
  const events: AgentEvent[] = []
  const children: { pid: number; startTime: number }[] = []
  const sessions: string[] = []
  const stop = new AbortController()
  const context: AgentContext = {
    signal: stop.signal,
    onEvent: (event) => events.push(event),
    onPermission: async () => 'allow-once',
    onSpawn: (child) => children.push(child),
    onSession: (id) => sessions.push(id),
    env: childEnvironment(process.env, { runId: RUN, call: 1 }),
    ...more,
  }
  return { context, events, children, sessions, stop }
}

/** Every call is answered by this one runner. */
export function playedBy(runner: AgentRunner, more: Partial<Profile> = {}): Runners {
  const profile = { ...Profile.parse({ name: 'played', backend: 'shell' }), ...more } as Profile // the backend stays
  return {
    resolve: async ({ model = null, allowedTools = null }) => ({
      ...{ runner, profile, source: 'built-in', model, instructions: null, tools: allowedTools, readOnly: false },
      permissions: profile.permissions,
    }),
    load: async () => {},
    lane: () => ({ name: profile.name, slots: profile.concurrency ?? 16 }),
    maxCostPerDay: async () => null,
    path: async () => '',
    close: async () => {},
  }
}
