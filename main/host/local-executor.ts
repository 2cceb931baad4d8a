/**
 * Runs the engine's tasks on this machine, each through the runner of its agent. A task is run once however often it is
 * accepted, and whoever attaches, whenever and however often, is told everything from its start on.
 */
import { RunId } from '../../shared/ids.ts'
import type { Json } from '../../shared/json.ts'
import type { AgentOutcome } from '../agents/agent-runner.ts'
import type { Runners } from '../agents/runners.ts'
import { requestOf } from '../engine/call-task.ts'
import type { AgentEvent, CallExecutor, CallTask, Clock, Secrets, TaskId, TaskListener, ToTask } from '../engine/ports.ts'
import type { DaySpending } from '../store/day-spending.ts'
import { type Job, jobOf } from './agent-job.ts'
import { DayLimit } from './day-limit.ts'
import { dollars, endedBy, finished, refused, type StoppedBy, wentWrong } from './outcome.ts'
import { Permissions } from './permissions.ts'
import { Places } from './places.ts'
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
  /** What agents are told besides, by profile; never shown or written. */
  secrets?: Secrets
  /** Where the costs of the day are kept; absent: no limits of the day. */
  spending?: DaySpending
  /** Told of everything that an agent says, as it says it. */
  onTold?(told: Told): void
}

/** One line of a call's transcript: what the agent told, or what it was allowed. Without secrets. */
export interface Told {
  call: number
  attempt: number
  generation: number
  kind: AgentEvent['kind'] | 'permission'
  text: string
}

/** A runner that does not end when told to is given up after this time. */
const GIVE_UP_MS = 10_000
/** Ended tasks whose story is still told to those who attach. */
const REMEMBERED = 200

interface Task {
  log: TaskLog
  stop: AbortController
  stoppedBy: StoppedBy | null
  /** Null until its agent is known. */
  permissions: Permissions | null
  session: string | null
}

export class LocalExecutor implements CallExecutor {
  readonly slots: number
  readonly outlivesOwner = false
  private readonly options: LocalExecutorOptions
  /** As it was at the start: looking up each of our own variables anew for each call costs more than all else in a start. */
  private readonly environment: Readonly<Record<string, string | undefined>>
  private readonly clock: Clock
  private readonly places: Places
  private readonly tasks = new Map<TaskId, Task>()
  private readonly ended: TaskId[] = []
  private readonly forgotten = new Set<TaskId>()
  /** Tools that somebody allowed for good, as `profile tool`, as long as the attempt lasts. */
  private readonly allowed = new Set<string>()
  private readonly day: DayLimit | null

  constructor(options: LocalExecutorOptions) {
    this.options = options
    this.slots = options.slots
    this.environment = options.env ?? { ...process.env }
    this.clock = options.clock ?? systemClock
    const { spending, runners } = options
    this.day = spending === undefined ? null : new DayLimit({ spending, whole: () => runners.maxCostPerDay(), now: () => this.clock.now() })
    this.places = options.places ?? new Places(options.cwd, { runId: RunId.parse('none'), workspace: 'current', git: null })
  }

  async accept(tasks: CallTask[]): Promise<void> {
    for (const task of tasks) {
      if (this.tasks.has(task.id) || this.forgotten.has(task.id)) continue
      const state: Task = {
        log: new TaskLog(),
        stop: new AbortController(),
        stoppedBy: null,
        permissions: null,
        session: null,
      }
      this.tasks.set(task.id, state)
      void this.work(task, state).then(() => this.remember(task.id))
    }
  }

  lane(request: Json): { name: string; slots: number } | null {
    const { runners, defaultAgent, slots } = this.options
    const { agentType } = requestOf(request)
    const lane = defaultAgent === 'simulated' ? null : runners.lane(typeof agentType === 'string' ? { agentType } : {})
    return lane === null || lane.slots >= slots ? null : lane
  }

  /** @throws Error for a task that was never accepted here (it has to be asked again), or ended long ago. */
  attach(id: TaskId, on: TaskListener): { tell(message: ToTask): Promise<void> } {
    const task = this.tasks.get(id)
    if (task === undefined) throw new Error(`Task ${id} is not known to this executor`)
    task.log.attach(on)
    return {
      tell: async (message) => {
        if (message.t === 'cancel') stop(task, 'cancel')
        else task.permissions?.answer(message.question, message.answer)
      },
    }
  }

  /** Cancels everything that runs, for the end of this process. Resolves when all of it has ended. */
  async close(): Promise<void> {
    const tasks = [...this.tasks.values()]
    for (const task of tasks) stop(task, 'cancel')
    await Promise.all(tasks.map((task) => task.log.ended))
    await this.options.runners.close()
  }

  private remember(id: TaskId): void {
    this.ended.push(id)
    const oldest = this.ended.length > REMEMBERED ? this.ended.shift() : undefined
    if (oldest === undefined) return
    this.tasks.delete(oldest)
    this.forgotten.add(oldest)
  }

  private async work(task: CallTask, state: Task): Promise<void> {
    const { cwd, runners, defaultAgent, secrets = null } = this.options
    const env = this.environment
    const job = await jobOf(task, { cwd, places: this.places, runners, defaultAgent, env, secrets }).catch((error: unknown) =>
      wentWrong(error),
    )
    if ('kind' in job) return state.log.end({ ...job, cost: null, backend: 'none' })
    if ('refused' in job) return state.log.end(refused(job.detail, job.refused))
    if (state.stop.signal.aborted) return state.log.end({ kind: 'cancelled' })
    state.log.started({ worker: 'local', streams: job.streams })
    const outcome = await this.run(task, job, state)
    if (outcome.kind === 'ok' && outcome.session !== undefined) this.named(outcome.session, job, state)
    state.log.end(finished(outcome, job))
  }

  private async run(task: CallTask, job: Job, state: Task): Promise<AgentOutcome> {
    const over = new AbortController()
    const signal = state.stop.signal
    const { stallMs = null } = this.options
    const permissions = new Permissions({
      job,
      log: state.log,
      clock: this.clock,
      allowed: this.allowed,
      over: () => AbortSignal.any([over.signal, signal]),
      onTold: (kind, text) => (kind === 'notice' ? this.told(task, job, { kind, text }, state) : this.noted(task, kind, text)),
    })
    state.permissions = permissions
    const watch = new TaskWatch({
      clock: this.clock,
      timeoutMs: task.timeoutMs,
      stallMs: job.streams ? stallMs : null,
      isAsking: () => permissions.isAsking,
      onOver: (by) => stop(state, by),
    })
    const work = () =>
      job.run({
        signal,
        onEvent: (event) => {
          watch.heard()
          if (!over.signal.aborted) this.told(task, job, event, state)
        },
        onPermission: (question) => permissions.mayUse(question).finally(() => watch.heard()),
        onSpawn: (child) => this.options.onChild?.({ runId: task.runId, call: task.call, ...child }),
        onSession: (session) => this.named(session, job, state),
        env: job.env,
      })
    const running = this.paid(job, work).catch((error: unknown) => wentWrong(error))
    void watch.run(over.signal)
    const outcome = await Promise.race([running, this.givenUp(signal, over.signal)])
    // With a reason of our own: the one that is made for us comes with a stack, which nobody reads.
    over.abort('over')
    // An agent that was told to stop may call that an error of its own.
    if (state.stoppedBy === null || outcome.kind === 'ok' || outcome.kind === 'halt') return outcome
    return endedBy(state.stoppedBy, outcome, { timeoutMs: task.timeoutMs, stallMs })
  }

  private named(session: string, { streams }: Job, state: Task): void {
    if (state.session === session) return
    state.session = session
    state.log.started({ worker: 'local', streams, session })
  }

  /** A check costs nothing, and nor does what is only played or runs here. */
  private paid({ backend, profile }: Job, work: () => Promise<AgentOutcome>): Promise<AgentOutcome> {
    if (profile === null || backend === 'simulated' || backend === 'shell' || this.day === null) return work()
    return this.day.within(profile, work, (outcome) => dollars(outcome, profile) ?? 0)
  }

  /** What an agent says goes to those who follow the run, and into the call's transcript. */
  private told(task: CallTask, { mask }: Job, event: AgentEvent, state: Task): void {
    const text = mask.text(event.text)
    state.log.event({ ...event, text })
    this.noted(task, event.kind, text)
  }

  private noted({ call, attempt, generation }: CallTask, kind: Told['kind'], text: string): void {
    this.options.onTold?.({ call, attempt, generation, kind, text })
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

function stop(task: Task, by: StoppedBy): void {
  task.stoppedBy ??= by
  task.stop.abort()
}
