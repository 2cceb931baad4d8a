/**
 * Runs one executable to its end: own process group, output captured up to a cap and shown line by line, and on abort
 * nothing of its family is left. Settles on the program's own exit, even when something that it started holds its output.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { callMarks } from './child-environment.ts'
import { OutputCapture } from './output-capture.ts'
import { endFamily, type ProcessId, startTimeOf } from './process-tree.ts'

export interface Command {
  file: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  /** Written to its input, which is then closed; without it the input is empty from the start. */
  input?: string
  /** On Windows: pass the arguments as they are, for `cmd`. */
  verbatim?: boolean
}

export interface CommandContext {
  signal: AbortSignal
  /** Whole lines without terminal escapes, in the order they came. */
  onLine(line: string, from: 'stdout' | 'stderr'): void
  onSpawn(child: ProcessId): void
}

export type CommandEnd =
  | { kind: 'exited'; code: number | null; signal: string | null; stdout: Output; stderr: Output; ms: number }
  | { kind: 'not-started'; detail: string }
  | { kind: 'cancelled' }

/** `text` is the beginning of what was written, `dropped` the bytes beyond the cap, `tail` the last lines whatever the length. */
export interface Output {
  text: string
  dropped: number
  tail: string
}

/** Between the polite and the hard end. */
const GRACE_MS = 1500
/** What output may still come after the exit when something else holds the pipe. */
const DRAIN_MS = 300

/** Never rejects: what went wrong is in the end. */
export async function runCommand(command: Command, context: CommandContext): Promise<CommandEnd> {
  const { signal } = context
  if (signal.aborted) return { kind: 'cancelled' }
  const startedAt = performance.now()
  let child: ChildProcess
  try {
    child = spawn(command.file, [...command.args], {
      cwd: command.cwd,
      env: command.env,
      stdio: [command.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: command.verbatim ?? false,
    })
  } catch (error) {
    return { kind: 'not-started', detail: spawnProblem(command, error) }
  }
  if (child.pid === undefined) {
    const error = await new Promise<unknown>((resolve) => child.once('error', resolve))
    return { kind: 'not-started', detail: spawnProblem(command, error) }
  }
  child.on('error', () => {
    // After the start these are signals that found nobody; the exit tells the rest.
  })
  const self = { pid: child.pid, startTime: startTimeOf(child.pid) }
  context.onSpawn(self)
  const stdout = new OutputCapture((line) => context.onLine(line, 'stdout'))
  const stderr = new OutputCapture((line) => context.onLine(line, 'stderr'))
  child.stdout?.on('data', (chunk: Buffer) => stdout.add(chunk))
  child.stderr?.on('data', (chunk: Buffer) => stderr.add(chunk))
  // A program may close its input early (EPIPE); that is its right.
  child.stdin?.on('error', () => {})
  child.stdin?.end(command.input)

  const exit = exited(child)
  const aborted = new Promise<'aborted'>((resolve) => signal.addEventListener('abort', () => resolve('aborted'), { once: true }))
  const first = await Promise.race([exit, aborted])
  if (first === 'aborted') {
    await endFamily([self], GRACE_MS, callMarks(command.env))
    await exit
    release(child)
    return { kind: 'cancelled' }
  }
  release(child)
  const ms = Math.round(performance.now() - startedAt)
  return { kind: 'exited', code: first.code, signal: first.signal, stdout: stdout.end(), stderr: stderr.end(), ms }
}

/** Resolves when the program has ended and its output is read, or `DRAIN_MS` after its end when somebody holds its output. */
function exited(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((resolve) => {
    let drained: NodeJS.Timeout | undefined
    child.once('exit', (code, signal) => {
      drained = setTimeout(() => resolve({ code, signal }), DRAIN_MS)
    })
    child.once('close', (code, signal) => {
      clearTimeout(drained)
      resolve({ code, signal })
    })
  })
}

function release(child: ChildProcess): void {
  const pipes: (Readable | null)[] = [child.stdout, child.stderr]
  for (const pipe of pipes) pipe?.removeAllListeners('data').destroy()
  child.stdin?.destroy()
}

export function spawnProblem(command: Pick<Command, 'file' | 'cwd'>, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  // The system says the same of both.
  if (code === 'ENOENT' && !existsSync(command.cwd)) return `Can't start \`${command.file}\`: its folder ${command.cwd} isn't there`
  if (code === 'ENOENT') return `Can't start \`${command.file}\`: there is no such program`
  if (code === 'EACCES') return `${command.file} could not be started in ${command.cwd}: permission denied`
  if (code === 'E2BIG') return `${command.file} could not be started: its arguments are too long for this system`
  return `${command.file} could not be started: ${error instanceof Error ? error.message : String(error)}`
}
