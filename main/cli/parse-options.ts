/** Turns the words of a command line into checked values. Every fault is one line that names the word and the way out. */
import { parseArgs } from 'node:util'
import { assertNever } from '../../shared/assert-never.ts'
import { AppError } from '../../shared/errors.ts'
import { type Command, type Given, GLOBAL_OPTIONS, type Globals, type OptionSpec, type Options } from './command.ts'
import { nearest } from './nearest.ts'

export interface ParsedInput {
  operands: string[]
  given: Given<Options>
  globals: Globals
}

type Token = ReturnType<typeof tokensOf>[number]

function usage(message: string, help: string): AppError {
  return new AppError('usage', `${message} See: ${help}`)
}

function tokensOf(argv: readonly string[], options: Options) {
  const node: Record<string, { type: 'boolean' | 'string'; short?: string; multiple?: boolean }> = {}
  for (const [name, spec] of Object.entries(options)) {
    const short = 'short' in spec && spec.short !== undefined ? { short: spec.short } : {}
    node[name] = spec.kind === 'flag' ? { type: 'boolean', ...short } : { type: 'string', multiple: true, ...short }
  }
  // Strictness is ours: the tokens tell which word is wrong, parseArgs' own errors tell it only inside a sentence.
  return parseArgs({ args: [...argv], options: node, strict: false, allowPositionals: true, tokens: true }).tokens
}

/** Whether the words ask for help or the version, whatever else is wrong with them. */
export function asksFor(name: 'help' | 'version' | 'json' | 'events' | 'verbose', argv: readonly string[], options: Options): boolean {
  // Also where it stands in the place of another option's value: that is refused, in the form that was asked for.
  return tokensOf(argv, { ...options, ...GLOBAL_OPTIONS }).some(
    (token) => token.kind === 'option' && (token.name === name || (token.value === `--${name}` && token.inlineValue === false)),
  )
}

/**
 * Parses the words after a command's name.
 * @throws AppError `usage` naming the first word that does not fit.
 */
export function parseInput(command: Command, argv: readonly string[]): ParsedInput {
  const help = `reprise help ${command.name}`
  const options: Options = { ...command.options, ...GLOBAL_OPTIONS }
  const operands: string[] = []
  const seen = new Map<string, string[]>()
  for (const token of tokensOf(argv, options)) {
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind !== 'option') continue
    const value = tokenValue(token, options, command.name, help)
    const before = seen.get(token.name) ?? []
    const kind = options[token.name]?.kind
    if (before.length > 0 && kind !== 'texts' && kind !== 'choices' && kind !== 'flag') {
      throw usage(`${token.rawName} is given twice.`, help)
    }
    seen.set(token.name, [...before, value])
  }
  checkOperands(command, operands, help)
  const given: Record<string, Given<Options>[string]> = {}
  for (const [name, spec] of Object.entries(options)) given[name] = read(name, spec, seen.get(name) ?? [], help)
  return { operands, given, globals: given as unknown as Globals }
}

function tokenValue(token: Extract<Token, { kind: 'option' }>, options: Options, command: string, help: string): string {
  const spec = Object.hasOwn(options, token.name) ? options[token.name] : undefined
  if (spec === undefined) {
    const near = nearest(token.name, Object.keys(options))
    throw usage(
      `${command === '' ? 'There is' : `“reprise ${command}” has`} no option ${token.rawName}.${near === null ? '' : ` Did you mean --${near}?`}`,
      help,
    )
  }
  if (spec.kind === 'flag') {
    if (token.value !== undefined) throw usage(`${token.rawName} takes no value.`, help)
    return ''
  }
  const value = token.value === '' && spec.kind !== 'texts' ? undefined : token.value
  const swallowed = token.inlineValue === false && value !== undefined && /^-(?!\d|$)/.test(value)
  if (value === undefined || swallowed) {
    const name = spec.kind === 'choice' ? spec.choices.join('|') : spec.value
    const inline = swallowed ? ` To pass “${value}” itself, write ${token.rawName}=${value}.` : ''
    throw usage(`${token.rawName} needs a value: ${token.rawName} ${name}.${inline}`, help)
  }
  return value
}

function checkOperands(command: Command, operands: readonly string[], help: string): void {
  const { min, max, needs } = command.operands
  if (operands.length < min) throw usage(`“reprise ${command.name}” needs ${needs}.`, help)
  const extra = operands[max]
  if (extra !== undefined) {
    const quotes = max > 0 ? ' Put quotes around a value with spaces.' : ''
    throw usage(`“reprise ${command.name}” has no use for “${extra}”.${quotes}`, help)
  }
}

function read(name: string, spec: OptionSpec, values: string[], help: string): Given<Options>[string] {
  switch (spec.kind) {
    case 'flag':
      return values.length > 0
    case 'texts':
      return values
    case 'text':
      return values[0]
    case 'choice':
      return values[0] === undefined ? undefined : choice(name, values[0], spec.choices, help)
    case 'choices':
      return values.flatMap((value) => value.split(',')).map((value) => choice(name, value.trim(), spec.choices, help))
    case 'count':
      return values[0] === undefined ? undefined : count(name, values[0], spec, help)
    case 'money':
      return values[0] === undefined ? undefined : money(name, values[0], help)
    default:
      return assertNever(spec)
  }
}

function money(name: string, value: string, help: string): number {
  const dollars = /^\$?\d+(\.\d+)?$/.test(value) ? Number(value.replace('$', '')) : 0
  if (dollars > 0 && dollars <= MOST_DOLLARS) return dollars
  throw usage(`--${name} takes an amount in US dollars above 0, such as 5 or 2.50; got “${value}”.`, help)
}

function choice(name: string, value: string, choices: readonly string[], help: string): string {
  if (choices.includes(value)) return value
  const near = nearest(value, choices)
  throw usage(`--${name} knows no “${value}”.${near === null ? '' : ` Did you mean “${near}”?`} Known: ${choices.join(', ')}.`, help)
}

const MOST_DOLLARS = 1e9
const SCALES: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 }

function count(name: string, value: string, spec: Extract<OptionSpec, { kind: 'count' }>, help: string): number {
  const match = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(value.replaceAll('_', ''))
  const unit = (match?.[2] ?? '').toLowerCase()
  const scale = SCALES[unit] ?? 1
  const number = match === null || (unit !== '' && spec.scaled === undefined) ? Number.NaN : Number(match[1]) * scale
  if (!Number.isSafeInteger(number) || number < spec.min || number > spec.max) {
    const range = spec.scaled ? `of at least ${spec.min}, such as 500000 or 500k` : `from ${spec.min} to ${spec.max}`
    throw usage(`--${name} takes a whole number ${range}; got “${value}”.`, help)
  }
  return number
}
