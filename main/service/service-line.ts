/** The way to one thread of the service, until that ends: questions with their answers, and the runs that it is at work on. */
import { Worker } from 'node:worker_threads'
import { assertNever } from '../../shared/assert-never.ts'
import { AppError } from '../../shared/errors.ts'
import type { RunId } from '../../shared/ids.ts'
import type { Result } from '../../shared/result.ts'
import type { RunEvent } from '../../shared/run/events.ts'
import type { RunView } from '../../shared/run/view.ts'
import type { SecretValues } from '../agents/secret-file.ts'
import type { LiveRun } from './service.ts'
import type { FromService, LiveRunHandle, ServiceMethod, ToService } from './service-messages.ts'

interface Followed {
  runId: RunId
  project: string
  events: RunEvent[]
  listeners: Set<(event: RunEvent) => void>
  settle(result: Result<RunView>): void
}

/** What nobody works on any more. A project is named as soon as a run of it was asked for. */
export interface LostWork {
  runs: Pick<Followed, 'runId' | 'project' | 'settle'>[]
  projects: ReadonlySet<string>
  /** False of a thread that never came so far as to answer anything. */
  hasWorked: boolean
}

export class ServiceLine {
  readonly #worker: Worker
  readonly #asked = new Map<number, (result: Result<unknown>) => void>()
  readonly #followed = new Map<number, Followed>()
  readonly #projects = new Set<string>()
  #calls = 0
  #hasWorked = false
  #why: unknown = new Error('The service of Reprise ended by itself')

  constructor(entry: URL, data: string, secrets: SecretValues, onLost: (error: AppError, work: LostWork) => void) {
    this.#worker = new Worker(entry, { workerData: data })
    this.say({ t: 'secrets', values: secrets })
    this.#worker.on('message', (message: FromService) => this.#hear(message))
    this.#worker.on('error', (error) => {
      this.#why = error
    })
    // Not before its end: until then threads of runs that it has started may still write.
    this.#worker.on('exit', () => {
      const error = AppError.wrap(this.#why)
      for (const answer of this.#asked.values()) answer({ ok: false, error: error.toData() })
      onLost(error, { runs: [...this.#followed.values()], projects: this.#projects, hasWorked: this.#hasWorked })
    })
  }

  say(message: ToService): void {
    this.#worker.postMessage(message)
  }

  /** @throws AppError what the service throws, and why the thread was lost */
  call(method: ServiceMethod, args: unknown[]): Promise<unknown> {
    return this.#ask((id) => ({ t: 'call', id, method, args }))
  }

  async start(method: 'launch' | 'resume', args: unknown[], project: string): Promise<LiveRun> {
    this.#projects.add(project)
    return this.#follow((await this.call(method, args)) as LiveRunHandle, project)
  }

  /** Closes the runs of a project that a thread of this process was at work on when it was lost. */
  async closeLost(project: string, error: AppError): Promise<void> {
    await this.#ask((id) => ({ t: 'close-lost', id, project, error: error.toData() }))
  }

  #ask(message: (id: number) => ToService): Promise<unknown> {
    const id = ++this.#calls
    return new Promise((resolve, reject) => {
      this.#asked.set(id, (result) => (result.ok ? resolve(result.value) : reject(AppError.from(result.error))))
      this.say(message(id))
    })
  }

  #follow({ live, runId, number, existed }: LiveRunHandle, project: string): LiveRun {
    let settle!: (result: Result<RunView>) => void // set by the promise's executor, which runs at once
    const done = new Promise<RunView>((resolve, reject) => {
      settle = (result) => (result.ok ? resolve(result.value) : reject(AppError.from(result.error)))
    })
    done.catch(() => undefined) // nobody has to wait for it
    const run: Followed = { runId, project, events: [], listeners: new Set(), settle }
    this.#followed.set(live, run)
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
      stop: (how) => this.say({ t: 'stop', live, how }),
      pause: () => this.say({ t: 'pause', live }),
    }
  }

  #hear(message: FromService): void {
    switch (message.t) {
      case 'answer':
        this.#hasWorked = true
        this.#asked.get(message.id)?.(message.result)
        this.#asked.delete(message.id)
        return
      case 'events':
        for (const event of message.events) {
          const run = this.#followed.get(message.live)
          run?.events.push(event)
          for (const listener of run?.listeners ?? []) listener(event)
        }
        return
      case 'done':
        this.#followed.get(message.live)?.settle(message.result)
        this.#followed.delete(message.live)
        return
      default:
        assertNever(message)
    }
  }
}
