/** What the executor is given for a call, and what may be started again without asking anybody. */
import type { Json } from '../../shared/json.ts'
import type { CallKind } from '../../shared/run/record.ts'
import type { CallTask } from './ports.ts'

/** Agent types that only read, so that a second start does no harm. */
const READ_ONLY_TYPES = new Set(['Explore', 'Plan'])

type Request = { [key: string]: Json | undefined }

export function requestOf(params: Json): Request {
  return typeof params === 'object' && params !== null && !Array.isArray(params) ? params : {}
}

/** The agent that would take this request: the run's simulated one before all, then the named one, then the default. */
export function agentOf(params: Json, backend: string | null): string | null {
  const named = requestOf(params)['agentType']
  return backend !== 'simulated' && typeof named === 'string' ? named : backend
}

/**
 * Repeated after a crash without a word: simulated answers, readers, agents that work in a worktree of their own, and what
 * touches nothing.
 * @param readers agents that only read, beside the roles that do
 */
export function isRepeatable(kind: CallKind, params: Json, backend: string | null, readers: ReadonlySet<string> = new Set()): boolean {
  if (kind !== 'agent' && kind !== 'check') return true
  const request = requestOf(params)
  if (kind === 'check') return request['repeatable'] === true || backend === 'simulated'
  const agent = agentOf(params, backend)
  return (
    agent === 'simulated' || request['isolation'] === 'worktree' || (agent !== null && (READ_ONLY_TYPES.has(agent) || readers.has(agent)))
  )
}

export interface TaskOptions {
  runId: string
  attempt: number
  call: number
  kind: 'agent' | 'check'
  fp: string
  generation: number
  request: Json
  backend: string | null
  session?: string | undefined
}

export function callTask({ runId, attempt, call, kind, fp, generation, request, backend, session }: TaskOptions): CallTask {
  const timeout = requestOf(request)['timeoutMs']
  const agent = kind === 'check' ? null : agentOf(request, backend)
  return {
    id: `${runId}.${call}.${fp.slice(0, 8)}.${generation}`,
    runId,
    call,
    attempt,
    generation,
    kind,
    request,
    needs: agent === null ? [] : [`profile:${agent}`],
    workspace: null,
    timeoutMs: typeof timeout === 'number' && timeout > 0 ? timeout : null,
    repeatable: isRepeatable(kind, request, backend),
    ...(session !== undefined && { session }),
  }
}
