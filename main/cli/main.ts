/** The `reprise` command without its process: words in, exit code out. Loads the service only for a command that needs it. */
import { AppError } from '../../shared/errors.ts'
import { VERSION } from '../../shared/version.ts'
import type { Service } from '../service/service.ts'
import { type Command, GLOBAL_OPTIONS } from './command.ts'
import { COMMANDS } from './commands.ts'
import { ASK, FILES_LINE } from './completion/scripts.ts'
import { createContext } from './context.ts'
import { commandHelp, overview } from './help.ts'
import type { Io } from './io.ts'
import { nearest } from './nearest.ts'
import { asksFor, parseInput } from './parse-options.ts'
import { reportError, sameProject } from './report-error.ts'

/** Options may stand before the command's name; only `--project` takes a value there. */
function splitCommand(argv: readonly string[]): { name: string | undefined; rest: string[] } {
  let at = 0
  while (at < argv.length && argv[at]?.startsWith('-')) at += argv[at] === '--project' ? 2 : 1
  return { name: argv[at], rest: [...argv.slice(0, at), ...argv.slice(at + 1)] }
}

function find(name: string): Command {
  const command = COMMANDS.find((candidate) => candidate.name === name)
  if (command !== undefined) return command
  const near = nearest(name, ['help', ...COMMANDS.map((candidate) => candidate.name)])
  throw new AppError('usage', `There is no command “${name}”.${near === null ? '' : ` Did you mean “${near}”?`} See: reprise help`)
}

/** Without a command's name: only the global options mean something. */
function withoutCommand(words: readonly string[], io: Io): number {
  const about: Command = {
    name: '',
    purpose: '',
    operands: { usage: '', min: 0, max: 0, needs: '' },
    options: {},
    examples: [],
    run: async () => 0,
  }
  if (asksFor('version', words, GLOBAL_OPTIONS)) io.stdout.write(`${VERSION}\n`)
  else {
    const { globals } = parseInput(about, words)
    if (globals.json || globals.events) throw new AppError('usage', 'Name a command. See: reprise help')
    io.stdout.write(overview(COMMANDS))
  }
  return 0
}

/**
 * Runs one command.
 * @param argv the words after `reprise`
 * @param openService makes the service; called at most once, and not for help, `--version` or a wrong usage
 * @returns the exit code; never throws
 */
export async function main(argv: readonly string[], io: Io, openService: () => Promise<Service>): Promise<number> {
  if (argv[0] === ASK) return complete(argv.slice(1), io, openService)
  const { name, rest } = splitCommand(argv)
  const how = { forPrograms: false, verbose: false }
  try {
    const command = name === undefined || name === 'help' ? undefined : COMMANDS.find((candidate) => candidate.name === name)
    const table = command?.options ?? {}
    how.forPrograms = asksFor('json', rest, table) || asksFor('events', rest, table)
    how.verbose = asksFor('verbose', rest, table)
    if (name === undefined) return withoutCommand(rest, io)
    if (name === 'help') {
      const about = rest.find((word) => !word.startsWith('-'))
      io.stdout.write(about === undefined ? overview(COMMANDS) : commandHelp(find(about)))
      return 0
    }
    return await runCommand(find(name), rest, io, openService)
  } catch (thrown) {
    return reportError(thrown, io, how)
  }
}

/** Answers a shell that completes a line; whatever goes wrong, a shell has nobody to tell. */
async function complete(words: readonly string[], io: Io, openService: () => Promise<Service>): Promise<number> {
  try {
    const { candidates } = await import('./completion/candidates.ts')
    const { words: found, files } = await candidates(words, { commands: COMMANDS, io, openService })
    for (const { word, about } of found) io.stdout.write(`${word}\t${about}\n`)
    if (files) io.stdout.write(`${FILES_LINE}\n`)
    return 0
  } catch {
    return 1
  }
}

async function runCommand(command: Command, words: readonly string[], io: Io, openService: () => Promise<Service>): Promise<number> {
  if (asksFor('help', words, command.options)) {
    io.stdout.write(commandHelp(command))
    return 0
  }
  if (asksFor('version', words, command.options)) {
    io.stdout.write(`${VERSION}\n`)
    return 0
  }
  const { operands, given, globals } = parseInput(command, words)
  const context = createContext(io, globals, openService)
  try {
    return await command.run(operands, given, context)
  } catch (thrown) {
    throw sameProject(thrown, globals.project)
  } finally {
    context.asker.close()
  }
}
