/** What the crash test and its engine processes tell each other: one JSON line each. */
import type { ErrorData } from '../../shared/errors.ts'
import type { PreparedScript } from '../engine/source/check-script.ts'
import type { Durability } from '../store/journal.ts'
import type { Fault } from './faulty-disk.ts'

export interface EngineInit {
  project: string
  /** Names the run: made with the first process that gets so far, gone on with by the later ones. */
  requestId: string
  /** File in which each real start of a simulated call is noted. */
  log: string
  script: { text: string; sha256: string; prepared: PreparedScript }
  lanes: number
  steps: number
  durability: Durability
  fault: Fault
  /** Unsynced bytes are lost at the end of the process, but for this share of them that reached the disk; null keeps all. */
  spill: number | null
}

export type FromEngine =
  /** The run is made, or found. `operations`: what that took of the disk. */
  | { t: 'run'; runId: string; operations: number }
  /** The result of a call is about to be handed to the script: from here on it must never be lost. */
  | { t: 'delivered'; call: number }
  /** The attempt ended by itself. `operations`: all that was done to the disk, the making of the run included. */
  | { t: 'done'; status: string; operations: number }
  | { t: 'failed'; error: ErrorData }
