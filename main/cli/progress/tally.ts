/** What the terminal needs to know of a run in progress, folded from its events. */
import type { RunEvent } from '../../../shared/run/events.ts'
import { type Counts, NO_COUNTS_YET } from './counts.ts'

export interface RunningCall {
  label: string
  counted: boolean
}

export interface Tally {
  title: string
  number: number
  path: string
  attempt: number
  startedAt: number
  phase: string | null
  /** The phases that the script declared, in order, and those of all that have ended. */
  declared: readonly string[]
  endedPhases: ReadonlySet<string>
  /** Calls of kind agent and check asked for so far. */
  asked: number
  counts: Counts
  outputTokens: number
  /** Asked for and not ended, by number, in order. */
  open: ReadonlyMap<number, RunningCall>
  working: ReadonlySet<number>
}

export interface TallyKeeper {
  readonly now: Tally
  fold(event: RunEvent): void
}

const START: Tally = {
  title: '',
  number: 0,
  path: '',
  attempt: 1,
  startedAt: 0,
  phase: null,
  declared: [],
  endedPhases: new Set(),
  asked: 0,
  counts: NO_COUNTS_YET,
  outputTokens: 0,
  open: new Map(),
  working: new Set(),
}

export function createTally(): TallyKeeper {
  const open = new Map<number, RunningCall>()
  const working = new Set<number>()
  const endedPhases = new Set<string>()
  const now: Tally = { ...START, counts: { ...NO_COUNTS_YET }, open, working, endedPhases }
  return {
    now,
    fold(event) {
      switch (event.type) {
        case 'run.started':
          Object.assign(now, { title: event.title, number: event.number, path: event.path, attempt: event.attempt, startedAt: event.at })
          now.declared = event.declaredPhases.map(({ title }) => title)
          endedPhases.clear()
          break
        case 'phase.started':
          now.phase = event.phase
          endedPhases.delete(event.phase)
          break
        case 'phase.ended':
          endedPhases.add(event.phase)
          break
        case 'call.queued': {
          const counted = event.kind === 'agent' || event.kind === 'check'
          open.set(event.callId, { label: event.label ?? event.title, counted })
          if (counted) now.asked += 1
          break
        }
        case 'call.started':
          working.add(event.callId)
          break
        case 'call.ended': {
          const call = open.get(event.callId)
          open.delete(event.callId)
          working.delete(event.callId)
          now.outputTokens += event.usage.outputTokens
          if (call?.counted !== true) break
          now.counts[event.outcome] += 1
          now.counts[event.source] += 1
          break
        }
        default: // other events change nothing that is shown here
      }
    },
  }
}
