/** One attempt at a run in this thread: the product's engine on a journal in memory, with a program in the place of a script. */
import { Attempt, type AttemptOptions } from '../../../main/engine/attempt.ts'
import { sha256 } from '../../../main/engine/fingerprint.ts'
import type { CallExecutor, LoadChild, RunLimits } from '../../../main/engine/ports.ts'
import type { Hooks } from '../../../main/engine/sandbox/hooks.ts'
import { startScript } from '../../../main/engine/sandbox/script.ts'
import type { StartScript } from '../../../main/engine/script-thread.ts'
import { systemClock } from '../../../main/host/system-clock.ts'
import { AppError } from '../../../shared/errors.ts'
import type { RunEvent } from '../../../shared/run/events.ts'
import type { RunView } from '../../../shared/run/view.ts'
import { type AttemptFacts, INFO, type MemoryJournal, openMemoryRun } from './memory-run.ts'

export type Program = (globals: Hooks['globals']) => Promise<unknown>

/** What programs call; a narrower view of the hooks than a script has. */
export interface ProgramHooks {
  agent(prompt: string, options?: object): Promise<unknown>
  parallel(thunks: (() => unknown)[]): Promise<unknown[]>
  pipeline(items: unknown[], ...stages: ((previous: unknown, item: unknown, index: number) => unknown)[]): Promise<unknown[]>
  phase(title: string): void
  workflow(reference: string | { scriptPath: string }, args?: unknown): Promise<unknown>
  log(...values: unknown[]): void
  budget: { total: number | null; spent(): number; remaining(): number }
  now(): number
  random(): number
  args: unknown
  sleep(ms: number): Promise<null>
  check(command: string | string[], options?: object): Promise<{ exitCode: number; stdout: string } | null>
  wait(probe: () => unknown, options?: object): Promise<string>
  gate(question: string, options?: object): Promise<{ choice: string; note?: string; by: string; at: number } | null>
}

export function program(body: (hooks: ProgramHooks) => Promise<unknown>): Program {
  return (globals) => body(globals as unknown as ProgramHooks)
}

/** Workflows that a program may call, by name. */
export type ChildPrograms = Readonly<Record<string, Program>> | ((name: string) => Program)

function childNamed(children: ChildPrograms, name: string): Program | undefined {
  return typeof children === 'function' ? children(name) : children[name]
}

/** The code of a child is its name. */
export function loadFrom(children: ChildPrograms): LoadChild {
  return async (reference) => {
    const name = 'name' in reference ? reference.name : reference.scriptPath
    if (childNamed(children, name) === undefined) throw new AppError('workflow-unknown', `There is no workflow ${name}`)
    return { prepared: { code: name, edits: [], file: `${name}.js` }, sha256: sha256(name), text: name, ext: 'js' }
  }
}

/** Runs the program in this thread, with the scheduler and the hooks of the product. */
export function inThisThread(run: Program, children: ChildPrograms = {}): StartScript {
  return (init, on) => {
    let over = false
    const script = startScript(
      init,
      {
        evaluate: (code, globals) => () => ((code === '' ? undefined : childNamed(children, code)) ?? run)(globals),
        whenQuiet: (callback) => void setImmediate(callback),
      },
      (batch) => {
        if (!over) on.batch(batch)
      },
    )
    return {
      post: (message) => script.receive(message),
      terminate: async () => {
        over = true
      },
    }
  }
}

export const SCRIPT = { code: '', edits: [], file: 'program.js' }

export interface MemoryAttemptOptions {
  executor: CallExecutor
  limits?: Partial<RunLimits>
  input?: Partial<AttemptOptions['input']>
  /** What the attempt's record says of it, where that is not what all attempts say. */
  attempt?: AttemptFacts
  earlier?: RunView | null
  skipInFlight?: number[]
  killAfter?: number
  clock?: AttemptOptions['clock']
  children?: ChildPrograms
  loadChild?: LoadChild
  whenWaiting?: 'stay' | 'leave'
  readFile?: AttemptOptions['readFile']
  /** Told of each event, with the attempt that it is of. */
  onEvent?(event: RunEvent, attempt: Attempt): void
}

export interface MemoryAttempt {
  attempt: Attempt
  done: Promise<RunView>
  killed: Promise<void>
  events: RunEvent[]
}

/** Starts the next attempt of the journal's run. */
export function startAttempt(journal: MemoryJournal, run: Program, options: MemoryAttemptOptions): MemoryAttempt {
  const open = openMemoryRun(journal, options.killAfter ?? Number.POSITIVE_INFINITY, {
    ...(options.input?.from !== undefined && { from: options.input.from }),
    ...options.attempt,
  })
  const events: RunEvent[] = []
  const attempt: Attempt = new Attempt({
    run: open,
    executor: options.executor,
    clock: options.clock ?? systemClock,
    startScript: inThisThread(run, options.children),
    loadChild: options.loadChild ?? loadFrom(options.children ?? {}),
    script: SCRIPT,
    input: {
      script: { sha256: INFO.source.sha256, text: '', ext: 'js' },
      engine: '0.1.0',
      policy: 'content',
      backend: 'real',
      ...options.input,
    },
    limits: { ...INFO.limits, ...options.limits },
    declaredPhases: [],
    earlier: options.earlier ?? null,
    skipInFlight: options.skipInFlight ?? [],
    whenWaiting: options.whenWaiting ?? 'stay',
    readFile: options.readFile ?? (async (path) => ({ refused: `${path} is not there` })),
    onEvents: (added) => {
      events.push(...added)
      for (const event of added) options.onEvent?.(event, attempt)
    },
  })
  attempt.start()
  return { attempt, done: attempt.done, killed: open.killed, events }
}

export function valueOf(view: RunView): unknown {
  return view.value !== null && 'inline' in view.value ? view.value.inline : undefined
}
