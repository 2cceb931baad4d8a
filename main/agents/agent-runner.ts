/** The one port behind every backend: runs a single agent call. Used by the local executor and nobody else. */

import type { Json } from '../../shared/json.ts'
import type { DeadReason, Usage } from '../../shared/run/record.ts'
import type { AgentEvent, PermissionAnswer, PermissionQuestion } from '../engine/ports.ts'

export interface AgentCall {
  runId: string
  call: number
  attempt: number
  /** 1 for the first start of this call in the run's life. */
  generation: number
  prompt: string
  schema?: Json
  model?: string
  effort?: string
  agentType?: string
  allowedTools?: readonly string[]
  maxTokens?: number
  cwd: string
  label: string | null
  timeoutMs: number | null
}

export interface AgentContext {
  signal: AbortSignal
  onEvent(event: AgentEvent): void
  onPermission(question: PermissionQuestion): Promise<PermissionAnswer>
  /** Called as soon as the backend has a name of its own for the conversation. */
  onSession(session: string): void
  /** Called for each child process, before anything is read from it. */
  onSpawn(child: { pid: number; startTime: number }): void
  /** The environment the child may see: allow-listed, never the whole of ours. */
  env: Readonly<Record<string, string>>
}

export type AgentOutcome =
  | { kind: 'ok'; output: Json; usage: Usage; cost: number | null; session?: string }
  | { kind: 'dead'; reason: DeadReason; detail: string; retryable: boolean; retryAfterMs?: number; usage: Usage; cost?: number | null }
  | { kind: 'halt'; reason: 'quota' | 'auth'; detail: string; resetAt?: string }
  | { kind: 'cancelled' }

export interface AgentRunner {
  /** Name of the backend, as journaled with each result. */
  readonly backend: string
  /** Tells what it does as it does it: then an agent of it that is silent for long is stuck. */
  readonly streams: boolean
  run(call: AgentCall, context: AgentContext): Promise<AgentOutcome>
}
