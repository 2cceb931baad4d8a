/**
 * The input of a run, from `--args`, `--args-file` or `--arg`. What is given arrives in the script with its type: text
 * stays text, an object stays an object, and nothing given is `undefined` there.
 */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import type { Json } from '../../shared/json.ts'
import { jsonFault } from '../../shared/json-fault.ts'
import type { Options } from './command.ts'
import type { Io } from './io.ts'
import { oneLine } from './text/printable.ts'
import { shellQuote } from './text/shell-quote.ts'

export const ARGS_OPTIONS = {
  args: { kind: 'text', value: 'JSON', help: 'Input of the run, as JSON' },
  'args-file': { kind: 'text', value: 'FILE', help: 'Input from a JSON file; - reads stdin' },
  arg: { kind: 'texts', value: 'KEY=VALUE', help: 'One member of an input object; may be repeated' },
} as const satisfies Options

export interface GivenArgs {
  args: string | undefined
  'args-file': string | undefined
  arg: string[]
}

/**
 * @returns an empty object when nothing was given, so that it can be spread into options
 * @throws AppError `usage` when two ways are mixed, `bad-args` with the place and an example, `file-missing`
 */
export async function readArgs(given: GivenArgs, io: Pick<Io, 'cwd' | 'stdin'>): Promise<{ args?: Json }> {
  const ways = [given.args !== undefined && '--args', given['args-file'] !== undefined && '--args-file', given.arg.length > 0 && '--arg']
  const used = ways.filter((way) => way !== false)
  if (used.length > 1) throw new AppError('usage', `Give the input in one way: ${used.join(' and ')} exclude each other.`)
  if (given.args !== undefined) return { args: parseJson('--args', given.args) }
  if (given['args-file'] !== undefined)
    return {
      args: parseJson(given['args-file'] === '-' ? 'The text on stdin' : given['args-file'], await fileText(given['args-file'], io)),
    }
  return given.arg.length > 0 ? { args: fromPairs(given.arg) } : {}
}

function parseJson(source: string, text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    const { at, expected } = jsonFault(text) ?? { at: 0, expected: 'JSON' }
    const before = text.slice(0, at).split('\n')
    const line = before.length
    const column = (before.at(-1)?.length ?? 0) + 1
    const found = at >= text.length ? 'it ends there' : `found ${JSON.stringify(oneLine(text.slice(at, at + 12)))}`
    const message = `${source} is not JSON: ${expected} is expected at position ${at + 1} (line ${line}, column ${column}), ${found}. ${advice(source, text)}`
    throw new AppError('bad-args', message, { line, column })
  }
}

function advice(source: string, text: string): string {
  const object = `--args ${shellQuote('{"label":"bug"}')}`
  if (source !== '--args') return 'Text must stand in double quotes, and names too.'
  const word = oneLine(text)
  // A bare word is most likely meant as text; anything with braces is an object that lost its quotes to the shell.
  const asText = word !== '' && word.length <= 40 && !/[{}[\]"']/.test(word)
  return asText
    ? `For text write --args ${shellQuote(JSON.stringify(word))}, for an object ${object}.`
    : `Write it as ${object}, or --arg label=bug.`
}

async function fileText(name: string, io: Pick<Io, 'cwd' | 'stdin'>): Promise<string> {
  if (name === '-') {
    const chunks: Buffer[] = []
    for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk))
    return Buffer.concat(chunks).toString('utf8')
  }
  const path = resolve(io.cwd, name)
  try {
    return (await readFile(path, 'utf8')).replace(/^\ufeff/, '')
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    const words = isMissing ? `There is no file ${path}.` : `${path} can't be read: ${(cause as Error).message}.`
    throw new AppError(isMissing ? 'file-missing' : 'file-unreadable', `${words} --args-file takes a JSON file.`, { cause })
  }
}

function fromPairs(pairs: readonly string[]): Json {
  const members = new Map<string, Json>()
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    if (at < 1) throw new AppError('bad-args', `--arg takes KEY=VALUE, such as --arg label=bug; got “${pair}”.`)
    const key = pair.slice(0, at)
    if (members.has(key))
      throw new AppError('bad-args', `--arg ${key}=… is given twice. For a list write --arg ${shellQuote(`${key}=["a","b"]`)}.`)
    members.set(key, pairValue(pair.slice(at + 1)))
  }
  return Object.fromEntries(members) // defines own members, `__proto__` included
}

/** A number, boolean, null, array or object when the text is one, else the text itself. */
function pairValue(text: string): Json {
  try {
    const value = JSON.parse(text) as Json
    const losesDigits = typeof value === 'number' && (!Number.isFinite(value) || (/^-?\d+$/.test(text) && !Number.isSafeInteger(value)))
    return typeof value === 'string' || losesDigits ? text : value
  } catch {
    return text
  }
}
