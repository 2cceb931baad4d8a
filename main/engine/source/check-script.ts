/** Preflight: reads a script without running any of it. */
import type { ErrorCode } from '../../../shared/errors.ts'
import type { Json } from '../../../shared/json.ts'
import type { PhaseMeta } from '../../../shared/run/events.ts'

export interface ScriptMeta {
  name?: string
  description?: string
  whenToUse?: string
  phases: PhaseMeta[]
  /** Keys that this version does not know, kept. */
  more: { [key: string]: Json }
}

/** A finding with its place; `line` and `column` count from 1 and are those of the file as written. */
export interface Diagnostic {
  severity: 'error' | 'warning'
  code: ErrorCode | 'clock-or-chance' | 'promise-not-thunk' | 'undeclared' | 'builtin-assignment' | 'phase-undeclared' | 'unknown-option'
  message: string
  line: number
  column: number
}

/** What a script can reach for, from its syntax tree: hooks called, and the literal values given to them. */
export interface ScriptUses {
  hooks: string[]
  agentTypes: { name: string; line: number; column: number }[]
  models: { name: string; line: number; column: number }[]
  /** Some `agent()` call names no agent type, or computes its options. */
  defaultAgent: boolean
  worktrees: boolean
  checks: boolean
}

/** A script made ready for the compartment. `code` is one expression: an async arrow function that is the body. */
export interface PreparedScript {
  code: string
  /** Source offsets of the pass that differ from the file, for `originalPosition`. */
  edits: { at: number; added: number }[]
  file: string
  /** Free names that nothing defines and no `typeof` asks for: reading one is a ReferenceError. */
  undeclared: string[]
}

export interface CheckedScript {
  meta: ScriptMeta | null
  diagnostics: Diagnostic[]
  uses: ScriptUses
  /** Null when a diagnostic is an error. */
  prepared: PreparedScript | null
}
