/** Development only: every screen in every state through the real components. `?gallery=<scene>&theme=dark`. */
import { useMemo } from 'react'
import type { Preflight } from '../../shared/contract/runs.ts'
import type { RunView } from '../../shared/run/view.ts'
import { App } from '../app.tsx'
import { ControlsProvider } from '../commands/use-commands.ts'
import type { Stores } from '../store/stores.ts'
import { makeStores, StoresProvider } from '../store/stores.ts'
import { DropOverlay } from '../ui/drop-overlay.tsx'
import type { World } from './fake-bridge.ts'
import { fakeBridge, WORKFLOW_NOTES } from './fake-bridge.ts'
import {
  COMPLETED,
  EMPTY,
  FAILED,
  HISTORY,
  INTERRUPTED,
  LARGE,
  NOW,
  PARTIAL,
  PAUSED,
  PLAN,
  PLAN_CHANGED,
  RUNNING,
  RUNS,
  STOPPED,
} from './fixtures.ts'

const SCRIPT = `export const meta = {
  name: 'review-changes',
  description: 'Reviews changed files, then tries to disprove each finding.',
  phases: ['Collect', 'Review', 'Verify', 'Report'],
}

phase('Collect')
const files = await agent('List the files that changed since the last release.', {
  schema: { type: 'array', items: { type: 'string' } },
})
// Everything below works on what was found here.
const stamp = Date.now()

phase('Review')
const reviews = await parallel(
  files.map((file) => () => agent(\`Review \${file}. Answer with findings only.\`, { label: file, model: 'sonnet' })),
)

phase('Verify')
const findings = reviews.filter((review) => review !== null).flat()
const confirmed = await parallel(findings.map((finding) => () => agent(\`Try to disprove: \${finding.title}\`)))

phase('Report')
return { stamp, confirmed: confirmed.filter((one) => one?.confirmed) }
`

const PREFLIGHT: Preflight = {
  path: '/home/ada/code/ledger/.claude/workflows/review-changes.ts',
  name: 'review-changes',
  text: SCRIPT,
  sha256: 'c41e90b2'.repeat(8),
  title: 'review-changes',
  description: 'Reviews changed files, then tries to disprove each finding.',
  phases: ['Collect', 'Review', 'Verify', 'Report'].map((title) => ({ title })),
  diagnostics: [
    {
      severity: 'warning',
      code: 'clock-or-chance',
      message: 'Date.now() would make resume unreliable: a run that gets here stops. Pass the time in as input.',
      line: 12,
      column: 11,
    },
  ],
  uses: {
    hooks: ['agent', 'parallel', 'phase', 'check'],
    agentTypes: [{ name: 'reviewer', line: 22, column: 9 }],
    models: [{ name: 'sonnet', line: 22, column: 30 }],
    defaultAgent: true,
    worktrees: true,
    checks: true,
    children: [],
  },
  children: [],
  trustNeeded: null,
}

const WORLD: World = {
  runs: [...RUNS, EMPTY, LARGE],
  history: HISTORY,
  project: true,
  workflows: Object.keys(WORKFLOW_NOTES),
  preflight: PREFLIGHT,
  plan: PLAN,
  theme: 'system',
  findings: [],
}

/** A call of this run asks for a permission. */
function asking(view: RunView): RunView {
  const questions = [{ question: 'q1', tool: 'a command', title: 'npm test -- split.rounding --update-snapshots', at: NOW - 19_000 }]
  const calls = view.calls.map((call) =>
    call.label === 'rounding in split()' ? { ...call, status: 'waiting' as const, questions, session: '01JXG3' } : call,
  )
  return { ...view, calls, allowedActions: [...view.allowedActions, 'answer'] }
}

/** A call of this run says nothing for some time. */
function silent(view: RunView): RunView {
  const calls = view.calls.map((call) =>
    call.label === 'double post under retry' && call.startedAt !== null
      ? { ...call, startedAt: call.startedAt - 8 * 60_000, lastEventAt: NOW - 5 * 60_000 }
      : call,
  )
  return { ...view, calls }
}

const EVIDENCE = {
  exitCode: 1,
  stdout: '\u001b[32m✓\u001b[39m 41 tests\n\u001b[31m✗\u001b[39m post.retry: expected 1 row, got 2\n',
  stderr: '',
  durationMs: 4210,
}

/** A call of this run is a check whose command failed. */
function checked(view: RunView): RunView {
  const calls = view.calls.map((call) => (call.label === 'write report' ? { ...call, kind: 'check' as const, label: 'npm test' } : call))
  return { ...view, calls }
}

const MONEY: RunView = { ...PAUSED, reason: 'money', maxCost: 5, cost: 5.02 }

interface Scene {
  world?: Partial<World>
  set?: (stores: Stores) => void
  drop?: boolean
}

const run =
  (runId: string, then?: (stores: Stores) => void) =>
  (stores: Stores): void => {
    stores.window.getState().go({ name: 'run', runId })
    void stores.run
      .getState()
      .open(runId)
      .then(() => then?.(stores))
  }
const select = (label: string) => (stores: Stores) => {
  const call = stores.run.getState().view?.calls.find((one) => one.label === label)
  stores.run.getState().select(call === undefined ? null : `call:${call.callId}`)
}
const resume = (stores: Stores) =>
  stores.window.getState().openSheet({ name: 'resume', runId: INTERRUPTED.runId, title: INTERRUPTED.title, number: INTERRUPTED.number })

const SCENES: Record<string, Scene> = {
  home: {},
  'home-peek': {
    set: (stores) => {
      stores.history.getState().setFocused(FAILED.runId)
      stores.history.getState().setPeek(true)
    },
  },
  'home-empty': { world: { history: [] } },
  'home-no-workflows': { world: { history: [], workflows: [] } },
  'home-no-match': { set: (stores) => stores.history.getState().setText('lint died') },
  'first-run': { world: { project: false } },
  'run-running': {
    set: run(RUNNING.runId, (stores) => {
      select('double post under retry')(stores)
      stores.run.getState().toggle('phase:Collect', false)
    }),
  },
  'run-pinned': {
    set: run(RUNNING.runId, (stores) => {
      stores.run.getState().pin('phase:Verify', true)
      stores.run.getState().pin('phase:Collect', true)
    }),
  },
  'run-question': {
    set: run(RUNNING.runId, (stores) => {
      stores.run.setState(({ view }) => ({ view: view === null ? null : asking(view) }))
      select('rounding in split()')(stores)
    }),
  },
  'run-money': { world: { runs: [MONEY] }, set: run(MONEY.runId) },
  'run-silent': {
    set: run(RUNNING.runId, (stores) => {
      stores.run.setState(({ view }) => ({ view: view === null ? null : silent(view) }))
      select('double post under retry')(stores)
    }),
  },
  'run-check': {
    set: run(COMPLETED.runId, (stores) => {
      stores.run.setState(({ view }) => ({ view: view === null ? null : checked(view) }))
      const call = stores.run.getState().view?.calls.find((one) => one.kind === 'check')
      if (call === undefined) return
      void stores.run
        .getState()
        .loadDetail(call.callId)
        .then(() => {
          const { details } = stores.run.getState()
          const detail = details[call.callId]
          if (detail !== undefined && 'params' in detail)
            stores.run.setState({
              details: { ...details, [call.callId]: { ...detail, params: { command: ['npm', 'test'] }, output: EVIDENCE } },
            })
          stores.run.getState().select(`call:${call.callId}`)
        })
    }),
  },
  'run-earlier-attempt': { set: run(RUNNING.runId, (stores) => void stores.run.getState().showAttempt(1)) },
  gate: {
    set: run(RUNNING.runId, (stores) => {
      const gate = RUNNING.calls.find((call) => call.status === 'waiting')
      select('Is refunds v1 frozen?')(stores)
      if (gate !== undefined) stores.window.getState().openSheet({ name: 'gate', runId: RUNNING.runId, callId: gate.callId })
    }),
  },
  'run-table': {
    set: run(RUNNING.runId, (stores) => {
      select('double post under retry')(stores)
      stores.run.getState().setFace('table')
    }),
  },
  'run-log': { set: run(FAILED.runId, (stores) => stores.run.getState().setFace('log')) },
  'run-completed': { set: run(COMPLETED.runId) },
  'run-partial': { set: run(PARTIAL.runId, select('ledger.test.ts')) },
  'run-failed': { set: run(FAILED.runId, select('reproduce')) },
  'run-interrupted': { set: run(INTERRUPTED.runId, select('lint')) },
  'run-stopped': { set: run(STOPPED.runId) },
  'run-paused': { set: run(PAUSED.runId) },
  'run-empty': { set: run(EMPTY.runId) },
  'run-large': { set: run(LARGE.runId) },
  'run-stale': { set: run(RUNNING.runId, (stores) => stores.run.setState({ staleSince: NOW - 20_000 })) },
  'new-run': { set: (stores) => stores.window.getState().openSheet({ name: 'new-run', target: null }) },
  'new-run-errors': {
    world: {
      preflight: {
        ...PREFLIGHT,
        diagnostics: [
          { severity: 'error', code: 'script-syntax', message: 'Unexpected “)”. Nothing can run until it is mended.', line: 14, column: 3 },
        ],
      },
    },
    set: (stores) => stores.window.getState().openSheet({ name: 'new-run', target: null }),
  },
  trust: { set: (stores) => stores.window.getState().openSheet({ name: 'trust', preflight: PREFLIGHT, go: () => {} }) },
  resume: { set: resume },
  'resume-changed': { world: { plan: PLAN_CHANGED }, set: resume },
  'resume-unexpected': {
    world: {
      plan: {
        ...PLAN,
        unexpected: ['Call 4 at line 12 asked “Review post.ts as of 09:12” and now asks “Review post.ts as of 09:48”.'],
      },
    },
    set: resume,
  },
  settings: { set: (stores) => stores.window.getState().go({ name: 'settings' }) },
  keys: { set: (stores) => stores.window.getState().openSheet({ name: 'keys' }) },
  commands: { set: (stores) => stores.window.getState().openSheet({ name: 'commands' }) },
  'drag-over': { drop: true },
  confirm: {
    set: (stores) =>
      stores.window.getState().openSheet({
        name: 'confirm',
        question: {
          title: 'Delete run #44?',
          text: "Its 20 results can't be replayed again. The folder goes to the system's trash.",
          yes: 'Delete run',
          no: 'Keep',
          go: () => {},
        },
      }),
  },
  workflow: { set: (stores) => stores.window.getState().go({ name: 'workflow', path: PREFLIGHT.path, line: 12 }) },
  toast: {
    set: (stores) =>
      stores.window.getState().showToast({ text: 'Stopped audit-deps #43. 14 results saved.', action: { label: 'Resume', run: () => {} } }),
  },
}

export function Gallery() {
  const query = new URLSearchParams(location.search)
  const name = query.get('gallery') ?? ''
  const theme = query.get('theme')
  const scene = SCENES[name]
  const stores = useMemo(() => {
    if (scene === undefined) return null
    const made = makeStores(
      fakeBridge({ ...WORLD, ...scene.world, theme: theme === 'dark' || theme === 'light' ? theme : 'system' }),
      () => NOW,
    )
    scene.set?.(made)
    return made
  }, [scene, theme])
  if (stores === null) {
    return (
      <ul className="blank">
        {Object.keys(SCENES).map((known) => (
          <li key={known}>
            <a href={`?gallery=${known}`}>{known}</a>
          </li>
        ))}
      </ul>
    )
  }
  return (
    <StoresProvider value={stores}>
      <ControlsProvider value={{ list: null, lanes: null }}>
        <App />
        {scene?.drop === true && <DropOverlay shown />}
      </ControlsProvider>
    </StoresProvider>
  )
}
