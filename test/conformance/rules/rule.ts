/** One rule of the script API: a script, what its agents answer, and what has to come of it. */
import type { Json } from '../../../shared/json.ts'
import type { ScriptOptions } from '../../engine/support/run-script.ts'

/** A script that runs. Only what a row names is compared. */
export interface Rule {
  rule: string
  script: string
  /** Answers by prompt, null for an agent that died or was skipped; every other prompt is answered with itself. */
  answers?: Record<string, Json>
  given?: Partial<ScriptOptions>
  value?: Json
  /** The error that ends the run; `says` is a part of its message. */
  error?: { code: string; line?: number; column?: number; says?: string }
  /** Lines of the log in order; a part of each. */
  logs?: string[]
  /** Prompts of all calls in the order in which they were made. */
  calls?: string[]
  /** What agents are asked, with the options that are kept. */
  requests?: Json[]
  labels?: (string | null)[]
  /** Phase of each call. */
  phases?: (string | null)[]
}

/** A script that is refused before anything runs. */
export interface Refusal {
  rule: string
  script: string
  file?: string
  code: string
  line: number
  says?: string
}

/** A rule that needs a whole run: through the command line, with simulated agents. */
export interface RunRule {
  rule: string
  script: string
  options?: string[]
  /** Parts of the document that `--json` prints. */
  document: Record<string, unknown>
  exit: number
  /** How many agents were really started, tries included. */
  started?: number
}
