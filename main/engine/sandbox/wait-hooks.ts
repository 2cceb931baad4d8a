/**
 * The hooks with which a script waits or looks at the world: `sleep`, `check`, `wait` and `gate`. Each asks the scheduler
 * for calls of its own kind, so that what came of them is recorded and a resume goes on in the middle.
 */
import type { ErrorData } from '../../../shared/errors.ts'
import type { Json } from '../../../shared/json.ts'
import { fingerprint } from '../fingerprint.ts'
import { HOOK_OPTIONS } from '../source/globals.ts'
import { commandWords } from './command-words.ts'
import { jsonCopy, kindOf } from './copies.ts'
import { haltError, hookError } from './hook-error.ts'
import type { Ask } from './scheduler.ts'
import { titleText } from './short-text.ts'

type Caller = (...args: never[]) => unknown
type Request = { [key: string]: Json | undefined }

/** Between two looks, when the script does not say; the last one is repeated. */
const INTERVALS_MS = [30_000, 60_000, 120_000, 300_000]
const WAIT_TIMEOUT_MS = 30 * 60_000
const GATE_CHOICES = ['approve', 'changes']

export interface WaitHooksOptions {
  /** Every hook starts with it; throws when the run is over. */
  enter(hook: string, caller: Caller): void
  /** Why the run is over, null while it goes on. */
  halted(): ErrorData | null
  /** The line of the hook call now. */
  here(): number | null
  now(): number
  warn(text: string, once: string): void
  ask(call: Omit<Ask, 'deliver' | 'line'> & { line: number | null }): Promise<unknown>
}

export function createWaitHooks({ enter, halted, here, now, warn, ask }: WaitHooksOptions) {
  /** Probes that are in their first, synchronous part. */
  let probing = 0

  async function sleep(ms: unknown): Promise<null> {
    enter('sleep', sleep)
    const problem = notMilliseconds(ms)
    if (problem !== null) throw hookError('bad-call', `sleep() wants milliseconds from 0 on, it got ${problem}`, sleep, TypeError)
    return pause(ms as number, null, here())
  }

  async function pause(ms: number, name: string | null, line: number | null): Promise<null> {
    const request = name === null ? { ms } : { ms, wait: name }
    await ask({ kind: 'sleep', fp: fingerprint('sleep', { ms }), label: name, phase: null, request, line })
    return null
  }

  async function check(command: unknown, options?: unknown): Promise<unknown> {
    enter('check', check)
    const { label, phase, ...given } = read('check', options, check)
    const request: Request = { command: commandOf(command, given['shell'] === true), ...given }
    if (probing > 0) request['repeatable'] ??= true
    expectOptions('check', given, { cwd: isText, timeoutMs: isPositive, env: isTexts, repeatable: isBoolean, shell: isBoolean }, check)
    const { command: asked, cwd, env, shell } = request
    const fp = fingerprint('check', { command: asked, cwd, env, shell: shell === true ? true : undefined })
    return ask({ kind: 'check', fp, label: textOrNull(label), phase: textOrNull(phase), request: request as Json, line: here() })
  }

  function commandOf(command: unknown, shell: boolean): Json {
    const refuse = (problem: string) => hookError('bad-call', `check() can't run this command: ${problem}`, check, TypeError)
    if (typeof command === 'string' && shell) {
      if (command.trim() === '') throw refuse('it is empty')
      return command
    }
    if (typeof command === 'string') {
      const split = commandWords(command)
      if (!split.ok) throw refuse(split.problem)
      return split.words
    }
    if (!Array.isArray(command)) throw refuse(`it wants a text or an array of texts, it got ${kindOf(command)}`)
    if (shell) throw refuse('a shell takes one text, not an array')
    const words: unknown[] = Array.from(command)
    if (words.length === 0) throw refuse('it is empty')
    return words.map((word, i) => {
      if (typeof word === 'string') return word
      throw refuse(`item ${i} is ${kindOf(word)}, not a text`)
    })
  }

  async function wait(probe: unknown, options?: unknown): Promise<'green' | 'fail' | 'timeout'> {
    enter('wait', wait)
    if (typeof probe !== 'function')
      throw hookError('bad-call', `wait() wants a function to look with, it got ${kindOf(probe)}`, wait, TypeError)
    const given = read('wait', options, wait)
    expectOptions('wait', given, { intervalsMs: isIntervals, timeoutMs: isPositive, name: isText }, wait)
    const intervals = [given['intervalsMs'] ?? INTERVALS_MS].flat() as number[]
    const until = now() + ((given['timeoutMs'] as number | undefined) ?? WAIT_TIMEOUT_MS)
    const name = textOrNull(given['name']) ?? 'wait'
    const line = here()
    for (let turn = 0; ; turn += 1) {
      const verdict = await look(probe as () => unknown)
      if (verdict === 'green' || verdict === 'fail') return verdict
      if (verdict !== 'wait')
        throw hookError('bad-call', `The probe of wait() gives 'green', 'wait' or 'fail', it gave ${textOf(verdict)}`, wait, TypeError)
      const left = until - now()
      if (left <= 0) return 'timeout'
      const over = halted()
      if (over !== null) throw haltError(over, wait)
      await pause(Math.min(left, intervals[Math.min(turn, intervals.length - 1)] ?? left), name, line)
    }
  }

  /** Looking again is what a probe is for: a check that it starts at once may be repeated. */
  async function look(probe: () => unknown): Promise<unknown> {
    probing += 1
    try {
      return probe()
    } finally {
      probing -= 1
    }
  }

  async function gate(question: unknown, options?: unknown): Promise<unknown> {
    enter('gate', gate)
    if (typeof question !== 'string' || question.trim() === '')
      throw hookError(
        'bad-call',
        `gate() wants a question as text, it got ${question === '' ? 'an empty one' : kindOf(question)}`,
        gate,
        TypeError,
      )
    const { label, phase, ...given } = read('gate', options, gate)
    expectOptions('gate', given, { options: isChoices, show: isShown, timeoutMs: isPositive }, gate)
    const request: Request = { question, ...given, options: given['options'] ?? GATE_CHOICES }
    const fp = fingerprint('gate', { question, options: request['options'], show: request['show'] })
    return ask({ kind: 'gate', fp, label: textOrNull(label), phase: textOrNull(phase), request: request as Json, line: here() })
  }

  /** A private copy of the options; unknown ones are left out with a warning. */
  function read(hook: 'check' | 'wait' | 'gate', options: unknown, caller: Caller): Request {
    const known: readonly string[] = HOOK_OPTIONS[hook]
    if (options === undefined || options === null) return {}
    if (typeof options !== 'object' || Array.isArray(options))
      throw hookError('bad-call', `${hook}() wants its options as an object, it got ${kindOf(options)}`, caller, TypeError)
    const request: Request = {}
    for (const [key, value] of Object.entries(options)) {
      if (!known.includes(key)) {
        warn(`${hook}() knows no option "${key}", it is left out. Known: ${known.join(', ')}`, `${hook} option ${key}`)
        continue
      }
      const copy = jsonCopy(value, `the option "${key}" of ${hook}()`, caller)
      if (copy !== undefined) request[key] = copy
    }
    return request
  }

  return { sleep, check, wait, gate }
}

interface Expected {
  is(value: Json): boolean
  words: string
}

const isText: Expected = { is: (value) => typeof value === 'string', words: 'a text' }
const isBoolean: Expected = { is: (value) => typeof value === 'boolean', words: 'true or false' }
const isPositive: Expected = { is: (value) => typeof value === 'number' && value > 0, words: 'milliseconds above 0' }
const isTexts: Expected = {
  is: (value) => isObject(value) && Object.values(value).every((one) => typeof one === 'string'),
  words: 'an object of texts',
}
const isIntervals: Expected = {
  is: (value) => {
    const all = [value].flat()
    return all.length > 0 && all.every((ms) => typeof ms === 'number' && ms > 0)
  },
  words: 'milliseconds, or an array of them',
}
const isChoices: Expected = {
  is: (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one) => typeof one === 'string' && one !== '') &&
    new Set(value).size === value.length,
  words: 'an array of different texts',
}
const isShown: Expected = {
  is: (value) => typeof value === 'string' || (isObject(value) && typeof value['path'] === 'string'),
  words: 'a text or { path }',
}

function expectOptions(hook: string, given: Request, expected: Readonly<Record<string, Expected>>, caller: Caller): void {
  for (const [key, { is, words }] of Object.entries(expected)) {
    const value = given[key]
    if (value !== undefined && !is(value))
      throw hookError('bad-call', `The option "${key}" of ${hook}() wants ${words}, it got ${textOf(value)}`, caller, TypeError)
  }
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Null when it is a length of time, else what it is. */
function notMilliseconds(ms: unknown): string | null {
  if (typeof ms !== 'number') return kindOf(ms)
  return Number.isFinite(ms) && ms >= 0 ? null : String(ms)
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' ? titleText(value) : null
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : kindOf(value)
}
