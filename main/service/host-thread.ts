/** A live run, seen from the process that routes: starts the run's own thread and keeps its events for whoever follows. */
import { Worker } from 'node:worker_threads'
import { assertNever } from '../../shared/assert-never.ts'
import { AppError } from '../../shared/errors.ts'
import type { RunEvent } from '../../shared/run/events.ts'
import type { RunView } from '../../shared/run/view.ts'
import type { SecretValues } from '../agents/secret-file.ts'
import type { FromHost, HostInit, ToHost } from '../host/host-messages.ts'
import type { LiveRun } from './service.ts'

/**
 * Hands a run to the thread and waits until the thread owns the attempt. Once only.
 * @throws AppError `run-busy` when another process has the run; nothing was started then.
 */
export type TakeRun = (init: HostInit, number: number) => Promise<LiveRun>

/** The thread of a run: its built file, and the secrets that it can't read by itself. */
export interface HostEntry {
  url: URL
  secrets(): SecretValues
}

/** Starts a thread, does the job meanwhile, and lets the thread go when the job had no run for it. */
export async function withHost<T>({ url, secrets }: HostEntry, job: (take: TakeRun) => Promise<T>): Promise<T> {
  const worker = new Worker(url)
  const take = attach(worker, secrets)
  let taken = false
  try {
    return await job((init, number) => {
      taken = true
      return take(init, number)
    })
  } finally {
    if (!taken) void worker.terminate()
  }
}

/** Listens from the start, so that a thread that can't even load is not waited for. */
function attach(worker: Worker, secrets: HostEntry['secrets']): TakeRun {
  const events: RunEvent[] = []
  const listeners = new Set<(event: RunEvent) => void>()
  let finish!: (view: RunView) => void // set by the promise's executor, which runs at once
  let fail!: (error: AppError) => void
  const done = new Promise<RunView>((resolve, reject) => {
    finish = resolve
    fail = reject
  })
  done.catch(() => undefined) // who started the run hears of it by `owned` or by `done`; nobody has to listen to both

  const owned = new Promise<void>((resolve, reject) => {
    worker.on('message', (message: FromHost) => {
      switch (message.t) {
        case 'owned':
          return resolve()
        case 'events':
          for (const event of message.events) {
            events.push(event)
            for (const listener of listeners) listener(event)
          }
          return
        case 'done':
          return finish(message.view)
        case 'failed': {
          const error = AppError.from(message.error)
          reject(error)
          return fail(error)
        }
        default:
          return assertNever(message)
      }
    })
    const lost = (error: Error): void => {
      const wrapped = AppError.wrap(error)
      reject(wrapped)
      fail(wrapped)
    }
    worker.on('error', lost)
    worker.on('exit', () => lost(new Error('The thread of this run ended by itself. Its finished results are saved: resume it.')))
  })
  owned.catch(() => undefined) // a thread that is lost before it has a run is told of by `take`

  return async (init, number) => {
    worker.postMessage({ t: 'init', init, secrets: secrets() } satisfies ToHost)
    await owned
    return {
      runId: init.runId,
      number,
      existed: false,
      done,
      onEvent(listener) {
        for (const event of events) listener(event)
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      stop: (how) => worker.postMessage({ t: 'stop', how } satisfies ToHost),
      pause: () => worker.postMessage({ t: 'pause' } satisfies ToHost),
    }
  }
}
