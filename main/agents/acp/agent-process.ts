/**
 * The process of one agent that speaks the protocol over its pipes. However the call ends, nothing of the agent's family is
 * left: also what its tools started in sessions of their own.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { Stream } from '@agentclientprotocol/sdk'
import { ownMarks, spawnProblem } from '../command.ts'
import { OutputCapture } from '../output-capture.ts'
import { endFamily, familyOf, type ProcessId, startTimeOf } from '../process-tree.ts'
import { messageStream } from './message-stream.ts'

export interface AgentCommand {
  file: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
}

/** For an end of its own after its input was closed; some programs never do. */
const LEAVE_MS = 400
/** Between the polite and the hard end. */
const GRACE_MS = 1500

export class AgentProcess {
  readonly stream: Stream
  /** How it ended, in words. */
  readonly ended: Promise<string>
  private readonly child: ChildProcessByStdio<Writable, Readable, Readable>
  private readonly self: ProcessId
  private readonly marks: Readonly<Record<string, string>>
  private readonly stderr = new OutputCapture(() => {})
  private family: ProcessId[] = []

  constructor(
    child: ChildProcessByStdio<Writable, Readable, Readable>,
    self: ProcessId,
    command: AgentCommand,
    onNoise: (line: string) => void,
  ) {
    this.child = child
    this.self = self
    this.marks = ownMarks(command.env)
    child.stderr.on('data', (chunk: Buffer) => this.stderr.add(chunk))
    for (const pipe of [child.stdin, child.stderr]) pipe.on('error', () => {})
    this.stream = messageStream(child.stdin, child.stdout, onNoise)
    this.ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve(signal === null ? `exited with ${code ?? 0}` : `was ended by ${signal}`))
    })
  }

  /** The last lines that it wrote beside the protocol. */
  get said(): string {
    return this.stderr.end().tail
  }

  /** Takes down who belongs to the agent now: a tool's process may lose its parent while the agent ends. */
  look(): void {
    this.family = familyOf([this.self, ...this.family])
  }

  async end(): Promise<void> {
    this.look()
    this.child.stdin.end()
    const left = new AbortController()
    await Promise.race([this.ended, wait(LEAVE_MS, undefined, { signal: left.signal }).catch(() => {})])
    left.abort()
    await endFamily([this.self, ...this.family], GRACE_MS, this.marks)
    this.child.stdout.destroy()
    this.child.stderr.destroy()
  }
}

/** Starts the program, or says in words why it can't be started. */
export async function startAgentProcess(
  command: AgentCommand,
  on: { spawned(child: ProcessId): void; noise(line: string): void },
): Promise<AgentProcess | { problem: string }> {
  let child: ChildProcessByStdio<Writable, Readable, Readable>
  try {
    child = spawn(command.file, [...command.args], {
      cwd: command.cwd,
      env: command.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
  } catch (error) {
    return { problem: spawnProblem(command, error) }
  }
  if (child.pid === undefined) {
    const error = await new Promise<unknown>((resolve) => child.once('error', resolve))
    return { problem: spawnProblem(command, error) }
  }
  child.on('error', () => {
    // After the start these are signals that found nobody; the exit tells the rest.
  })
  const self = { pid: child.pid, startTime: startTimeOf(child.pid) }
  on.spawned(self)
  return new AgentProcess(child, self, command, (line) => on.noise(line))
}
