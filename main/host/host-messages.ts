/** What the thread of one run and the process that routes its events say to each other. */
import type { ErrorData } from '../../shared/errors.ts'
import type { RunId } from '../../shared/ids.ts'
import type { PhaseMeta, RunEvent } from '../../shared/run/events.ts'
import type { RunView } from '../../shared/run/view.ts'
import type { SecretValues } from '../agents/secret-file.ts'
import type { Attempt, RunInfo, RunLimits } from '../engine/ports.ts'
import type { PreparedScript } from '../engine/source/check-script.ts'

/** What a run host is started with. */
export interface HostInit {
  project: string
  /** The app's data folder: which texts are trusted is read there. */
  data: string
  runId: RunId
  /** `first`: the attempt that was made with the run. `next`: a further one, to be claimed. `rehearsal`: nothing is on disk. */
  claim: { t: 'first'; token: string } | { t: 'next' } | { t: 'rehearsal'; info: RunInfo }
  input: Omit<Attempt, 'owner'>
  script: PreparedScript
  limits: RunLimits
  declaredPhases: PhaseMeta[]
  earlier: RunView | null
  skipInFlight: number[]
  /** Calls that were cut off go on with their agents' sessions. */
  continueSessions: boolean
  whenWaiting: 'stay' | 'leave'
}

/** Secrets that lie elsewhere than in the data folder: handed to the thread apart, so that nothing writes them by mistake. */
export interface HostSecrets {
  secrets: SecretValues
}

export type ToHost =
  /** The first message: the thread is started before it is known what it runs. */
  | ({ t: 'init'; init: HostInit } & HostSecrets)
  | { t: 'stop'; how: 'keep' | 'now' }
  | { t: 'pause' }
  /** Instead of the first one: there is no run to be hosted. */
  | { t: 'leave' }

export type FromHost =
  /** The attempt is owned and begins. */
  | { t: 'owned' }
  | { t: 'events'; events: RunEvent[] }
  | { t: 'done'; view: RunView }
  /** Nothing more will happen in this thread: it could not take the run, or lost it. */
  | { t: 'failed'; error: ErrorData }
