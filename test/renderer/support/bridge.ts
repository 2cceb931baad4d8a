/** The gallery's bridge with parts exchanged, and hands on its streams. */
import { fakeBridge, type World } from '../../../renderer/gallery/fake-bridge.ts'
import { HISTORY, PLAN, RUNS } from '../../../renderer/gallery/fixtures.ts'
import type { Bridge } from '../../../shared/contract/bridge.ts'
import type { HistoryChanged, RunsChanged } from '../../../shared/contract/events.ts'
import type { Preflight } from '../../../shared/contract/runs.ts'

export const PREFLIGHT: Preflight = {
  path: '/p/.claude/workflows/triage.ts',
  name: 'triage',
  text: 'return 1\n',
  sha256: 'a'.repeat(64),
  title: 'triage',
  description: null,
  phases: [],
  diagnostics: [],
  uses: { hooks: [], agentTypes: [], models: [], defaultAgent: false, worktrees: false, checks: false, children: [] },
  children: [],
  trustNeeded: null,
}

export interface TestBridge extends Bridge {
  /** Sends to whoever listens, as the app does. */
  tellRun(change: RunsChanged): void
  tellHistory(change: HistoryChanged): void
}

export function testBridge(world: Partial<World> = {}, parts: { runs?: Partial<Bridge['runs']> } = {}): TestBridge {
  const base = fakeBridge({
    runs: RUNS,
    history: HISTORY,
    project: true,
    workflows: ['triage'],
    preflight: PREFLIGHT,
    plan: PLAN,
    theme: 'system',
    findings: [],
    ...world,
  })
  const onRun = new Set<(change: RunsChanged) => void>()
  const onHistory = new Set<(change: HistoryChanged) => void>()
  const listen = <T>(set: Set<T>, listener: T) => {
    set.add(listener)
    return () => {
      set.delete(listener)
    }
  }
  return {
    ...base,
    runs: { ...base.runs, onChange: (_runId, listener) => listen(onRun, listener), ...parts.runs },
    history: { onChange: (listener) => listen(onHistory, listener) },
    tellRun: (change) => {
      for (const listener of onRun) listener(change)
    },
    tellHistory: (change) => {
      for (const listener of onHistory) listener(change)
    },
  }
}
