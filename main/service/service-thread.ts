/** The service in a thread of its own, with the same face: the thread that owns the windows only passes messages on. */
import { Worker } from 'node:worker_threads'
import { assertNever } from '../../shared/assert-never.ts'
import { AppError } from '../../shared/errors.ts'
import type { Result } from '../../shared/result.ts'
import type { RunEvent } from '../../shared/run/events.ts'
import type { RunView } from '../../shared/run/view.ts'
import type { SecretValues } from '../agents/secret-file.ts'
import type { LiveRun, Service } from './service.ts'
import type { FromService, LiveRunHandle, ServiceMethod, ToService } from './service-messages.ts'

interface Followed {
  events: RunEvent[]
  listeners: Set<(event: RunEvent) => void>
  settle(result: Result<RunView>): void
}

/** @param entry the built `service-worker.mjs`; @param data the app's data folder; @param secrets those that only the app can read */
export function startService(
  entry: URL,
  data: string,
  secrets: { values: SecretValues; changed: { on(listener: (values: SecretValues) => void): void } },
): Service {
  const worker = new Worker(entry, { workerData: data })
  const say = (message: ToService): void => worker.postMessage(message)
  say({ t: 'secrets', values: secrets.values })
  secrets.changed.on((values) => say({ t: 'secrets', values }))
  const asked = new Map<number, (result: Result<unknown>) => void>()
  const followed = new Map<number, Followed>()
  let calls = 0

  function call(method: ServiceMethod, args: unknown[]): Promise<unknown> {
    const id = ++calls
    return new Promise((resolve, reject) => {
      asked.set(id, (result) => (result.ok ? resolve(result.value) : reject(AppError.from(result.error))))
      say({ t: 'call', id, method, args })
    })
  }

  function follow({ live, runId, number, existed }: LiveRunHandle): LiveRun {
    let settle!: (result: Result<RunView>) => void // set by the promise's executor, which runs at once
    const done = new Promise<RunView>((resolve, reject) => {
      settle = (result) => (result.ok ? resolve(result.value) : reject(AppError.from(result.error)))
    })
    done.catch(() => undefined) // nobody has to wait for it
    const run: Followed = { events: [], listeners: new Set(), settle }
    followed.set(live, run)
    return {
      runId,
      number,
      existed,
      done,
      onEvent(listener) {
        for (const event of run.events) listener(event)
        run.listeners.add(listener)
        return () => run.listeners.delete(listener)
      },
      stop: (how) => say({ t: 'stop', live, how }),
      pause: () => say({ t: 'pause', live }),
    }
  }

  worker.on('message', (message: FromService) => {
    switch (message.t) {
      case 'answer':
        asked.get(message.id)?.(message.result)
        asked.delete(message.id)
        return
      case 'events':
        for (const event of message.events) {
          const run = followed.get(message.live)
          run?.events.push(event)
          for (const listener of run?.listeners ?? []) listener(event)
        }
        return
      case 'done':
        followed.get(message.live)?.settle(message.result)
        followed.delete(message.live)
        return
      default:
        assertNever(message)
    }
  })
  worker.on('error', (error) => {
    const lost: Result<never> = { ok: false, error: AppError.wrap(error).toData() }
    for (const answer of asked.values()) answer(lost)
    for (const run of followed.values()) run.settle(lost)
    asked.clear()
    followed.clear()
  })

  return {
    preflight: (...args) => call('preflight', args) as ReturnType<Service['preflight']>,
    trust: (...args) => call('trust', args) as ReturnType<Service['trust']>,
    launch: async (...args) => follow((await call('launch', args)) as LiveRunHandle),
    dryRun: (...args) => call('dryRun', args) as ReturnType<Service['dryRun']>,
    plan: (...args) => call('plan', args) as ReturnType<Service['plan']>,
    resume: async (...args) => follow((await call('resume', args)) as LiveRunHandle),
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
