/**
 * Runs the engine's tasks on this machine, each through the runner of its agent. A task is run once however often it is
 * accepted, and whoever attaches, whenever and however often, is told everything from its start on.
 */
import { assertNever } from '../../shared/assert-never.ts'
import { RunId } from '../../shared/ids.ts'
import type { Json } from '../../shared/json.ts'
import type { AgentCall, AgentContext, AgentOutcome } from '../agents/agent-runner.ts'
import { readCheck, runCheck, simulatedCheck } from '../agents/check.ts'
import { childEnvironment } from '../agents/child-environment.ts'
import type { Refusal, Resolved, Runners } from '../agents/runners.ts'
import { WorktreeError } from '../agents/worktree/worktrees.ts'
import type {
  AgentRequest,
  CallExecutor,
  CallTask,
  Clock,
  Outcome,
  PermissionAnswer,
  PermissionQuestion,
  TaskId,
  TaskListener,
  ToTask,
} from '../engine/ports.ts'
import { type Place, Places } from './places.ts'
import { systemClock } from './system-clock.ts'
import { TaskLog } from './task-log.ts'
import { TaskWatch } from './task-watch.ts'

export interface LocalExecutorOptions {
  /** The project's folder. */
  cwd: string
  /** Where calls work; absent: in the project, without any worktrees. */
  places?: Places
  slots: number
  runners: Runners
  /** With `simulated` every call is simulated, whatever agent it names. */
  defaultAgent: string | null
  /** Told of each child process as it starts, so that it can be ended when this owner dies. */
  onChild?(child: { runId: string; call: number; pid: number; startTime: number }): void
  /** Silence after which a streaming agent is taken as stuck, in milliseconds of work; by default never. */
  stallMs?: number | null
  clock?: Clock
  /** Our own environment, of which children see a part. */
  env?: Readonly<Record<string, string | undefined>>
}

/** A permission that nobody answers is denied after this time. */
export const PERMISSION_MS = 10 * 60_000
/** A runner that does not end when told to is given up after this time. */
const GIVE_UP_MS = 10_000
/** Ended tasks whose story is still told to those who attach. */
const REMEMBERED = 200
const NO_USAGE = { inputTokens: 0, outputTokens: 0 }

/** What a task does once it may. */
interface Job {
  backend: string
  streams: boolean
  run(context: AgentContext): Promise<AgentOutcome>
}

interface Task {
  log: TaskLog
  stop: AbortController
  stoppedBy: 'cancel' | 'timeout' | 'stalled' | null
  questions: Map<string, (answer: PermissionAnswer) => void>
  /** Tools that somebody allowed for good, as long as this task works. */
  allowed: Set<string>
  session: string | null
}

export class LocalExecutor implements CallExecutor {
  readonly slots: number
  readonly outlivesOwner = false
  private readonly options: LocalExecutorOptions
  private readonly clock: Clock
  private readonly places: Places
  private readonly tasks = new Map<TaskId, Task>()
  private readonly ended: TaskId[] = []
  private readonly forgotten = new Set<TaskId>()

  constructor(options: LocalExecutorOptions) {
    this.options = options
    this.slots = options.slots
    this.clock = options.clock ?? systemClock
    this.places = options.places ?? new Places(options.cwd, { runId: RunId.parse('none'), workspace: 'current', git: null })
  }

  async accept(tasks: CallTask[]): Promise<void> {
    for (const task of tasks) {
      if (this.tasks.has(task.id) || this.forgotten.has(task.id)) continue
      const state: Task = {
        log: new TaskLog(),
        stop: new AbortController(),
        stoppedBy: null,
        questions: new Map(),
        allowed: new Set(),
        session: null,
      }
      this.tasks.set(task.id, state)
      void this.work(task, state).then(() => this.remember(task.id))
    }
  }

  /** @throws Error for a task that was never accepted here (it has to be asked again), or ended long ago. */
  attach(id: TaskId, on: TaskListener): { tell(message: ToTask): Promise<void> } {
    const task = this.tasks.get(id)
    if (task === undefined) throw new Error(`Task ${id} is not known to this executor`)
    task.log.attach(on)
    return {
      tell: async (message) => {
        if (message.t === 'cancel') stop(task, 'cancel')
        else task.questions.get(message.question)?.(message.answer)
      },
    }
  }

  /** Cancels everything that runs, for the end of this process. Resolves when all of it has ended. */
  async close(): Promise<void> {
    const tasks = [...this.tasks.values()]
    for (const task of tasks) stop(task, 'cancel')
    await Promise.all(tasks.map((task) => task.log.ended))
  }

  private remember(id: TaskId): void {
    this.ended.push(id)
    const oldest = this.ended.length > REMEMBERED ? this.ended.shift() : undefined
    if (oldest === undefined) return
    this.tasks.delete(oldest)
    this.forgotten.add(oldest)
  }

  private async work(task: CallTask, state: Task): Promise<void> {
    const job = task.kind === 'check' ? this.checkJob(task) : await this.agentJob(task)
    if ('kind' in job) return state.log.end(job)
    if (state.stop.signal.aborted) return state.log.end({ kind: 'cancelled' })
    state.log.started({ worker: 'local', streams: job.streams })
    const outcome = await this.run(task, job, state)
    if (outcome.kind === 'ok' && outcome.session !== undefined) this.named(outcome.session, job, state)
    state.log.end(withDefaults(outcome, job.backend))
  }

  private async agentJob(task: CallTask): Promise<Job | Outcome> {
    const request = readRequest(task.request)
    if (request === null) return refused('The task holds no prompt', 'agent-error')
    const agent = await this.agentFor(request).catch((error: unknown) => wentWrong(error))
    if ('kind' in agent) return { ...agent, cost: null, backend: 'none' }
    if ('refused' in agent) return refused(agent.detail, agent.refused)
    const { runner } = agent
    return {
      backend: runner.backend,
      streams: runner.streams === true,
      run: (context) => {
        const work = (cwd: string) => runner.run(this.callOf(task, request, agent, cwd), context)
        return runner.backend === 'simulated' ? work(this.options.cwd) : this.inPlace(task, request.isolation !== undefined, context, work)
      },
    }
  }

  private checkJob(task: CallTask): Job | Outcome {
    const request = readCheck(task.request)
    if (request === null) return refused('The task holds no command', 'agent-error')
    if (this.options.defaultAgent === 'simulated')
      return { backend: 'simulated', streams: false, run: async (context) => simulatedCheck(context) }
    return {
      backend: 'check',
      streams: false,
      run: (context) => this.inPlace(task, false, context, (cwd) => runCheck(request, cwd, context)),
    }
  }

  private async agentFor(request: AgentRequest): Promise<Resolved | Refusal> {
    if (this.options.defaultAgent === 'simulated') return this.options.runners.resolve({ ...request, agentType: 'simulated' })
    return this.options.runners.resolve(request)
  }

  private async inPlace(
    task: CallTask,
    isolated: boolean,
    context: AgentContext,
    work: (cwd: string) => Promise<AgentOutcome>,
  ): Promise<AgentOutcome> {
    let place: Place
    try {
      place = await this.places.of(task, isolated)
    } catch (error) {
      if (!(error instanceof WorktreeError)) throw error
      return { kind: 'dead', reason: 'worktree-failed', detail: error.message, retryable: error.isPassing, usage: NO_USAGE }
    }
    try {
      return context.signal.aborted ? { kind: 'cancelled' } : await work(place.cwd)
    } finally {
      const left = await place.leave()
      if (left !== null) context.onEvent({ kind: 'notice', text: left })
    }
  }

  private async run(task: CallTask, job: Job, state: Task): Promise<AgentOutcome> {
    const over = new AbortController()
    const signal = state.stop.signal
    const { stallMs = null } = this.options
    const watch = new TaskWatch({
      clock: this.clock,
      timeoutMs: task.timeoutMs,
      stallMs: job.streams ? stallMs : null,
      isAsking: () => state.questions.size > 0,
      onOver: (by) => stop(state, by),
    })
    const running = job
      .run({
        signal,
        onEvent: (event) => {
          watch.heard()
          state.log.event(event)
        },
        onPermission: (question) => this.ask(question, state, over.signal).finally(() => watch.heard()),
        onSpawn: (child) => this.options.onChild?.({ runId: task.runId, call: task.call, ...child }),
        onSession: (session) => this.named(session, job, state),
        env: childEnvironment(this.options.env ?? process.env, task),
      })
      .catch((error: unknown) => wentWrong(error))
    void watch.run(over.signal)
    const outcome = await Promise.race([running, this.givenUp(signal, over.signal)])
    over.abort()
    // An agent that was told to stop may call that an error of its own.
    if (state.stoppedBy === null || outcome.kind === 'ok' || outcome.kind === 'halt') return outcome
    // What it spent until then is paid all the same.
    const { usage, cost } = outcome.kind === 'dead' ? outcome : { usage: NO_USAGE, cost: undefined }
    const spent = { usage, ...(cost !== undefined && { cost }) }
    switch (state.stoppedBy) {
      case 'cancel':
        return { kind: 'cancelled' }
      case 'timeout':
        return { kind: 'dead', reason: 'timeout', detail: `No answer within ${task.timeoutMs ?? 0} ms`, retryable: false, ...spent }
      case 'stalled':
        return {
          kind: 'dead',
          reason: 'stalled',
          detail: `Nothing was heard of it for ${minutes(stallMs ?? 0)}`,
          retryable: true,
          ...spent,
        }
      default:
        return assertNever(state.stoppedBy)
    }
  }

  private named(session: string, { streams }: Job, state: Task): void {
    if (state.session === session) return
    state.session = session
    state.log.started({ worker: 'local', streams, session })
  }

  private callOf(task: CallTask, request: AgentRequest, agent: Resolved, cwd: string): AgentCall {
    const { prompt, schema, effort, agentType, maxTokens } = request
    const { model, instructions, tools, readOnly, permissions } = agent
    const { runId, call, attempt, generation, timeoutMs } = task
    return {
      ...{ runId, call, attempt, generation, prompt, label: request.label ?? null, timeoutMs },
      ...{ cwd, project: this.options.cwd, readOnly, permissions },
      ...(schema === undefined ? {} : { schema }),
      ...(model === null ? {} : { model }),
      ...(instructions === null ? {} : { instructions }),
      ...(effort === undefined ? {} : { effort }),
      ...(agentType === undefined ? {} : { agentType }),
      ...(tools === null ? {} : { allowedTools: tools }),
      ...(maxTokens === undefined ? {} : { maxTokens }),
    }
  }

  private async ask(question: PermissionQuestion, state: Task, over: AbortSignal): Promise<PermissionAnswer> {
    if (state.allowed.has(question.tool)) return 'allow-once'
    const answered = new Promise<PermissionAnswer>((resolve) => state.questions.set(question.id, resolve))
    const signal = AbortSignal.any([over, state.stop.signal])
    const nobody = this.clock.after(PERMISSION_MS, signal).then(
      () => 'deny' as const,
      () => 'deny' as const,
    )
    state.log.asked(question)
    const answer = await Promise.race([answered, nobody])
    state.questions.delete(question.id)
    state.log.answered(question, answer)
    if (answer === 'allow-always') state.allowed.add(question.tool)
    return answer
  }

  /** Ends a task whose runner does not: what it may still do is no longer listened to. */
  private async givenUp(signal: AbortSignal, over: AbortSignal): Promise<AgentOutcome> {
    await new Promise((resolve) => {
      if (signal.aborted) resolve(null)
      else signal.addEventListener('abort', resolve, { once: true })
    })
    await this.clock.after(GIVE_UP_MS, over).catch(() => {})
    return { kind: 'cancelled' }
  }
}

function stop(task: Task, by: 'cancel' | 'timeout' | 'stalled'): void {
  task.stoppedBy ??= by
  task.stop.abort()
}

function readRequest(request: Json): AgentRequest | null {
  const whole = typeof request === 'object' && request !== null && !Array.isArray(request)
  return whole && typeof request.prompt === 'string' ? { ...request, prompt: request.prompt } : null
}

function minutes(ms: number): string {
  const count = Math.round(ms / 60_000)
  return count === 1 ? '1 minute' : `${count} minutes`
}

type Dead = Extract<AgentOutcome, { kind: 'dead' }>

function wentWrong(error: unknown): Dead {
  const detail = error instanceof Error ? error.message : String(error)
  return { kind: 'dead', reason: 'agent-error', detail, retryable: false, usage: NO_USAGE }
}

function refused(detail: string, reason: Dead['reason']): Outcome {
  return { kind: 'dead', reason, detail, retryable: false, usage: NO_USAGE, cost: null, backend: 'none' }
}

function withDefaults(outcome: AgentOutcome, backend: string): Outcome {
  switch (outcome.kind) {
    case 'ok': {
      const { kind, output, usage, cost } = outcome
      return { kind, output: { inline: output }, usage, cost, backend }
    }
    case 'dead':
      return { ...outcome, cost: outcome.cost ?? null, backend }
    case 'halt':
      return { ...outcome, backend }
    case 'cancelled':
      return outcome
    default:
      return assertNever(outcome)
  }
}
