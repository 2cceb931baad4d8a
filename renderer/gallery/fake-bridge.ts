/** A bridge over fixtures, so that screens can be looked at without the app. It answers at once and changes nothing. */

import type { AgentInfo } from '../../shared/contract/agents.ts'
import type { Bridge } from '../../shared/contract/bridge.ts'
import type { Finding } from '../../shared/contract/projects.ts'
import type { Preflight } from '../../shared/contract/runs.ts'
import { DEFAULT_SETTINGS } from '../../shared/contract/settings.ts'
import type { Workflow } from '../../shared/contract/workflows.ts'
import type { RunId } from '../../shared/ids.ts'
import type { Result } from '../../shared/result.ts'
import type { ResumePlan } from '../../shared/run/plan.ts'
import type { RunSummary, RunView } from '../../shared/run/view.ts'
import { NOW, OUTPUT, PROMPT } from './fixtures.ts'

export interface World {
  runs: readonly RunView[]
  history: readonly RunSummary[]
  project: boolean
  workflows: readonly string[]
  preflight: Preflight
  plan: ResumePlan
  theme: 'system' | 'light' | 'dark'
  findings: Finding[]
}

const answer = <T>(value: T): Promise<Result<T>> => Promise.resolve({ ok: true, value })
const refused = (message: string) => Promise.resolve({ ok: false as const, error: { code: 'run-unknown' as const, message } })
const never = () => () => {}

const SHOWN = {
  path: 'findings.md',
  sha256: '3fa277c0'.repeat(8),
  text: `Two confirmed findings change the response of POST /v1/refunds

1. A refund above the captured amount returns 200 and a negative balance. The fix returns 422 amount_too_large.
2. A retry with the same key returns a new id. The fix returns the first id again.

If v1 is frozen, I propose both fixes for v2 only and write a guard for v1 that logs instead of refusing.`,
}

const TRANSCRIPT = (zero: number) =>
  [
    ['tool-ended', 0, 'Read src/ledger/post.ts'],
    ['tool-ended', 3, 'Search "FOR UPDATE" in src/'],
    ['thinking', 9, 'The lock is taken after the insert, so a retry can slip in between.'],
    ['tool-ended', 21, 'Edit test/post.retry.test.ts'],
    ['tool-started', 28, 'npm test -- post.retry'],
  ].map(([kind, seconds, text], index) => ({
    n: index + 1,
    at: zero + Number(seconds) * 1000,
    attempt: 2,
    generation: 1,
    kind: String(kind),
    text: String(text),
  }))

const AGENT = { source: 'built-in', permissions: 'ask', concurrency: 4, models: [], hasPrices: true, secrets: [] } as const
const AGENTS: AgentInfo[] = [
  {
    ...AGENT,
    name: 'claude',
    backend: 'claude',
    command: '/usr/bin/claude',
    version: '2.1.40',
    state: 'ready',
    detail: null,
    models: [],
    secrets: [],
  },
  {
    ...AGENT,
    name: 'codex',
    backend: 'codex',
    command: null,
    version: null,
    state: 'not-found',
    detail: 'Not found on PATH.',
    models: [],
    secrets: [],
  },
  {
    ...AGENT,
    name: 'local',
    source: 'user',
    backend: 'api',
    command: null,
    version: null,
    state: 'unknown',
    detail: null,
    hasPrices: false,
    models: [],
    secrets: [],
  },
]

export const WORKFLOW_NOTES: Record<string, string> = {
  'review-changes': 'Reviews changed files, then tries to disprove each finding.',
  release: 'Plans, drafts and checks a release.',
  'audit-deps': 'Looks for advisories and breaking changes in dependencies.',
  'triage-issues': 'Reads open issues and proposes labels.',
  'fix-flaky': 'Finds a flaky test, reproduces it, proposes a patch.',
  'release-notes': 'Drafts notes from merged pull requests.',
}

function workflow(name: string): Workflow {
  return {
    name,
    path: `.claude/workflows/${name}.ts`,
    scope: 'project',
    description: WORKFLOW_NOTES[name] ?? null,
    phases: ['Collect', 'Review', 'Verify', 'Report'].map((title) => ({ title })),
    problem: null,
  }
}

/** An attempt before the newest: cut off after the calls that the newest one replays. */
function earlier(view: RunView | undefined, attempt: number): RunView | undefined {
  if (view === undefined || attempt >= view.attempt) return view
  const zero = view.attemptStartedAt - 3_600_000
  const calls = view.calls
    .filter((call) => call.source === 'replayed')
    .map((call, index) => ({
      ...call,
      source: 'live' as const,
      queuedAt: zero,
      startedAt: zero + index * 4000,
      endedAt: zero + index * 4000 + (call.ms ?? 0),
      fromAttempt: null,
    }))
  const endedAt = zero + 120_000
  return { ...view, attempt, status: 'interrupted', calls, attemptStartedAt: zero, endedAt, updatedAt: endedAt, allowedActions: [] }
}

export function fakeBridge(world: World): Bridge {
  const project = { path: '/home/ada/code/ledger', name: 'code/ledger', exists: true, openedAt: NOW - 3_600_000 }
  const recent = [project, { path: '/home/ada/site', name: 'site', exists: true, openedAt: NOW - 3 * 86_400_000 }]
  const find = (runId: string) => world.runs.find((run) => run.runId === runId)
  const started = { runId: (world.runs[0]?.runId ?? 'none') as RunId, number: world.runs[0]?.number ?? 1, existed: true }
  return {
    runs: {
      list: () => answer({ runs: [...world.history], total: world.history.length }),
      show: ({ runId, attempt }) => {
        const view = attempt === undefined ? find(runId) : earlier(find(runId), attempt)
        return view === undefined ? refused('There is no such run in this project.') : answer(view)
      },
      call({ runId, callId }) {
        const call = find(runId)?.calls.find((one) => one.callId === callId)
        if (call === undefined) return refused('There is no such call in this run.')
        return answer({
          callId,
          kind: call.kind,
          label: call.label,
          phase: call.phase,
          fp: call.fp,
          params:
            call.kind === 'gate'
              ? { question: call.title, options: call.options ?? [] }
              : { prompt: PROMPT, model: 'sonnet', isolation: 'worktree' },
          result: null,
          output: call.status === 'ok' ? OUTPUT : null,
          usage: null,
          ms: call.ms,
          tries: call.tries,
          backend: call.backend,
          attempt: 1,
          whyLive: call.whyLive,
          ...(call.status === 'waiting' && { shown: SHOWN }),
        })
      },
      value: ({ runId }) => {
        const value = find(runId)?.value
        return answer(value != null && 'inline' in value ? { value: value.inline } : {})
      },
      preflight: () => answer(world.preflight),
      trust: () => answer(null),
      launch: () => answer(started),
      dryRun: () =>
        answer({
          status: 'completed',
          error: null,
          calls: world.plan.replayed,
          estimate: { calls: world.plan.replayed.length, outputTokens: 62_000, runs: 3 },
        }),
      plan: () => answer(world.plan),
      resume: () => answer(started),
      stop: () => answer('accepted'),
      pause: () => answer('accepted'),
      decide: () => answer('delivered'),
      skip: () => answer('accepted'),
      retry: () => answer('accepted'),
      answer: () => answer('accepted'),
      export: () => answer(null),
      import: () => answer({ runId: started.runId, number: started.number, title: 'triage', redacted: false }),
      transcript: ({ runId, callId }) => {
        const call = find(runId)?.calls.find((one) => one.callId === callId)
        return answer(call?.status === 'running' ? { events: TRANSCRIPT(call.startedAt ?? NOW), total: 5 } : { events: [], total: 0 })
      },
      remove: ({ runIds }) => answer({ removed: runIds as RunId[] }),
      revealFile: () => answer(null),
      revealShown: () => answer(null),
      pin: () => answer(null),
      worktrees: () => answer({ worktrees: [] }),
      worktreeDiff: () => answer({ diff: '' }),
      applyWorktree: () => refused('There is no worktree here.'),
      discardWorktree: () => refused('There is no worktree here.'),
      openWorktree: () => answer(null),
      onChange: never,
    },
    history: { onChange: never },
    projects: {
      recent: () => answer(recent),
      current: () => answer(world.project ? project : null),
      open: () => answer(project),
      forget: () => answer(recent),
      reveal: () => answer(null),
      check: () => answer(world.findings),
      repair: () => answer([]),
    },
    workflows: {
      list: () => answer(world.workflows.map(workflow)),
      check: () => answer(world.preflight.diagnostics),
      save: () => answer({ sha256: world.preflight.sha256 }),
      openInEditor: () => answer(null),
      create: ({ name }) => answer({ path: `.claude/workflows/${name}.ts` }),
    },
    agents: {
      today: () => answer({ cost: 3.42, limit: 20 }),
      list: () => answer({ agents: AGENTS, problems: [] }),
      test: () => answer({ ok: true, detail: 'ready', ms: 900 }),
      save: () => answer(null),
      remove: () => answer(null),
      setSecret: () => answer(null),
    },
    settings: {
      get: () => answer({ ...DEFAULT_SETTINGS, theme: world.theme }),
      set: (change) => answer({ ...DEFAULT_SETTINGS, ...change }),
      onChange: never,
    },
    dialogs: { openScript: () => answer(null), openProject: () => answer(null) },
    app: {
      info: () => answer({ version: '0.1.0', platform: 'linux', electron: '', chrome: '', node: '' }),
      inspectDrop: () => answer({ kind: 'refused', message: "“notes.pdf” isn't a project folder, a workflow script or an exported run." }),
      openSample: () => answer(null),
      ipcLog: () => answer([]),
      onOpen: never,
      onCommand: never,
      pathForFile: () => '',
    },
  }
}
