/** A service that starts nothing: it answers what the test lays out and remembers what it was asked. */

import type { RunQuery } from '../../main/engine/ports.ts'
import type { LaunchOptions, LiveRun, Preflight, ResumeOptions, Service, Target } from '../../main/service/service.ts'
import { AppError } from '../../shared/errors.ts'
import { RunId } from '../../shared/ids.ts'
import type { Json } from '../../shared/json.ts'
import type { NewEvent, RunEvent } from '../../shared/run/events.ts'
import type { ResumePlan } from '../../shared/run/plan.ts'
import { reduce } from '../../shared/run/reduce.ts'
import type { RunSummary, RunView } from '../../shared/run/view.ts'

export const RUN_ID = RunId.parse('01JQ0000000000000000000047')
const AT = 1_760_000_000_000

export const COUNTS = { ok: 0, dead: 0, skipped: 0, abandoned: 0, replayed: 0, live: 0 }
const USAGE = { inputTokens: 100, outputTokens: 20 }

/** Puts events into a stream, a second apart. */
export function stream(events: readonly NewEvent[], attempt = 1): RunEvent[] {
  return events.map((event, i) => ({ ...event, seq: i + 1, at: AT + i * 1000, runId: RUN_ID, attempt }) as RunEvent)
}

export const started: NewEvent = {
  type: 'run.started',
  number: 47,
  title: 'triage',
  path: '/nowhere/triage.ts',
  script: 'a'.repeat(64),
  scriptChanged: false,
  declaredPhases: [{ title: 'Collect' }, { title: 'Review' }],
  backend: 'simulated',
  policy: 'content',
  concurrency: 4,
  budget: null,
  startedAt: AT,
}

export function queued(callId: number, label: string, more: Partial<Extract<NewEvent, { type: 'call.queued' }>> = {}): NewEvent {
  return {
    type: 'call.queued',
    callId,
    kind: 'agent',
    label,
    title: `Ask ${label}`,
    phase: 'Collect',
    source: 'live',
    whyLive: 'new-call',
    agent: null,
    model: null,
    fp: 'f'.repeat(64),
    ...more,
  }
}

export function ended(callId: number, more: Partial<Extract<NewEvent, { type: 'call.ended' }>> = {}): NewEvent {
  return {
    type: 'call.ended',
    callId,
    outcome: 'ok',
    source: 'live',
    reason: null,
    detail: null,
    ms: 12_000,
    usage: USAGE,
    cost: null,
    tries: 1,
    summary: 'five lines',
    backend: 'simulated',
    fromAttempt: null,
    ...more,
  }
}

export function runEnded(more: Partial<Extract<NewEvent, { type: 'run.ended' }>> = {}): NewEvent {
  return { type: 'run.ended', status: 'completed', reason: null, resetAt: null, error: null, counts: COUNTS, value: null, ...more }
}

/** The events of a run with one call that was replayed and one that ran, returning a value. */
export function goodRun(...values: [] | [Json | undefined]): RunEvent[] {
  const value = values.length === 0 ? { labels: 2 } : values[0]
  return stream([
    started,
    { type: 'phase.started', phase: 'Collect', source: 'live' },
    queued(1, 'scan', { source: 'replayed', whyLive: null }),
    ended(1, { source: 'replayed', fromAttempt: 1 }),
    queued(2, 'read'),
    { type: 'call.started', callId: 2, generation: 1, worker: 'local' },
    { type: 'log', text: 'read 3 files', level: 'info', source: 'live', line: null },
    ended(2),
    { type: 'phase.ended', phase: 'Collect', source: 'live' },
    runEnded({ counts: { ...COUNTS, ok: 2, replayed: 1, live: 1 }, value: value === undefined ? null : { inline: value } }),
  ])
}

export function viewOf(events: readonly RunEvent[]): RunView {
  const view = events.reduce<RunView | null>(reduce, null)
  if (view === null) throw new Error('no run.started among the events')
  return view
}

export const preflight: Preflight = {
  path: '/nowhere/triage.ts',
  name: null,
  text: '',
  sha256: 'a'.repeat(64),
  title: 'triage',
  description: null,
  phases: [],
  diagnostics: [],
  uses: { hooks: ['agent'], agentTypes: [], models: [], defaultAgent: false, worktrees: false, checks: false, children: [] },
  agentLeftBy: null,
  children: [],
  trustNeeded: null,
}

export const plan: ResumePlan = {
  runId: RUN_ID,
  attempt: 2,
  replayed: [],
  certainLive: [],
  notReached: [],
  scriptChanged: false,
  childrenChanged: [],
  unexpected: [],
  inFlight: [],
  estimate: { calls: 0, outputTokens: 0 },
  complete: false,
}

export interface Asked {
  preflight: { project: string; target: Target; agent: string | undefined }[]
  trust: string[]
  launch: { target: Target; options: LaunchOptions }[]
  resume: ResumeOptions[]
  plan: ResumeOptions[]
  list: RunQuery[]
  stops: ('keep' | 'now')[]
}

/** A promise and what resolves it. */
export function pending<T>(): { promise: Promise<T>; settle(value: T): void } {
  let settle: (value: T) => void = () => undefined
  const promise = new Promise<T>((resolve) => {
    settle = resolve
  })
  return { promise, settle: (value) => settle(value) }
}

/** A live run that tells its events at once. With `hold` it ends only when it is stopped. */
export function liveRun(events: readonly RunEvent[], asked: Asked, hold?: { endsWith(how: 'keep' | 'now'): RunEvent[] }): LiveRun {
  const told = [...events]
  let listener: (event: RunEvent) => void = () => undefined
  const { promise, settle } = pending<RunView>()
  if (hold === undefined) settle(viewOf(told))
  return {
    runId: RUN_ID,
    number: 47,
    existed: false,
    onEvent(on) {
      listener = on
      for (const event of events) on(event)
      return () => {
        listener = () => undefined
      }
    },
    done: promise,
    pause: () => undefined,
    stop(how) {
      asked.stops.push(how)
      if (hold === undefined) return
      for (const event of hold.endsWith(how)) {
        told.push(event)
        listener(event)
      }
      if (told.some((event) => event.type === 'run.ended')) settle(viewOf(told))
    },
  }
}

function unasked(): Promise<never> {
  return Promise.reject(new Error('this test laid out no answer'))
}

export interface FakeService {
  service: Service
  asked: Asked
  /** How often the service was opened. */
  opened(): number
  open(): Promise<Service>
}

export function fakeService(answers: Partial<Service> & { events?: RunEvent[]; summaries?: RunSummary[] } = {}): FakeService {
  const asked: Asked = { preflight: [], trust: [], launch: [], resume: [], plan: [], list: [], stops: [] }
  const events = answers.events ?? goodRun()
  let opened = 0
  const service: Service = {
    async preflight(project, target, agent) {
      asked.preflight.push({ project, target, agent })
      return answers.preflight === undefined ? preflight : answers.preflight(project, target, agent)
    },
    async trust(sha256) {
      asked.trust.push(sha256)
    },
    async launch(target, options) {
      asked.launch.push({ target, options })
      return answers.launch === undefined ? liveRun(events, asked) : answers.launch(target, options)
    },
    dryRun: () => Promise.reject(new Error('not played')),
    async plan(runId, options) {
      asked.plan.push(options)
      return answers.plan === undefined ? plan : answers.plan(runId, options)
    },
    async resume(runId, options) {
      asked.resume.push({ ...options })
      return answers.resume === undefined ? liveRun(events, asked) : answers.resume(runId, options)
    },
    stop: answers.stop ?? (async () => 'accepted'),
    pause: async () => 'accepted',
    decide: answers.decide ?? (async () => 'delivered'),
    skip: answers.skip ?? unasked,
    retry: answers.retry ?? unasked,
    answer: answers.answer ?? unasked,
    async list(project, query) {
      asked.list.push(query)
      return answers.list === undefined
        ? { runs: answers.summaries ?? [], total: answers.summaries?.length ?? 0 }
        : answers.list(project, query)
    },
    show: answers.show ?? (async () => viewOf(events)),
    call: answers.call ?? (() => Promise.reject(new AppError('call-unknown', 'no such call'))),
    transcript: answers.transcript ?? (async () => ({ events: [], total: 0 })),
    agents: answers.agents ?? unasked,
    today: answers.today ?? unasked,
    testAgent: answers.testAgent ?? unasked,
    setSecret: answers.setSecret ?? unasked,
    async value(_, view) {
      if (typeof view === 'string') return unasked()
      return view.value !== null && 'inline' in view.value ? view.value.inline : undefined
    },
    async reconcile() {
      return []
    },
    async *logs(project, runId, follow) {
      if (answers.logs === undefined) yield events
      else yield* answers.logs(project, runId, follow)
    },
    export: answers.export ?? unasked,
    import: answers.import ?? unasked,
    prune: answers.prune ?? unasked,
    worktrees: answers.worktrees ?? unasked,
    worktreeDiff: answers.worktreeDiff ?? unasked,
    applyWorktree: answers.applyWorktree ?? unasked,
    discardWorktree: answers.discardWorktree ?? unasked,
    pin: answers.pin ?? unasked,
    removable: answers.removable ?? unasked,
    outdated: answers.outdated ?? unasked,
    checkText: answers.checkText ?? unasked,
    saveText: answers.saveText ?? unasked,
    newWorkflow: answers.newWorkflow ?? unasked,
    examine: answers.examine ?? unasked,
    async resolveRun(_, reference) {
      if (reference === 'none') throw new AppError('run-unknown', 'There is no run “none” in /nowhere. See: reprise list')
      return RUN_ID
    },
  }
  return {
    service,
    asked,
    opened: () => opened,
    async open() {
      opened += 1
      return service
    },
  }
}
