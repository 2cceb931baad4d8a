/**
 * Every error that a user can meet: one row a code. `rejection` = the input or the state does not allow it, shown as it is;
 * `fault` = the machine or we are at fault, shown with a way to copy the details. The words say what is safe, what broke
 * and what to do next.
 */
import type { Json } from './json.ts'

interface Row {
  kind: 'rejection' | 'fault'
  /** Exit code of the command line when this ends a command before anything ran. */
  exit: 1 | 2 | 4
  /** The buttons a screen offers, in order. */
  offers: readonly string[]
}

const usage = { kind: 'rejection', exit: 2 } as const
const failed = { kind: 'rejection', exit: 1 } as const
const fault = { kind: 'fault', exit: 1 } as const

export const ERRORS = {
  // The command line and its input
  usage: { ...usage, offers: [] },
  'file-missing': { ...usage, offers: ['Locate…'] },
  'file-unreadable': { ...usage, offers: ['Reveal file'] },
  'not-a-script': { ...usage, offers: [] },
  'bad-args': { ...usage, offers: [] },
  'workflow-unknown': { ...usage, offers: ['Create one from a template'] },
  'workflow-exists': { ...usage, offers: ['Open'] },
  'outside-project': { ...usage, offers: ['Reveal file'] },
  'name-invalid': { ...usage, offers: [] },
  'not-trusted': { ...usage, offers: ['Trust and run', "Don't run"] },
  'changed-since-you-looked': { ...usage, offers: ['Review the new text'] },
  'request-conflict': { ...usage, offers: ['Discard'] },
  // Scripts
  'script-syntax': { ...usage, offers: ['Open'] },
  'meta-not-literal': { ...usage, offers: ['Open'] },
  'not-self-contained': { ...usage, offers: ['Open'] },
  'typescript-unsupported': { ...usage, offers: ['Open'] },
  'not-deterministic': { ...failed, offers: ['Open', 'How to'] },
  'script-error': { ...failed, offers: ['Open'] },
  'bad-call': { ...failed, offers: ['Open'] },
  'run-ended': { ...failed, offers: [] },
  unserialisable: { ...failed, offers: ['Open'] },
  'too-many-items': { ...failed, offers: ['Open'] },
  'call-limit': { ...failed, offers: ['Open the last call'] },
  'script-stuck': { ...failed, offers: ['Open'] },
  'script-unresponsive': { ...failed, offers: ['Open', 'Resume'] },
  'script-out-of-memory': { ...failed, offers: ['Open', 'Resume'] },
  stopped: { ...failed, offers: ['Resume'] },
  // Agents
  'agent-unknown': { ...usage, offers: ['Open'] },
  'model-unknown': { ...usage, offers: ['Open'] },
  'profile-invalid': { ...usage, offers: ['Open', 'Settings'] },
  'prices-unknown': { ...usage, offers: ['Settings'] },
  'agent-unset': { ...usage, offers: ['Settings'] },
  'agent-died': { ...failed, offers: ['View log', 'Re-run from here'] },
  'agent-unreachable': { ...failed, offers: ['Choose its path', 'Test', 'Resume'] },
  // Pauses
  'budget-spent': { ...failed, exit: 4, offers: ['Raise budget and resume'] },
  'in-flight': { ...failed, exit: 4, offers: ['Repeat', 'Skip', 'Stop'] },
  // Runs and the store
  'run-unknown': { ...usage, offers: [] },
  'run-ambiguous': { ...usage, offers: [] },
  'run-busy': { ...usage, offers: ['Show it'] },
  'run-pinned': { ...usage, offers: [] },
  'run-finished': { ...usage, offers: [] },
  'run-foreign-host': { ...usage, offers: ['Take over'] },
  'owner-silent': { ...fault, offers: ['Try again'] },
  'call-unknown': { ...usage, offers: [] },
  'attempt-unknown': { ...usage, offers: [] },
  'choice-unknown': { ...usage, offers: [] },
  'gate-stale': { ...usage, offers: ['Review the new text'] },
  'question-closed': { ...usage, offers: [] },
  'worktree-unavailable': { ...usage, offers: [] },
  'worktree-unknown': { ...usage, offers: [] },
  'worktree-conflict': { ...failed, offers: ['Reveal file'] },
  'project-missing': { ...usage, offers: ['Locate…', 'Remove from list'] },
  'project-unwritable': { ...usage, offers: ['Choose folder'] },
  'journal-missing': { ...usage, offers: ['Reveal file'] },
  'journal-damaged': { ...failed, offers: ['Resume', 'Reveal file'] },
  'run-damaged': { ...usage, offers: ['Reveal file'] },
  'run-read-only': { ...usage, offers: ['Show it'] },
  'run-exists': { ...usage, offers: ['Show it'] },
  'bundle-invalid': { ...usage, offers: [] },
  'bundle-too-large': { ...usage, offers: [] },
  'file-exists': { ...usage, offers: ['Choose another name'] },
  'newer-format': { ...usage, offers: ['Check for update'] },
  fenced: { ...fault, offers: ['Show it'] },
  'disk-full': { ...fault, exit: 2, offers: ['Retry', 'Choose folder'] },
  'no-permission': { ...fault, exit: 2, offers: ['Retry', 'Choose folder'] },
  internal: { ...fault, offers: ['Copy details'] },
} as const satisfies Record<string, Row>

export type ErrorCode = keyof typeof ERRORS

/** An error as data: what crosses threads, the bridge and the disk. `line` and `column` count from 1. */
export interface ErrorData {
  code: ErrorCode
  message: string
  line?: number
  column?: number
  data?: Json
  /** The stack of a script's own error, or of a fault: for `--verbose` and "Copy details". */
  stack?: string
}

/** The one base of our errors. `code` is stable, `message` is for people: what, where, what next. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly line: number | undefined
  readonly column: number | undefined
  readonly data: Json | undefined

  constructor(code: ErrorCode, message: string, more: { line?: number; column?: number; data?: Json; cause?: unknown } = {}) {
    super(message, 'cause' in more ? { cause: more.cause } : undefined)
    this.name = 'AppError'
    this.code = code
    this.line = more.line
    this.column = more.column
    this.data = more.data
  }

  get row(): Row {
    return ERRORS[this.code]
  }

  toData(): ErrorData {
    const data: ErrorData = { code: this.code, message: this.message }
    if (this.line !== undefined) data.line = this.line
    if (this.column !== undefined) data.column = this.column
    if (this.data !== undefined) data.data = this.data
    if (this.row.kind === 'fault' && this.stack !== undefined) data.stack = this.stack
    return data
  }

  static from(data: ErrorData): AppError {
    const more: { line?: number; column?: number; data?: Json } = {}
    if (data.line !== undefined) more.line = data.line
    if (data.column !== undefined) more.column = data.column
    if (data.data !== undefined) more.data = data.data
    const error = new AppError(data.code, data.message, more)
    if (data.stack !== undefined) error.stack = data.stack
    return error
  }

  /** Realm-safe: an error that crossed a thread is known by its code. Anything else becomes `internal`. */
  static wrap(thrown: unknown): AppError {
    if (thrown instanceof AppError) return thrown
    if (thrown instanceof Error) {
      const wrapped = new AppError('internal', thrown.message, { cause: thrown })
      if (thrown.stack !== undefined) wrapped.stack = thrown.stack
      return wrapped
    }
    return new AppError('internal', String(thrown))
  }
}
