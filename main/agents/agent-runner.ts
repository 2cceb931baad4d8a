/**
 * The one port behind every backend: runs a single agent call. Used by the local executor and nobody else.
 *
 * To write a backend: implement `AgentRunner` in `main/agents/<backend>/`, export `make<Backend>Runner: MakeRunner<'<backend>'>`,
 * add its line to `make-runner.ts`, and run `test/agents/backend-suite.ts` against it. What a runner owes: it never rejects; it
 * tells of each child process before it reads from it; when the signal aborts it leaves no process and answers `cancelled`;
 * quota and sign-in failures are `halt`, not `dead`; it asks `onPermission` for each use of a tool and never decides itself;
 * it gives its answer as it came (the engine checks schemas and asks again); in its usage, cached input is part of the input.
 */
import type { Backend, PermissionMode, ProfileOf } from '../../shared/contract/agents.ts'
import type { Json } from '../../shared/json.ts'
import type { DeadReason, Usage } from '../../shared/run/record.ts'
import type { AgentEvent, PermissionAnswer, PermissionQuestion } from '../engine/ports.ts'

export type { PermissionAnswer }

export interface AgentCall {
  runId: string
  call: number
  attempt: number
  /** 1 for the first start of this call in the run's life. */
  generation: number
  prompt: string
  schema?: Json
  /** As the backend itself calls it: names known everywhere are mapped already, the profile's own model is filled in. */
  model?: string
  effort?: string
  /** As the script named it: a profile, an agent definition or a role. */
  agentType?: string
  /** Who the agent is, from its definition or role: the backend's own system prompt, or put before the prompt. */
  instructions?: string
  /** The tools that exist for this call; absent: all. Narrowed by profile, definition and call. */
  allowedTools?: readonly string[]
  maxTokens?: number
  /** Where it works: the project, or a worktree of it. */
  cwd: string
  /** The project's folder. */
  project: string
  /** It may look and must not change anything. */
  readOnly: boolean
  /** The executor answers `onPermission` by it; a backend may use it to spare questions. */
  permissions: PermissionMode
  /** The backend's own session that this call goes on with; given only to a runner that `continues`. The prompt says so. */
  session?: string
  label: string | null
  timeoutMs: number | null
}

export interface AgentContext {
  signal: AbortSignal
  onEvent(event: AgentEvent): void
  /** Resolves by the profile's mode, by what was allowed before, by a person, or to `deny` after 10 minutes. */
  onPermission(question: PermissionQuestion): Promise<PermissionAnswer>
  /** Called for each child process, before anything is read from it. */
  onSpawn(child: { pid: number; startTime: number }): void
  /** The backend's id of its session, as soon as it is known: journaled, to go on with it later. */
  onSession(id: string): void
  /**
   * The environment the child may see: allow-listed, never the whole of ours; with the profile's variables and secrets in it.
   * Its PATH is the login shell's.
   */
  env: Readonly<Record<string, string>>
}

export type AgentOutcome =
  /** `cost` in US dollars, null when the backend does not tell: the profile's prices count then. */
  | { kind: 'ok'; output: Json; usage: Usage; cost: number | null; session?: string }
  | { kind: 'dead'; reason: DeadReason; detail: string; retryable: boolean; retryAfterMs?: number; usage: Usage; cost?: number }
  | { kind: 'halt'; reason: 'quota' | 'auth'; detail: string; resetAt?: string }
  | { kind: 'cancelled' }

/** What a backend says of itself without doing any work. */
export interface BackendState {
  version: string | null
  state: 'ready' | 'not-found' | 'signed-out' | 'unknown'
  detail: string | null
}

export interface AgentRunner {
  /** Name of the backend, as journaled with each result. */
  readonly backend: string
  /** It tells events while it works, so that silence means something. Absent: no. */
  readonly streams?: boolean
  /** It can go on with a session of its own (`AgentCall.session`). Absent: no. */
  readonly continues?: boolean
  run(call: AgentCall, context: AgentContext): Promise<AgentOutcome>
  /** Looks without spending anything. Absent: the program is asked for its version. */
  probe?(context: Pick<AgentContext, 'signal' | 'env' | 'onSpawn'>): Promise<BackendState>
  /** Ends what it keeps between calls, such as a server process. No call is at work then. */
  close?(): Promise<void>
}

/** What runners are made with. One runner serves all calls of its profile in a run. */
export interface RunnerDeps {
  project: string
  /** The app's data folder, for what a backend keeps between runs. */
  data: string
  /**
   * The program to start: the profile's, or `usual`, as an absolute path found on the login shell's PATH.
   * @throws AppError `agent-unreachable`
   */
  executable(usual: string): Promise<string>
}

export type MakeRunner<B extends Backend> = (profile: ProfileOf<B>, deps: RunnerDeps) => AgentRunner
