/** How the next process dies: at any instant or at a chosen operation, on a disk that keeps, loses or refuses what is written. */
import { assertNever } from '../../shared/assert-never.ts'
import type { Chance } from './chance.ts'
import { type Fault, MOMENTS } from './faulty-disk.ts'

export interface Kill {
  fault: Fault
  /** Unsynced bytes are lost but for this share; null: the system keeps them. */
  spill: number | null
  /** Kill from outside so long after it was told to begin; null: it dies by itself, or not at all. */
  afterMs: number | null
}

const KINDS = 5

/**
 * @param turn the kinds take turns by it, and the points one after the other
 * @param whole what a run without kills took
 */
export function nextKill(turn: number, whole: { ms: number; operations: number }, chance: Chance): Kill {
  const round = Math.floor(turn / KINDS)
  const afterMs = chance.next() * whole.ms
  const moment = MOMENTS[round % MOMENTS.length] ?? 'before'
  const die: Fault = { kind: 'die', at: 1 + (Math.floor(round / MOMENTS.length) % whole.operations), moment }
  switch (turn % KINDS) {
    case 0:
      return { fault: { kind: 'none' }, spill: null, afterMs }
    case 1:
      return { fault: die, spill: null, afterMs: null }
    case 2:
      return { fault: { kind: 'none' }, spill: 0, afterMs }
    case 3:
      return { fault: { kind: 'die', at: 1 + chance.below(whole.operations), moment }, spill: chance.next(), afterMs: null }
    default: {
      const code = round % 2 === 0 ? 'ENOSPC' : 'EACCES'
      const fault: Fault = { kind: 'refuse', from: 1 + chance.below(whole.operations), count: 1 + chance.below(4), code }
      return { fault, spill: null, afterMs: afterMs + 30 }
    }
  }
}

/**
 * A death or a refusal while the run is being made.
 * @param turn the points take turns by it
 * @param operations how many there are
 */
export function killInMaking(turn: number, operations: number, whole: { ms: number }, chance: Chance): Kill {
  const at = 1 + (turn % operations)
  const moment = MOMENTS[Math.floor(turn / operations) % MOMENTS.length] ?? 'before'
  const which = chance.next()
  if (which < 0.7) return { fault: { kind: 'die', at, moment }, spill: which < 0.4 ? chance.next() : null, afterMs: null }
  const code = chance.next() < 0.5 ? 'ENOSPC' : 'EACCES'
  return { fault: { kind: 'refuse', from: at, count: 1 + chance.below(4), code }, spill: null, afterMs: 30 + chance.next() * whole.ms }
}

/** For the report of a failure: `a kill at an instant`, `a kill half way through write 7, unsynced bytes lost`. */
export function killInWords(kill: Kill | null): string {
  if (kill === null) return 'the end'
  const disk = kill.spill === null ? '' : ', unsynced bytes lost'
  const { fault } = kill
  switch (fault.kind) {
    case 'none':
      return `a kill at an instant${disk}`
    case 'die':
      return `a kill ${fault.moment === 'half' ? 'half way through' : fault.moment} operation ${fault.at}${disk}`
    case 'refuse':
      return `${fault.code} from operation ${fault.from} on, ${fault.count} times, then a kill`
    default:
      return assertNever(fault)
  }
}
