/** Runs the built command as its users do: a process of its own, in a project folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Counts } from '../../shared/run/record.ts'

export const CLI = resolve('out/cli/reprise.mjs')

export interface Finished {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/** What `run --json` and `resume --json` print. */
export interface RunDocument {
  runId: string
  number: number
  status: string
  attempt: number
  counts: Counts
  returnValue: unknown
  error?: { code: string; message: string; line?: number; column?: number }
  tokens: number
}

export interface Going {
  child: ChildProcess
  ended: Promise<Finished>
}

/** A project in a temporary folder, with its own home and data folder, and the log of what was really started. */
export class TestProject {
  readonly folder = mkdtempSync(join(tmpdir(), 'reprise test #1 %20 é '))
  readonly outside = mkdtempSync(join(tmpdir(), 'reprise-outside-'))
  readonly #log = join(this.outside, 'started.jsonl')

  constructor() {
    mkdirSync(join(this.folder, '.claude'))
  }

  remove(): void {
    for (const folder of [this.folder, this.outside]) rmSync(folder, { recursive: true, force: true })
  }

  /** Writes a file of the project and gives its path. */
  write(name: string, text: string | Buffer): string {
    const path = join(this.folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  }

  start(args: readonly string[], options: { cwd?: string; env?: Record<string, string>; input?: string } = {}): Going {
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: this.outside,
      REPRISE_HOME: join(this.outside, 'data'),
      REPRISE_SIM_LOG: this.#log,
      ...options.env,
    }
    const child = spawn(process.execPath, [CLI, ...args], { cwd: options.cwd ?? this.folder, env, stdio: 'pipe' })
    // A command that reads no input may end before it is closed.
    child.stdin.on('error', () => undefined)
    child.stdin.end(options.input)
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (data: Buffer) => out.push(data))
    child.stderr.on('data', (data: Buffer) => err.push(data))
    const ended = new Promise<Finished>((done) => {
      child.on('close', (code, signal) =>
        done({ code, signal, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
      )
    })
    return { child, ended }
  }

  run(args: readonly string[], options: { cwd?: string; env?: Record<string, string>; input?: string } = {}): Promise<Finished> {
    return this.start(args, options).ended
  }

  /** Runs a command with `--json` and gives its document. */
  async json<T = RunDocument>(...args: string[]): Promise<T> {
    const { stdout, stderr } = await this.run([...args, '--json'])
    try {
      return JSON.parse(stdout) as T
    } catch {
      throw new Error(`No JSON document: ${stdout}\n${stderr}`)
    }
  }

  /** Prompts of the simulated calls that were really started, in order. */
  get started(): string[] {
    if (!existsSync(this.#log)) return []
    // The last part is no line yet, or empty.
    const lines = readFileSync(this.#log, 'utf8').split('\n').slice(0, -1)
    return lines.map((line) => String((JSON.parse(line) as { prompt: unknown }).prompt))
  }

  get runsFolder(): string {
    return join(this.folder, '.claude', 'workflow-runs')
  }

  get runIds(): string[] {
    return existsSync(this.runsFolder)
      ? readdirSync(this.runsFolder)
          .filter((name) => /^[0-9A-Z]{26}$/.test(name))
          .sort()
      : []
  }

  /** How many starts an agent counted in a file beside the project. */
  counted(name: string): number {
    const path = join(this.outside, name)
    return existsSync(path) ? readFileSync(path, 'utf8').length : 0
  }

  /** The texts of all files that runs have left. */
  everyFile(): string[] {
    const entries = readdirSync(this.runsFolder, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
  }

  journal(runId: string): string {
    return join(this.runsFolder, runId, 'journal.jsonl')
  }

  /** Kills the process, as a power cut would, once the newest run's journal has this many results. */
  async killAt(going: Going, results: number): Promise<Finished> {
    const reached = (): boolean => {
      const runId = this.runIds.at(-1)
      return runId !== undefined && this.results(runId) >= results
    }
    await until(() => reached() || going.child.exitCode !== null)
    going.child.kill('SIGKILL')
    return going.ended
  }

  /** Results in a run's journal. */
  results(runId: string): number {
    const path = this.journal(runId)
    return existsSync(path) ? readFileSync(path, 'utf8').split('"t":"result"').length - 1 : 0
  }
}

/** Looks until it is so: for what another process does to files. The test's own timeout ends it. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
}
