/** Help texts, made from the commands' own tables, so that they list exactly what works. */
import { type Command, EXITS, GLOBAL_OPTIONS, type OptionSpec, type Options } from './command.ts'
import { pad } from './text/printable.ts'

const GAP = 2

function spelled(name: string, spec: OptionSpec): string {
  const short = 'short' in spec && spec.short !== undefined ? `-${spec.short}, ` : ''
  if (spec.kind === 'flag') return `${short}--${name}`
  return `${short}--${name} ${spec.kind === 'choice' ? spec.choices.join('|') : spec.value}`
}

function optionLines(options: Options): string[] {
  const rows = Object.entries(options).map(([name, spec]) => [spelled(name, spec), spec.help] as const)
  return columns(rows)
}

/** Two columns; a left part that is too long gets a line of its own. */
function columns(rows: readonly (readonly [string, string])[]): string[] {
  const left = Math.min(26, Math.max(...rows.map(([text]) => text.length)))
  return rows.flatMap(([text, help]) =>
    text.length > left ? [`  ${text}`, `  ${' '.repeat(left + GAP)}${help}`] : [`  ${pad(text, left + GAP)}${help}`],
  )
}

/** The page of one command. */
export function commandHelp(command: Command): string {
  const own = optionLines(command.options)
  return [
    `reprise ${command.name}: ${command.purpose}`,
    '',
    'Usage',
    `  reprise ${[command.name, command.operands.usage, '[options]'].filter((part) => part !== '').join(' ')}`,
    ...(command.notes === undefined ? [] : ['', ...command.notes]),
    ...(own.length === 0 ? [] : ['', 'Options', ...own]),
    '',
    'Everywhere',
    ...optionLines(GLOBAL_OPTIONS),
    '',
    'Examples',
    ...command.examples.flatMap(({ line, does }) => [`  ${line}`, `      ${does}`]),
    '',
    'Exit codes',
    ...(command.exits ?? EXITS).map(([code, meaning]) => `  ${String(code).padEnd(4)}${meaning}`),
    '',
  ].join('\n')
}

function commandRow({ name, operands, purpose }: Command): [string, string] {
  return [[name, operands.usage].filter((part) => part !== '').join(' '), purpose]
}

/** The page of the program. */
export function overview(commands: readonly Command[]): string {
  return [
    'reprise runs agent workflows that you can stop, resume and trust.',
    '',
    'Usage',
    '  reprise <command> [options]',
    '',
    'Commands',
    ...columns([...commands.map(commandRow), ['help [command]', 'Show the help of a command']]),
    '',
    'Everywhere',
    ...optionLines(GLOBAL_OPTIONS),
    '',
    '<run> is a number (47), an id, the unique beginning of an id, or “last”.',
    '',
    'Exit codes',
    '  0 completed   1 failed   2 usage or refused   3 completed with dead calls   4 waiting or paused   130 stopped',
    '',
  ].join('\n')
}
