/** The script's own thread, seen from the run host: starts it, watches its heartbeat, and ends it. */
import { Worker } from 'node:worker_threads'
import type { ErrorData } from '../../shared/errors.ts'
import type { FromScript, ScriptInit, ToScript } from './sandbox/protocol.ts'

/** Memory of the script; the history does not count, since large results are handed over one at a time. */
const MEMORY_MB = 256
const PING_MS = 5000
/** A turn longer than this ends the script. */
const UNRESPONSIVE_MS = 30_000

export interface ScriptListener {
  batch(messages: FromScript[]): void
  died(error: ErrorData): void
}

export interface ScriptThread {
  post(message: ToScript): void
  terminate(): Promise<void>
}

export type StartScript = (init: ScriptInit, on: ScriptListener) => ScriptThread

/** Starts scripts in worker threads from the built entry file. */
export function scriptThreads(entry: URL): StartScript {
  return (init, on) => {
    const worker = new Worker(entry, { workerData: init, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB }, env: {}, stdin: false })
    let over = false
    let lastSeen = performance.now()
    const heartbeat = setInterval(() => {
      if (performance.now() - lastSeen > UNRESPONSIVE_MS) end(unresponsive())
      else worker.postMessage({ t: 'ping', id: 0 } satisfies ToScript)
    }, PING_MS)

    function end(error: ErrorData | null): void {
      if (over) return
      over = true
      clearInterval(heartbeat)
      void worker.terminate()
      if (error !== null) on.died(error)
    }

    worker.on('message', (batch: FromScript[]) => {
      lastSeen = performance.now()
      const messages = batch.filter((message) => message.t !== 'pong')
      if (!over && messages.length > 0) on.batch(messages)
    })
    worker.on('error', (error: NodeJS.ErrnoException) => end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? outOfMemory() : crashed(error)))
    worker.on('exit', () => end(crashed(new Error('its thread ended'))))
    return {
      post: (message) => worker.postMessage(message),
      async terminate() {
        over = true
        clearInterval(heartbeat)
        await worker.terminate()
      },
    }
  }
}

function unresponsive(): ErrorData {
  return {
    code: 'script-unresponsive',
    message: `The script ran ${UNRESPONSIVE_MS / 1000} s without a turn and was stopped. Finished results are saved.`,
  }
}

function outOfMemory(): ErrorData {
  return {
    code: 'script-out-of-memory',
    message: `The script used more than ${MEMORY_MB} MB of memory and was stopped. Finished results are saved.`,
  }
}

function crashed(error: Error): ErrorData {
  return {
    code: 'internal',
    message: `The script's thread failed: ${error.message}`,
    ...(error.stack !== undefined && { stack: error.stack }),
  }
}
