/** A bridge over fixtures, so that screens can be looked at without the app. It answers at once and changes nothing. */
import type { Bridge } from '../../shared/contract/bridge.ts'
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
}

const answer = <T>(value: T): Promise<Result<T>> => Promise.resolve({ ok: true, value })
const refused = (message: string) => Promise.resolve({ ok: false as const, error: { code: 'run-unknown' as const, message } })
const never = () => () => {}

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

export function fakeBridge(world: World): Bridge {
  const project = { path: '/home/ada/code/ledger', name: 'code/ledger', exists: true, openedAt: NOW - 3_600_000 }
  const recent = [project, { path: '/home/ada/site', name: 'site', exists: true, openedAt: NOW - 3 * 86_400_000 }]
  const find = (runId: string) => world.runs.find((run) => run.runId === runId)
  const started = { runId: (world.runs[0]?.runId ?? 'none') as RunId, number: world.runs[0]?.number ?? 1, existed: true }
  return {
    runs: {
      list: () => answer({ runs: [...world.history], total: world.history.length }),
      show: ({ runId }) => {
        const view = find(runId)
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
          params: { prompt: PROMPT, model: 'sonnet', isolation: 'worktree' },
          result: null,
          output: call.status === 'ok' ? OUTPUT : null,
          usage: null,
          ms: call.ms,
          tries: call.tries,
          backend: call.backend,
          attempt: 1,
          whyLive: call.whyLive,
        })
      },
      value: ({ runId }) => {
        const value = find(runId)?.value
        return answer(value != null && 'inline' in value ? { value: value.inline } : {})
      },
      preflight: () => answer(world.preflight),
      trust: () => answer(null),
      launch: () => answer(started),
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
      transcript: () => answer({ events: [], total: 0 }),
      remove: ({ runIds }) => answer({ removed: runIds as RunId[] }),
      revealFile: () => answer(null),
      pin: () => answer(null),
      onChange: never,
    },
    history: { onChange: never },
    projects: {
      recent: () => answer(recent),
      current: () => answer(world.project ? project : null),
      open: () => answer(project),
      forget: () => answer(recent),
      reveal: () => answer(null),
    },
    agents: {
      list: () => answer({ agents: [], problems: [] }),
      test: () => answer({ ok: true, detail: 'ready', ms: 900 }),
      save: () => answer(null),
      remove: () => answer(null),
      setSecret: () => answer(null),
    },
    workflows: { list: () => answer(world.workflows.map(workflow)) },
    settings: {
      get: () => answer({ ...DEFAULT_SETTINGS, theme: world.theme }),
      set: (change) => answer({ ...DEFAULT_SETTINGS, ...change }),
    },
    dialogs: { openScript: () => answer(null), openProject: () => answer(null) },
    app: {
      info: () => answer({ version: '0.1.0', platform: 'linux', electron: '', chrome: '', node: '' }),
      inspectDrop: () =>
        answer({ kind: 'refused', message: '“notes.pdf” is neither a project folder nor a workflow script. Nothing was opened.' }),
      openSample: () => answer(null),
      onOpen: never,
      onCommand: never,
      pathForFile: () => '',
    },
  }
}
