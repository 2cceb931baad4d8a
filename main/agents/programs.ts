/** Where agents' programs are on this machine: our own PATH first, then the login shell's. */
import { AppError } from '../../shared/errors.ts'
import { findExecutable } from './executables.ts'
import { askLoginPath, joinedPath, keptLoginPath } from './login-path.ts'

export interface ProgramsOptions {
  project: string
  /** The app's data folder. */
  data: string
  env?: Readonly<Record<string, string | undefined>>
}

export class Programs {
  readonly #options: ProgramsOptions
  #asked: Promise<string | null> | null = null

  constructor(options: ProgramsOptions) {
    this.#options = options
  }

  /** What is known without starting anything: our own PATH, and the login shell's as it was when it was asked last. */
  async path(): Promise<string> {
    return joinedPath(this.#env['PATH'], await keptLoginPath(this.#options.data))
  }

  /** Looks without asking the login shell. */
  async look(command: string): Promise<string | null> {
    return findExecutable(command, await this.path(), this.#options.project)
  }

  /**
   * The absolute path of a program. The login shell is asked for what is nowhere else, once.
   * @throws AppError `agent-unreachable`
   */
  async find(command: string): Promise<string> {
    const found = await this.look(command)
    if (found !== null) return found
    if (!isPath(command)) {
      await this.ask()
      const later = await this.look(command)
      if (later !== null) return later
    }
    const why = isPath(command) ? 'there is no such program' : 'not found on PATH'
    throw new AppError('agent-unreachable', `Can't start \`${command}\`: ${why}. Nothing was lost.`, { data: { command } })
  }

  /** Asks the login shell for its PATH and keeps it for all that come later. */
  ask(): Promise<string | null> {
    this.#asked ??= askLoginPath(this.#options.data, this.#env)
    return this.#asked
  }

  get #env(): Readonly<Record<string, string | undefined>> {
    return this.#options.env ?? process.env
  }
}

function isPath(command: string): boolean {
  return /[/\\]/.test(command)
}
