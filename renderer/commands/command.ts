/** What a command is. Keys, footer hints, the key list and the command sheet all read the same objects. */
import type { RunSummary } from '../../shared/run/view.ts'
import type { Stores } from '../store/stores.ts'

/** What the list of runs can be told to do; present while it is on screen. */
export interface ListControls {
  current(): RunSummary | null
  /** Puts the focus on its row, or on the next one when it is gone. */
  focus(): void
  move(by: number): void
  edge(where: 'first' | 'last'): void
  focusFilter(): void
}

/** What the timeline can be told to do; present while it is on screen. */
export interface LaneControls {
  zoomBy(factor: number): void
  fit(): void
  panBy(share: number): void
  centre(): void
  follow(): void
  step(by: number, which: 'any' | 'call' | 'waiting' | 'failed'): void
  /** Left and right arrow: close or go to the lane, open or go to its first call. */
  fold(open: boolean): void
  edge(where: 'first' | 'last'): void
  inspect(): void
  copyOutput(): void
  /** Puts the focus on the current row. */
  focus(): void
  /** The lane of the current row stays on top, or goes back to its place. */
  pin(): void
}

export interface Controls {
  list: ListControls | null
  lanes: LaneControls | null
}

export interface CommandContext {
  stores: Stores
  controls: Controls
}

/** The keys that run a command: what the person bound, else its own. */
export function keysOf(command: Pick<Command, 'id' | 'keys'>, bound: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.hasOwn(bound, command.id) ? (bound[command.id] ?? command.keys) : command.keys
}

export type Place = 'anywhere' | 'list' | 'run'

export interface Command {
  /** Never changes: rebound keys are remembered by it. */
  id: string
  /** Sentence case, a verb first. */
  words: string
  /** One word or two for the footer; absent: not shown there. */
  short?: string
  /** Keys as they come; what a person bound instead is in the settings (`keysOf`). */
  keys: readonly string[]
  place: Place
  /** False: the command makes no sense here and is not offered. */
  when?: (context: CommandContext) => boolean
  /** Why it can't act now, null when it can. */
  whyNot?: (context: CommandContext) => string | null
  run: (context: CommandContext) => void
}
