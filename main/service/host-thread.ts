/** A live run, seen from what routes: starts the run's host and keeps its events for whoever follows. */
import { Worker } from 'node:worker_threads'
import { assertNever } from '../../shared/assert-never.ts'
import { AppError } from '../../shared/errors.ts'
import type { RunEvent } from '../../shared/run/events.ts'
import type { End } from '../../shared/run/record.ts'
import type { RunView } from '../../shared/run/view.ts'
import type { SecretValues } from '../agents/secret-file.ts'
import type { FromHost, HostInit, ToHost } from '../host/host-messages.ts'
import { closeLostRun } from './lost-thread.ts'
import type { LiveRun } from './service.ts'

/**
 * Hands a run to the host and waits until that owns the attempt. Once only.
 * @throws AppError `run-busy` when another process has the run; nothing was started then.
 */
export type TakeRun = (init: HostInit, number: number) => Promise<LiveRun>

/** The host of a run: the built file of its thread, or `here` for this very thread; and the secrets that it can't read by itself. */
export interface HostEntry {
  url: URL | 'here'
  secrets(): SecretValues
}

/** The way to a host and from it. */
interface Link {
  post(message: ToHost): void
  listen(onMessage: (message: FromHost) => void, onLost: (error: Error) => void): void
  /** Lets go of a host that was given no run. */
  close(): void
}

function threadLink(url: URL): Link {
  const worker = new Worker(url)
  return {
    post: (message) => worker.postMessage(message),
    listen(onMessage, onLost) {
      worker.on('message', onMessage)
      worker.on('error', onLost)
      worker.on('exit', () => onLost(new Error('The thread of this run ended by itself. Its finished results are saved: resume it.')))
    },
    close: () => void worker.terminate(),
  }
}

/** A host in this thread spares a short-lived process the start of another one. It is heard a turn later, never in the middle of its work. */
function hereLink(): Link {
  let hear: (message: FromHost) => void = () => undefined
  const host = import('../host/run-host.ts').then(({ makeHost }) =>
    makeHost(
      (message) => void setImmediate(() => hear(message)),
      () => undefined,
    ),
  )
  return {
    post: (message) => void host.then((tell) => tell(message)),
    listen(onMessage, onLost) {
      hear = onMessage
      host.catch(onLost)
    },
    close: () =>
      void host.then(
        (tell) => tell({ t: 'leave' }),
        () => undefined,
      ),
  }
}

/** Starts a host, does the job meanwhile, and lets the host go when the job had no run for it. */
export async function withHost<T>({ url, secrets }: HostEntry, job: (take: TakeRun) => Promise<T>): Promise<T> {
  const link = url === 'here' ? hereLink() : threadLink(url)
  const take = attach(link, secrets)
  let taken = false
  try {
    return await job((init, number) => {
      taken = true
      return take(init, number)
    })
  } finally {
    if (!taken) link.close()
  }
}

/** Listens from the start, so that a thread that can't even load is not waited for. */
function attach(link: Link, secrets: HostEntry['secrets']): TakeRun {
  const events: RunEvent[] = []
  const listeners = new Set<(event: RunEvent) => void>()
  let finish!: (view: RunView) => void // set by the promise's executor, which runs at once
  let fail!: (error: AppError) => void
  const done = new Promise<RunView>((resolve, reject) => {
    finish = resolve
    fail = reject
  })
  /** The run that the thread owns, once it does. */
  let held: HostInit | null = null
  let given: HostInit | null = null
  let isLost = false
  let isStopped = false
  const hurry = new AbortController()
  /** A thread that dies is told of twice: by its error, and by its end. */
  const lose = async (error: AppError): Promise<void> => {
    if (isLost) return
    isLost = true
    const init = held
    // Who lost the run to another owner, or only rehearsed, has nothing to close.
    if (init === null || error.code === 'fenced' || init.claim.t === 'rehearsal') return fail(error)
    const end = (): End => (isStopped ? { status: 'killed' } : { status: 'failed', error: error.toData() })
    const view = await closeLostRun(init.project, init.runId, end, hurry.signal).catch(() => null)
    if (view === null) fail(error)
    else finish(view)
  }
  done.catch(() => undefined) // who started the run hears of it by `owned` or by `done`; nobody has to listen to both

  const owned = new Promise<void>((resolve, reject) => {
    const hear = (message: FromHost): void => {
      switch (message.t) {
        case 'owned':
          held = given
          return resolve()
        case 'events':
          for (const event of message.events) {
            events.push(event)
            for (const listener of listeners) listener(event)
          }
          return
        case 'done':
          held = null
          return finish(message.view)
        case 'failed': {
          const error = AppError.from(message.error)
          reject(error)
          return void lose(error)
        }
        default:
          return assertNever(message)
      }
    }
    const lost = (error: Error): void => {
      const wrapped = AppError.wrap(error)
      reject(wrapped)
      void lose(wrapped)
    }
    link.listen(hear, lost)
  })
  owned.catch(() => undefined) // a thread that is lost before it has a run is told of by `take`

  return async (init, number) => {
    given = init
    link.post({ t: 'init', init, secrets: secrets() })
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
      stop(how) {
        isStopped = true
        if (how === 'now') hurry.abort()
        link.post({ t: 'stop', how })
      },
      pause: () => link.post({ t: 'pause' }),
    }
  }
}
