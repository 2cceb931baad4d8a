/** What may stand where the cursor is, for the completion of shells: made from the commands' own tables and the project's runs. */
import { resolve } from 'node:path'
import { runState } from '../../../shared/run/status.ts'
import type { CallView } from '../../../shared/run/view.ts'
import type { Service } from '../../service/service.ts'
import { type Command, GLOBAL_OPTIONS, type OptionSpec, type Options } from '../command.ts'
import type { Io } from '../io.ts'
import { projectFolder } from '../project-folder.ts'
import { oneLine } from '../text/printable.ts'

export interface Candidate {
  word: string
  /** A few words about it; empty for none. */
  about: string
}

export interface Candidates {
  words: Candidate[]
  /** Files of the current folder fit as well. */
  files: boolean
}

export interface CompletionWorld {
  commands: readonly Command[]
  io: Pick<Io, 'cwd' | 'env'>
  openService(): Promise<Service>
}

const RUNS_SHOWN = 30
const ANSWERS: readonly Candidate[] = [
  { word: 'allow', about: 'this once' },
  { word: 'always', about: 'and this tool from now on' },
  { word: 'deny', about: '' },
]
const NOTHING: Candidates = { words: [], files: false }
const FILES: Candidates = { words: [], files: true }

/** @param words the words after `reprise`, up to and with the one that is being typed, which may be empty */
export async function candidates(words: readonly string[], world: CompletionWorld): Promise<Candidates> {
  const current = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const found = await allThatFit(before, current, world)
  return { ...found, words: found.words.filter(({ word }) => word.startsWith(current)) }
}

async function allThatFit(before: readonly string[], current: string, world: CompletionWorld): Promise<Candidates> {
  const { command, operands, open } = read(before, world.commands)
  const options: Options = { ...command?.options, ...GLOBAL_OPTIONS }
  if (open !== null) return valuesOf(open, options[open], before, world)
  const inline = /^--([a-z-]+)=/.exec(current)
  const inlineName = inline?.[1]
  if (inlineName !== undefined) {
    const values = await valuesOf(inlineName, options[inlineName], before, world)
    return { ...values, words: values.words.map(({ word, about }) => ({ word: `--${inlineName}=${word}`, about })) }
  }
  if (current.startsWith('-')) return { words: optionWords(options, before), files: false }
  if (command === null) return { words: commandWords(world.commands), files: false }
  const kind = operandKind(command, operands.length)
  return kind === undefined ? NOTHING : operandWords(kind, operands, before, world)
}

/** How far the words have got: the command, its operands, and the option that waits for its value. */
function read(
  before: readonly string[],
  commands: readonly Command[],
): { command: Command | null; operands: string[]; open: string | null } {
  let command: Command | null = null
  const operands: string[] = []
  let open: string | null = null
  for (const word of before) {
    if (word === '=' && open !== null) continue // some shells cut `--name=value` into three words
    if (open !== null) {
      open = null
      continue
    }
    if (word.startsWith('-')) open = waitsForValue(word, { ...command?.options, ...GLOBAL_OPTIONS })
    else if (command !== null) operands.push(word)
    else command = commands.find(({ name }) => name === word) ?? helpCommand(word)
  }
  return { command, operands, open }
}

function waitsForValue(word: string, options: Options): string | null {
  const [name] = Object.entries(options).find(([long, spec]) => word === `--${long}` || isShort(spec, word)) ?? []
  return name !== undefined && options[name]?.kind !== 'flag' ? name : null
}

function isShort(spec: OptionSpec, word: string): boolean {
  return 'short' in spec && spec.short !== undefined && word === `-${spec.short}`
}

function helpCommand(word: string): Command | null {
  if (word !== 'help') return null
  return {
    name: 'help',
    purpose: '',
    operands: { usage: '[command]', min: 0, max: 1, needs: '' },
    options: {},
    examples: [],
    run: async () => 0,
  }
}

/** The part of the usage line that stands for the next operand, without its brackets. */
function operandKind(command: Command, given: number): string | undefined {
  const kinds = command.operands.usage.split(' ').map((part) => part.replace(/[<>[\]]/g, ''))
  const last = kinds.at(-1)
  const kind = kinds[given] ?? (last?.endsWith('…') === true ? last : undefined)
  return kind === '' ? undefined : kind?.replace('…', '')
}

function commandWords(commands: readonly Command[]): Candidate[] {
  const known = commands.map(({ name, purpose }) => ({ word: name, about: purpose }))
  return [...known, { word: 'help', about: 'Show the help of a command' }]
}

function optionWords(options: Options, before: readonly string[]): Candidate[] {
  return Object.entries(options)
    .filter(([name, { kind }]) => kind === 'texts' || kind === 'choices' || !before.includes(`--${name}`))
    .map(([name, { help }]) => ({ word: `--${name}`, about: help }))
}

async function valuesOf(
  name: string,
  spec: OptionSpec | undefined,
  before: readonly string[],
  world: CompletionWorld,
): Promise<Candidates> {
  if (spec === undefined) return NOTHING
  if (spec.kind === 'choice' || spec.kind === 'choices') return { words: spec.choices.map((word) => ({ word, about: '' })), files: false }
  if (spec.kind !== 'text') return NOTHING
  switch (spec.value) {
    case 'FILE':
    case 'DIR':
      return FILES
    case 'CALL': {
      const { operands } = read(before, world.commands)
      return operandWords('call', operands, before, world)
    }
    default:
      if (name === 'agent') return { words: await agentWords(await projectFolder(world.io, projectWord(before, world.io))), files: false }
      return name === 'workflow' ? operandWords('workflow', [], before, world) : NOTHING
  }
}

/** Those whose programs are there, without starting any of them. */
async function agentWords(project: string): Promise<Candidate[]> {
  const [{ Catalog }, { Programs }, { dataFolder }] = await Promise.all([
    import('../../agents/catalog.ts'),
    import('../../agents/programs.ts'),
    import('../../store/data-folder.ts'),
  ])
  const data = dataFolder()
  const { profiles } = await Catalog.read({ project, data, programs: new Programs({ project, data }) })
  return profiles.map(({ profile }) => ({ word: profile.name, about: profile.backend }))
}

async function operandWords(
  kind: string,
  operands: readonly string[],
  before: readonly string[],
  world: CompletionWorld,
): Promise<Candidates> {
  const project = () => projectFolder(world.io, projectWord(before, world.io))
  switch (kind) {
    case 'run':
      return { words: await runWords(await project(), world), files: false }
    case 'call':
    case 'gate':
      return { words: await callWords(await project(), operands[0] ?? '', kind, world), files: false }
    case 'question': {
      const calls = await callWords(await project(), operands[0] ?? '', kind, world)
      return { words: [...calls, ...ANSWERS], files: false } // the question may be left out
    }
    case 'file|name':
      return { words: await workflowWords(await project()), files: true }
    case 'workflow':
      return { words: await workflowWords(await project()), files: false }
    case 'file':
      return FILES
    case 'command':
      return { words: commandWords(world.commands), files: false }
    default:
      return { words: kind.includes('|') ? kind.split('|').map((word) => ({ word, about: '' })) : [], files: false }
  }
}

function projectWord(before: readonly string[], io: Pick<Io, 'env'>): string | undefined {
  const given = before[before.indexOf('--project') + 1]
  if (!before.includes('--project') || given === undefined) return undefined
  // A shell hands the word over as it was typed.
  return given.startsWith('~/') ? resolve(io.env.HOME ?? '/', given.slice(2)) : given
}

async function runWords(project: string, world: CompletionWorld): Promise<Candidate[]> {
  const { runs } = await (await world.openService()).list(project, { limit: RUNS_SHOWN })
  if (runs.length === 0) return []
  const known = runs.map((run) => {
    const about = run.damaged === null ? `${oneLine(run.title)} · ${runState(run).word}` : 'damaged'
    return { word: run.number > 0 ? String(run.number) : run.runId, about }
  })
  return [{ word: 'last', about: known[0]?.about ?? '' }, ...known]
}

const isOfKind = {
  call: () => true,
  gate: (call: CallView) => call.kind === 'gate' && call.status === 'waiting',
  question: (call: CallView) => call.questions !== undefined,
}

/** Labels where only one call has them, numbers else. */
async function callWords(project: string, run: string, kind: 'call' | 'gate' | 'question', world: CompletionWorld): Promise<Candidate[]> {
  const service = await world.openService()
  const view = await service.show(project, await service.resolveRun(project, run))
  const fits = view.calls.filter((call) => isOfKind[kind](call))
  return fits.map(({ callId, label, title }) => {
    const isUnique = label !== null && /^[\w.-]+$/.test(label) && fits.filter((other) => other.label === label).length === 1
    return isUnique ? { word: label, about: `call ${callId}` } : { word: String(callId), about: oneLine(label ?? title) }
  })
}

async function workflowWords(project: string): Promise<Candidate[]> {
  const { workflowPlaces } = await import('../../service/named-workflows.ts')
  return workflowPlaces(project).map(({ name, scope }) => ({ word: name, about: scope === 'user' ? 'your workflow' : 'workflow' }))
}
