/** What the window asks of the app behind it. The only door: nothing else in the renderer reaches outside. */
import type { ErrorCode } from '../../shared/errors.ts'
import type { Json } from '../../shared/json.ts'
import type { Result } from '../../shared/result.ts'
import type { PhaseMeta, RunEvent } from '../../shared/run/events.ts'
import type { ResumePlan } from '../../shared/run/plan.ts'
import type { ResumePolicy } from '../../shared/run/record.ts'
import type { RunSummary, RunView } from '../../shared/run/view.ts'

export interface ProjectEntry {
  path: string
  name: string
  runs: number
  lastAt: number | null
}

export interface WorkflowEntry {
  name: string
  path: string
  description: string | null
  /** In the project, or in the person's own folder. */
  scope: 'project' | 'user' | 'recent'
}

export interface AgentEntry {
  name: string
  /** Null: not looked for yet. */
  found: boolean | null
  detail: string | null
}

export interface ProjectState {
  current: ProjectEntry | null
  recent: ProjectEntry[]
  workflows: WorkflowEntry[]
  agents: AgentEntry[]
  /** Size of the runs folder. */
  bytes: number | null
}

export type Target = { path: string } | { name: string }

export interface Finding {
  severity: 'error' | 'warning'
  code: ErrorCode | string
  message: string
  line: number
  column: number
}

export interface Preflight {
  path: string
  name: string | null
  text: string
  sha256: string
  title: string
  description: string | null
  phases: PhaseMeta[]
  diagnostics: Finding[]
  uses: {
    hooks: string[]
    agentTypes: { name: string; line: number }[]
    models: { name: string; line: number }[]
    defaultAgent: boolean
    worktrees: boolean
    checks: boolean
  }
  trustNeeded: string | null
}

export interface LaunchRequest {
  target: Target
  requestId: string
  seenSha256?: string
  args?: Json
  budget?: number
  concurrency?: number
  agent?: string
}

export interface ResumeRequest {
  runId: string
  policy?: ResumePolicy
  from?: number
  inFlight?: 'repeat' | 'skip' | 'stop'
  budget?: number
}

export interface CallDetail {
  callId: number
  params: Json
  output: Json | null
  attempt: number | null
}

export type HistoryChange = { kind: 'changed'; run: RunSummary } | { kind: 'removed'; runId: string } | { kind: 'reload' }

/** What a dropped or chosen path turned out to be. */
export type Opened =
  | { kind: 'project'; state: ProjectState }
  | { kind: 'script'; path: string }
  | { kind: 'run'; runId: string }
  | { kind: 'refused'; name: string }

type Unsubscribe = () => void
type Answer<T> = Promise<Result<T>>

export interface Bridge {
  readonly platform: 'mac' | 'windows' | 'linux'
  project(): Answer<ProjectState>
  chooseProject(): Answer<ProjectState>
  openProject(path: string): Answer<ProjectState>
  /** Opens what was dropped; files are looked at, never run. */
  openDropped(file: File): Answer<Opened>
  chooseScript(): Answer<Opened | null>

  list(query: { limit: number; offset: number }): Answer<{ runs: RunSummary[]; total: number }>
  onHistory(listener: (change: HistoryChange) => void): Unsubscribe

  show(runId: string): Answer<RunView>
  onRun(runId: string, listener: (events: RunEvent[]) => void): Unsubscribe
  call(runId: string, callId: number): Answer<CallDetail>
  /** The return value in full; null when there is none. */
  value(runId: string): Answer<{ value: Json } | null>

  preflight(target: Target, agent: string | undefined): Answer<Preflight>
  trust(sha256: string, path: string): Answer<null>
  launch(request: LaunchRequest): Answer<{ runId: string }>
  plan(request: ResumeRequest): Answer<ResumePlan>
  resume(request: ResumeRequest): Answer<{ runId: string }>
  stop(runId: string): Answer<null>
  revealRuns(): Answer<null>
  revealScript(path: string, line?: number): Answer<null>
}
