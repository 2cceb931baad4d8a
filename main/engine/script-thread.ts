/** The script's own thread, seen from the run host: starts it, watches its heartbeat, and ends it. */
import { Worker } from 'node:worker_threads'
import type { ErrorData } from '../../shared/errors.ts'
import type { FromScript, ScriptInit, ToScript, ToThread } from './sandbox/protocol.ts'
import { ScriptWatch, type WatchLimits } from './script-watch.ts'

const LIMITS: WatchLimits = { memoryMb: 512, keptMb: 768, unresponsiveMs: 30_000, lookMs: 100 }
/**
 * V8 ends the whole process when one allocation does not fit under this limit, so it lies far above what the watch allows:
 * it only meets scripts that grow by little at a time, for which V8 ends the thread alone.
 */
const HEAP_LIMIT_MB = 2048

export interface ScriptListener {
  batch(messages: FromScript[]): void
  died(error: ErrorData): void
}

export interface ScriptThread {
  post(message: ToScript): void
  terminate(): Promise<void>
}

export type StartScript = (init: ScriptInit, on: ScriptListener) => ScriptThread

/** A thread that gets ready before it is known which script it runs. */
export class WarmThread {
  #worker: Worker | null
  /** Then another one is started when it is needed, and tells what is wrong. */
  readonly #gone = (): void => {
    this.#worker = null
  }

  constructor(entry: URL) {
    this.#worker = newThread(entry).once('error', this.#gone).once('exit', this.#gone)
  }

  /** The thread, to the first who asks. */
  take(): Worker | null {
    const worker = this.#worker
    this.#worker = null
    return worker?.off('error', this.#gone).off('exit', this.#gone) ?? null
  }

  /** Ends it, if nobody took it. */
  close(): void {
    void this.take()?.terminate()
  }
}

function newThread(entry: URL): Worker {
  return new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB }, env: {}, stdin: false })
}

/**
 * Starts scripts in worker threads from the built entry file.
 * @param warm the thread that the first of them gets
 */
export function scriptThreads(entry: URL, limits: WatchLimits = LIMITS, warm?: WarmThread): StartScript {
  return (init, on) => {
    const worker = warm?.take() ?? newThread(entry)
    const watch = new ScriptWatch(limits, {
      ping: () => post({ t: 'ping', id: 0 }),
      tooMuchMemory: (mb) => end(outOfMemory(mb)),
      unresponsive: () => end(unresponsive(limits.unresponsiveMs)),
    })
    let over = false
    const unsent: ToThread[] = []

    /** What is told in one go wakes the thread once. */
    function post(message: ToThread): void {
      if (unsent.push(message) === 1) queueMicrotask(() => worker.postMessage(unsent.splice(0)))
    }

    function end(error: ErrorData): void {
      if (over) return
      over = true
      watch.stop()
      void worker.terminate()
      on.died(error)
    }

    worker.on('message', (batch: FromScript[]) => {
      watch.heard(batch)
      const messages = batch.filter((message) => message.t !== 'pong')
      if (!over && messages.length > 0) on.batch(messages)
    })
    worker.on('error', (error: NodeJS.ErrnoException) =>
      end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? outOfMemory(HEAP_LIMIT_MB) : crashed(error)),
    )
    worker.on('exit', () => end(crashed(new Error('its thread ended'))))
    post({ t: 'init', init })
    watch.told()
    return {
      post(message) {
        if (over) return
        watch.told()
        post(message)
      },
      async terminate() {
        over = true
        watch.stop()
        await worker.terminate()
      },
    }
  }
}

function unresponsive(ms: number): ErrorData {
  return {
    code: 'script-unresponsive',
    message: `The script ran ${ms / 1000} s without a turn and was stopped. Finished results are saved.`,
  }
}

function outOfMemory(mb: number): ErrorData {
  return {
    code: 'script-out-of-memory',
    message: `The script used more than ${mb} MB of memory and was stopped. Finished results are saved.`,
  }
}

function crashed(error: Error): ErrorData {
  return {
    code: 'internal',
    message: `The script's thread failed: ${error.message}`,
    ...(error.stack !== undefined && { stack: error.stack }),
  }
}
