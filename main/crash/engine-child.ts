/** An engine process seen from the crash test. One more is always kept ready, so that a kill costs no start. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { EngineInit, FromEngine } from './engine-messages.ts'

export interface Ended {
  /** What it said before it ended, whole lines only. */
  said: FromEngine[]
  /** It was killed, by us or by itself at a write. */
  wasKilled: boolean
  /** What it wrote to stderr, for the report of a failure. */
  complaint: string
}

export interface EngineProcesses {
  /** Runs one process until it ends by itself or is killed; `killAfterMs` counts from the moment it is told what to do. */
  run(init: EngineInit, killAfterMs: number | null): Promise<Ended>
  /** Ends the one that is kept ready. */
  close(): void
}

/** @param entry the built file of `engine-process.ts` */
export function engineProcesses(entry: URL): EngineProcesses {
  let ready: ChildProcess | null = null
  const start = (): ChildProcess => spawn(process.execPath, [fileURLToPath(entry)], { stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true })
  return {
    run(init, killAfterMs) {
      const child = ready ?? start()
      ready = start()
      return ended(child, init, killAfterMs)
    },
    close() {
      ready?.kill('SIGKILL')
      ready = null
    },
  }
}

function ended(child: ChildProcess, init: EngineInit, killAfterMs: number | null): Promise<Ended> {
  return new Promise((resolve, reject) => {
    let out = ''
    let complaint = ''
    let killed = false
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint += text
    })
    const timer =
      killAfterMs === null
        ? null
        : setTimeout(() => {
            killed = child.kill('SIGKILL')
          }, killAfterMs)
    child.once('error', reject)
    // It may die while it is being told what to do.
    child.stdin?.on('error', () => undefined)
    child.once('close', (code, signal) => {
      if (timer !== null) clearTimeout(timer)
      const lines = out.split('\n').slice(0, -1)
      const said = lines.map((line): FromEngine => JSON.parse(line))
      const wasKilled = signal !== null || (killed && code !== 0)
      resolve({ said, wasKilled, complaint })
    })
    child.stdin?.write(`${JSON.stringify(init)}\n`)
  })
}
