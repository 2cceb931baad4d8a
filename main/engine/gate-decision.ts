/** What a gate gives to its script: the choice, who made it and when. */
import type { Json } from '../../shared/json.ts'

export interface GateDecision {
  choice: string
  note?: string
  by: string
  /** Milliseconds since 1970. */
  at: number
}

/** As it is journaled; a note of blanks is none. */
export function decision({ choice, note, by, at }: GateDecision): { [key: string]: Json } {
  const said = note?.trim() ?? ''
  return { choice, ...(said !== '' && { note: said }), by, at }
}
