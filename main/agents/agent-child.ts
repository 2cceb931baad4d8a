/**
 * A program that we talk with over its pipes. It has a process group of its own, and however it ends, nothing of its family is
 * left: also what its tools started in sessions of their own.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { callMarks } from './child-environment.ts'
import { type Command, spawnProblem } from './command.ts'
import { OutputCapture } from './output-capture.ts'
import { endFamily, familyOf, type ProcessId, startTimeOf } from './process-tree.ts'

/** Between the polite and the hard end. */
const GRACE_MS = 1500

export class AgentChild {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>
  /** How it ended, in words; or why it could not be started. */
  readonly ended: Promise<string>
  isGone = false
  private readonly marks: Readonly<Record<string, string>>
  private readonly stderr = new OutputCapture(() => {})
  private family: ProcessId[] = []

  /**
   * `onSpawn` is told before anything is read. A program that can't be started ends at once, with the reason as its end.
   * @throws Error when not even that can be tried
   */
  constructor(command: Pick<Command, 'file' | 'args' | 'cwd' | 'env'>, onSpawn: (self: ProcessId) => void) {
    const child = spawn(command.file, [...command.args], {
      cwd: command.cwd,
      env: command.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    this.process = child
    this.marks = callMarks(command.env)
    this.ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve(signal === null ? `exited with ${code ?? 0}` : `was ended by ${signal}`))
      child.on('error', (error) => {
        // After the start these are signals that found nobody; the exit tells the rest.
        if (child.pid === undefined) resolve(spawnProblem(command, error))
      })
    })
    void this.ended.then(() => {
      this.isGone = true
    })
    child.stderr.on('data', (chunk: Buffer) => this.stderr.add(chunk))
    for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.on('error', () => {})
    if (child.pid === undefined) return
    const self = { pid: child.pid, startTime: startTimeOf(child.pid) }
    this.family = [self]
    onSpawn(self)
  }

  /** The last lines that it wrote to its error output. */
  get said(): string {
    return this.stderr.end().tail
  }

  /** Takes down who belongs to it now: a tool's process may lose its parent while the program ends. */
  look(): void {
    this.family = familyOf(this.family)
  }

  /** Ends it with all of its family. With `leaveMs` it gets that long to leave by itself, once its input is closed. */
  async end(leaveMs = 0): Promise<void> {
    this.look()
    if (leaveMs > 0) {
      this.process.stdin.end()
      const left = new AbortController()
      await Promise.race([this.ended, wait(leaveMs, undefined, { signal: left.signal }).catch(() => {})])
      left.abort()
    }
    await endFamily(this.family, GRACE_MS, this.marks)
    for (const pipe of [this.process.stdin, this.process.stdout, this.process.stderr]) pipe.destroy()
  }
}
