/** What every command works with: where it prints, whom it may ask, which project it means, the service on demand. */
import type { Json } from '../../shared/json.ts'
import type { Service } from '../service/service.ts'
import type { Globals } from './command.ts'
import { canAsk, type Io } from './io.ts'
import { projectFolder } from './project-folder.ts'
import { type Asker, createAsker } from './question.ts'
import { type Ink, inkFor } from './text/ink.ts'
import { shellQuote } from './text/shell-quote.ts'

export interface Context {
  io: Io
  globals: Globals
  /** True with `--json` and `--events`: stdout is for programs. */
  forPrograms: boolean
  ink: { out: Ink; err: Ink }
  canAsk: boolean
  /** The service, loaded when first asked for. */
  service(): Promise<Service>
  /** The project's folder. @throws AppError `project-missing` */
  project(): Promise<string>
  /** A line on stderr that `--quiet` leaves out. */
  note(line: string): void
  /** A line on stderr that matters even with `--quiet`. */
  warn(line: string): void
  /** The answer, on stdout. Ends with a newline. */
  answer(text: string): void
  /** The one JSON document, on stdout, on one line. */
  document(value: Json | object): void
  asker: Asker
  /** A command to copy, e.g. `reprise resume 01J…`, which means the same project as this one. */
  hint(words: readonly string[]): string
}

export function createContext(io: Io, globals: Globals, openService: () => Promise<Service>): Context {
  let opened: Promise<Service> | undefined
  const line = (text: string) => (text.endsWith('\n') ? text : `${text}\n`)
  return {
    io,
    globals,
    forPrograms: globals.json || globals.events,
    ink: { out: inkFor(io, 'stdout'), err: inkFor(io, 'stderr') },
    canAsk: canAsk(io),
    service: () => {
      opened ??= openService()
      return opened
    },
    project: () => projectFolder(io, globals.project),
    note: (text) => void (globals.quiet || io.stderr.write(line(text))),
    warn: (text) => void io.stderr.write(line(text)),
    answer: (text) => void io.stdout.write(line(text)),
    document: (value) => void io.stdout.write(`${JSON.stringify(value)}\n`),
    asker: createAsker(io),
    hint: (words) => {
      const project = globals.project === undefined ? [] : ['--project', globals.project]
      return ['reprise', ...words, ...project].map((word) => shellQuote(word)).join(' ')
    },
  }
}
