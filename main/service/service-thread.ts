/**
 * The service in a thread of its own, with the same face: the thread that owns the windows only passes messages on. When the thread
 * is lost, another takes its place, and the runs that were lost with it are closed, so that they can be resumed at once.
 */
import { AppError } from '../../shared/errors.ts'
import type { RunView } from '../../shared/run/view.ts'
import type { SecretValues } from '../agents/secret-file.ts'
import type { LiveRun, Service } from './service.ts'
import { type LostWork, ServiceLine } from './service-line.ts'
import type { ServiceMethod } from './service-messages.ts'

export interface ServiceThreadOptions {
  /** The built `service-worker.mjs`. */
  entry: URL
  /** The app's data folder. */
  data: string
  /** Those that only the app can read. */
  secrets: { values: SecretValues; changed: { on(listener: (values: SecretValues) => void): void } }
  /** The thread ended by itself, and another one is at work: the runs that it was at work on are closed, and can be resumed. */
  onLost(error: AppError, runs: number): void
}

/** A thread that is lost is started anew: at once where it had runs to close, else for the next question. */
export function startService({ entry, data, secrets, onLost }: ServiceThreadOptions): Service {
  let line: ServiceLine | null = null
  secrets.changed.on((values) => line?.say({ t: 'secrets', values }))

  function lines(): ServiceLine {
    line ??= new ServiceLine(entry, data, secrets.values, lost)
    return line
  }

  /** What was asked is answered with the error; what was at work is closed by the next thread, as nobody else can know of it. */
  async function lost(error: AppError, { runs, projects, hasWorked }: LostWork): Promise<void> {
    line = null
    try {
      // Asked for before anything else can be: what is at work from then on is none of the lost.
      await Promise.all([...projects].map((project) => lines().closeLost(project, error)))
      for (const { runId, project, settle } of runs) settle({ ok: true, value: (await call('show', [project, runId])) as RunView })
    } catch (thrown) {
      // The one after it is lost too, or the disk: the next start of the app finds these runs interrupted.
      for (const { settle } of runs) settle({ ok: false, error: AppError.wrap(thrown).toData() })
    }
    if (hasWorked) onLost(error, runs.length)
  }

  const call = (method: ServiceMethod, args: unknown[]): Promise<unknown> => lines().call(method, args)
  const start = (method: 'launch' | 'resume', args: unknown[], { project }: { project: string }): Promise<LiveRun> =>
    lines().start(method, args, project)
  lines()

  return {
    preflight: (...args) => call('preflight', args) as ReturnType<Service['preflight']>,
    trust: (...args) => call('trust', args) as ReturnType<Service['trust']>,
    launch: (...args) => start('launch', args, args[1]),
    dryRun: (...args) => call('dryRun', args) as ReturnType<Service['dryRun']>,
    plan: (...args) => call('plan', args) as ReturnType<Service['plan']>,
    resume: (...args) => start('resume', args, args[1]),
    stop: (...args) => call('stop', args) as ReturnType<Service['stop']>,
    pause: (...args) => call('pause', args) as ReturnType<Service['pause']>,
    decide: (...args) => call('decide', args) as ReturnType<Service['decide']>,
    skip: (...args) => call('skip', args) as ReturnType<Service['skip']>,
    retry: (...args) => call('retry', args) as ReturnType<Service['retry']>,
    answer: (...args) => call('answer', args) as ReturnType<Service['answer']>,
    list: (...args) => call('list', args) as ReturnType<Service['list']>,
    show: (...args) => call('show', args) as ReturnType<Service['show']>,
    call: (...args) => call('call', args) as ReturnType<Service['call']>,
    transcript: (...args) => call('transcript', args) as ReturnType<Service['transcript']>,
    agents: (...args) => call('agents', args) as ReturnType<Service['agents']>,
    today: (...args) => call('today', args) as ReturnType<Service['today']>,
    testAgent: (...args) => call('testAgent', args) as ReturnType<Service['testAgent']>,
    setSecret: (...args) => call('setSecret', args) as ReturnType<Service['setSecret']>,
    value: (...args) => call('value', args) as ReturnType<Service['value']>,
    reconcile: (...args) => call('reconcile', args) as ReturnType<Service['reconcile']>,
    // Reads files and nothing else, a piece at a time: a stream needs no messages of its own.
    logs: async function* (...args) {
      yield* (await import('./logs.ts')).runLogs(...args)
    },
    export: (...args) => call('export', args) as ReturnType<Service['export']>,
    import: (...args) => call('import', args) as ReturnType<Service['import']>,
    prune: (...args) => call('prune', args) as ReturnType<Service['prune']>,
    checkText: (...args) => call('checkText', args) as ReturnType<Service['checkText']>,
    saveText: (...args) => call('saveText', args) as ReturnType<Service['saveText']>,
    newWorkflow: (...args) => call('newWorkflow', args) as ReturnType<Service['newWorkflow']>,
    examine: (...args) => call('examine', args) as ReturnType<Service['examine']>,
    worktrees: (...args) => call('worktrees', args) as ReturnType<Service['worktrees']>,
    worktreeDiff: (...args) => call('worktreeDiff', args) as ReturnType<Service['worktreeDiff']>,
    applyWorktree: (...args) => call('applyWorktree', args) as ReturnType<Service['applyWorktree']>,
    discardWorktree: (...args) => call('discardWorktree', args) as ReturnType<Service['discardWorktree']>,
    pin: (...args) => call('pin', args) as ReturnType<Service['pin']>,
    removable: (...args) => call('removable', args) as ReturnType<Service['removable']>,
    outdated: (...args) => call('outdated', args) as ReturnType<Service['outdated']>,
    resolveRun: (...args) => call('resolveRun', args) as ReturnType<Service['resolveRun']>,
  }
}
