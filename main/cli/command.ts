/** What a command is: its words, its table of options, and what it does. Help and parsing are made from this alone. */
import type { Context } from './context.ts'

export type OptionSpec =
  | { kind: 'flag'; help: string; short?: string }
  | { kind: 'text'; value: string; help: string; short?: string }
  /** May be given more than once. */
  | { kind: 'texts'; value: string; help: string }
  /** A whole number; `scaled` ones may end in k or m (500k). */
  | { kind: 'count'; value: string; help: string; min: number; max: number; scaled?: true }
  /** US dollars, such as 5 or 2.50. */
  | { kind: 'money'; value: string; help: string }
  | { kind: 'choice'; help: string; choices: readonly string[] }
  | { kind: 'choices'; value: string; help: string; choices: readonly string[] }

export type Options = Readonly<Record<string, OptionSpec>>

type ValueOf<S extends OptionSpec> = S extends { kind: 'flag' }
  ? boolean
  : S extends { kind: 'texts' }
    ? string[]
    : S extends { kind: 'count' | 'money' }
      ? number | undefined
      : S extends { kind: 'choice'; choices: readonly (infer C)[] }
        ? C | undefined
        : S extends { kind: 'choices'; choices: readonly (infer C)[] }
          ? C[]
          : string | undefined

/** The values of a table of options, as parsed. */
export type Given<O extends Options> = { [K in keyof O]: ValueOf<O[K]> }

export const GLOBAL_OPTIONS = {
  project: { kind: 'text', value: 'DIR', help: 'Project folder; by default the nearest one with .claude or .git' },
  json: { kind: 'flag', help: 'Print one JSON document on stdout, nothing else' },
  events: { kind: 'flag', help: 'Print each event of the run as a JSON line, then the document of --json' },
  quiet: { kind: 'flag', short: 'q', help: 'No progress, only results and problems' },
  verbose: { kind: 'flag', help: 'More detail, and the stack of an error' },
  help: { kind: 'flag', short: 'h', help: 'Show this help' },
  version: { kind: 'flag', help: 'Show the version' },
} as const satisfies Options

export type Globals = Given<typeof GLOBAL_OPTIONS>

export interface Operands {
  /** As shown in the usage line, e.g. `<run>`. */
  usage: string
  min: number
  max: number
  /** What to say when it is missing, e.g. `a run, such as “last” or “47”`. */
  needs: string
}

export type Exits = readonly (readonly [code: number, meaning: string])[]

/** Of commands that look at something or change it at once. */
export const EXITS: Exits = [
  [0, 'done'],
  [1, 'the machine or Reprise itself is at fault'],
  [2, 'wrong usage, or refused: nothing was changed'],
]

/** Of commands that follow a run to its end. */
export const RUN_EXITS: Exits = [
  [0, 'completed'],
  [1, 'failed'],
  [2, 'wrong usage, or refused: nothing was started'],
  [3, 'completed, but calls of it died'],
  [4, 'paused, or waiting for you'],
  [130, 'stopped'],
]

interface Described {
  name: string
  /** One line, starting with a verb. */
  purpose: string
  operands: Operands
  /** More lines for the help text, each a sentence. */
  notes?: readonly string[]
  examples: readonly { line: string; does: string }[]
  /** What its exit codes mean, where they are others than `EXITS`. */
  exits?: Exits
}

export interface Command extends Described {
  options: Options
  run(operands: string[], given: Given<Options>, context: Context): Promise<number>
}

/** Ties a table of options to the values that `run` gets. */
export function command<const O extends Options>(
  definition: Described & { options: O; run(operands: string[], given: Given<O>, context: Context): Promise<number> },
): Command {
  return { ...definition, run: (operands, given, context) => definition.run(operands, given as Given<O>, context) }
}
