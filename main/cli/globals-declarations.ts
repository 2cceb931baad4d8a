/** The text of `globals.d.ts`: what a workflow script finds around it. A test compiles it with the starter script. */

/** The beginning by which a file of ours is known. */
export const DECLARATIONS_HEAD = '// What a Reprise workflow script can use.'

export const GLOBALS_DECLARATIONS = `${DECLARATIONS_HEAD} Written by \`reprise types\`; run it again after an update.

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

interface AgentOptions {
  /** Name of the call in lists and timelines. Changing it reruns nothing. */
  label?: string
  /** Phase of this call, when it is not the current one. */
  phase?: string
  /** JSON Schema of the answer; \`agent\` then returns the checked value instead of text. */
  schema?: JsonSchema
  model?: string
  effort?: string
  /** A profile or an agent definition of the project, e.g. 'Explore'. */
  agentType?: string
  /** 'worktree': the agent works in a git worktree of its own. */
  isolation?: 'worktree'
  allowedTools?: string[]
  maxTokens?: number
  timeoutMs?: number
  /** Further tries after a failure of the agent. */
  retries?: number
}

type JsonSchema = boolean | { readonly [keyword: string]: unknown }

/** The type that a literal schema describes, as far as it is plain: type, properties, required, items, enum, const. */
type FromSchema<S> =
  S extends { readonly const: infer C } ? C
  : S extends { readonly enum: readonly (infer E)[] } ? E
  : S extends { readonly type: 'string' } ? string
  : S extends { readonly type: 'number' | 'integer' } ? number
  : S extends { readonly type: 'boolean' } ? boolean
  : S extends { readonly type: 'null' } ? null
  : S extends { readonly type: 'array'; readonly items: infer I } ? FromSchema<I>[]
  : S extends { readonly type: 'object'; readonly properties: infer P; readonly required: readonly (infer R)[] } ?
    { [K in keyof P as K extends R ? K : never]: FromSchema<P[K]> } & { [K in keyof P as K extends R ? never : K]?: FromSchema<P[K]> }
  : S extends { readonly type: 'object'; readonly properties: infer P } ? { [K in keyof P]?: FromSchema<P[K]> }
  : any

/**
 * Asks an agent and waits for its answer: a text, or a value when a schema is given. \`null\` when the call died or was
 * skipped. A finished call is saved before the script sees its answer and is replayed on resume.
 */
declare function agent<const S extends JsonSchema>(prompt: string, options: AgentOptions & { schema: S }): Promise<FromSchema<S> | null>
declare function agent(prompt: string, options?: AgentOptions): Promise<string | null>

/** Starts all at once and waits for all. One that throws gives \`null\` in its place. Takes functions, not promises. */
declare function parallel<const T extends readonly (() => unknown)[]>(
  thunks: T,
): Promise<{ -readonly [K in keyof T]: (T[K] extends () => infer R ? Awaited<R> : never) | null }>

/**
 * Sends each item through the stages, without waiting for the others in between. A stage gets what the one before it
 * returned, the item and its index. An item whose stage throws gives \`null\` and skips its later stages.
 */
declare function pipeline<T, A>(
  items: readonly T[],
  first: (previous: T, item: T, index: number) => A,
): Promise<(Awaited<A> | null)[]>
declare function pipeline<T, A, B>(
  items: readonly T[],
  first: (previous: T, item: T, index: number) => A,
  second: (previous: Awaited<A>, item: T, index: number) => B,
): Promise<(Awaited<B> | null)[]>
declare function pipeline<T, A, B, C>(
  items: readonly T[],
  first: (previous: T, item: T, index: number) => A,
  second: (previous: Awaited<A>, item: T, index: number) => B,
  third: (previous: Awaited<B>, item: T, index: number) => C,
): Promise<(Awaited<C> | null)[]>
declare function pipeline<T>(
  items: readonly T[],
  ...stages: ((previous: any, item: T, index: number) => unknown)[]
): Promise<any[]>

/**
 * Runs another workflow and waits for what it returns: one of \`.claude/workflows\` by its name, or a file of the project by
 * its path. It gets a copy of \`args\`, its phases are shown as "name › phase", and its agents share this run's limits and
 * history. It can call no further one. Throws what it throws.
 */
declare function workflow(reference: string | { scriptPath: string }, args?: unknown): Promise<any>

/** Begins a phase; calls made from here on belong to it. */
declare function phase(title: string): void

/** Writes a line to the log of the run. */
declare function log(...values: unknown[]): void

interface CheckOptions {
  /** Name of the call in lists and timelines. */
  label?: string
  phase?: string
  /** A folder inside of the project, which is the default. */
  cwd?: string
  /** After this time the command is ended and the call has died. */
  timeoutMs?: number
  /** Added to the environment. Saved with the run: not for secrets. */
  env?: { [name: string]: string }
  /** May be started again after a crash without asking. */
  repeatable?: boolean
  /** The command is a line for the system's shell. */
  shell?: boolean
}

interface CheckResult {
  /** Of a command that a signal ended: 128 and the number of the signal. */
  exitCode: number
  stdout: string
  stderr: string
  durationMs: number
}

/**
 * Runs a command as evidence. A text is split into words without a shell; quotes hold words together. A command that fails
 * is a result; \`null\` when it could not be started, ran out of time or was skipped. In a simulated run nothing is started
 * and every check passes.
 */
declare function check(command: string | readonly string[], options?: CheckOptions): Promise<CheckResult | null>

interface WaitOptions {
  /** Between two looks; of several the last one is repeated. By default 30 s, 1, 2 and then 5 minutes. */
  intervalsMs?: number | readonly number[]
  /** 30 minutes by default. */
  timeoutMs?: number
  name?: string
}

/**
 * Looks until the answer is there: the probe gives 'wait' to be asked again after a sleep, 'green' or 'fail' to end. After
 * the time limit it is asked once more and the result is 'timeout'. A check that the probe starts at once is repeatable.
 */
declare function wait(
  probe: () => WaitVerdict | Promise<WaitVerdict>,
  options?: WaitOptions,
): Promise<'green' | 'fail' | 'timeout'>
type WaitVerdict = 'green' | 'wait' | 'fail'

interface GateOptions<C extends string> {
  label?: string
  phase?: string
  /** What can be chosen, in this order: 'approve' and 'changes' by default. */
  options?: readonly C[]
  /** What the person looks at: a text, or a file of the project, kept with the run as it was when the gate opened. */
  show?: string | { path: string }
  /** After this time without a choice the gate gives \`null\`. */
  timeoutMs?: number
}

interface GateDecision<C extends string> {
  choice: C
  note?: string
  by: string
  /** Milliseconds since 1970. */
  at: number
}

/** Waits for a person to choose. \`null\` when it was skipped or its time ran out; a decision is replayed on resume. */
declare function gate<const C extends string = 'approve' | 'changes'>(
  question: string,
  options?: GateOptions<C>,
): Promise<GateDecision<C> | null>

/**
 * Waits. How long is recorded when it begins, so that a resume waits for the rest only. Gives \`null\`.
 */
declare function sleep(ms: number): Promise<null>

/** The input of the run as it was given, a copy of your own; \`undefined\` when there is none. */
declare const args: any

/** Output tokens. \`total\` is \`null\` when the run has no limit, and \`remaining()\` is then \`Infinity\`. */
declare const budget: { readonly total: number | null; spent(): number; remaining(): number }

/** The time of the last result, in milliseconds since 1970; the same again on replay. */
declare function now(): number

/** A number from 0 up to, not including, 1; the same numbers again on replay. */
declare function random(): number

/** A UUID; the same ones again on replay. */
declare function uuid(): string
`
