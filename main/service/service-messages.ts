/** What the app's main thread and the thread of its service say to each other. Structured-cloned, so plain data only. */
import type { ErrorData } from '../../shared/errors.ts'
import type { RunId } from '../../shared/ids.ts'
import type { Result } from '../../shared/result.ts'
import type { RunEvent } from '../../shared/run/events.ts'
import type { RunView } from '../../shared/run/view.ts'
import type { SecretValues } from '../agents/secret-file.ts'
import type { Service } from './service.ts'

export type ServiceMethod = Exclude<keyof Service, 'logs'>

/** A live run as it crosses: its events and its end follow as messages of their own. */
export interface LiveRunHandle {
  live: number
  runId: RunId
  number: number
  existed: boolean
}

export type ToService =
  | { t: 'call'; id: number; method: ServiceMethod; args: unknown[] }
  /** The thread before this one was lost at work on runs of the project. */
  | { t: 'close-lost'; id: number; project: string; error: ErrorData }
  /** Sent at the start and at each change. */
  | { t: 'secrets'; values: SecretValues }
  | { t: 'stop'; live: number; how: 'keep' | 'now' }
  | { t: 'pause'; live: number }

export type FromService =
  | { t: 'answer'; id: number; result: Result<unknown> }
  | { t: 'events'; live: number; events: RunEvent[] }
  | { t: 'done'; live: number; result: Result<RunView> }
