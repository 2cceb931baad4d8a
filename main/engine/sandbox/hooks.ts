/**
 * The functions a script calls. They copy what they are given, ask the scheduler, and hand back what was recorded or done.
 * Nothing here touches the world: everything a script can observe is pure or comes from the scheduler.
 */
import type { ErrorData } from '../../../shared/errors.ts'
import type { Json } from '../../../shared/json.ts'
import { agentFingerprint, fingerprint } from '../fingerprint.ts'
import { olderKey } from '../older-key.ts'
import { AGENT_OPTIONS } from '../source/globals.ts'
import { type ChildStart, childLabel, childRequest } from './children.ts'
import { jsonCopy, kindOf } from './copies.ts'
import { haltError, hookError, isHookError } from './hook-error.ts'
import type { FromScript, OpenedChild } from './protocol.ts'
import { seededRandom } from './random.ts'
import type { Scheduler } from './scheduler.ts'
import { lineText, titleText } from './short-text.ts'
import { reasonOf } from './thrown.ts'
import { createWaitHooks } from './wait-hooks.ts'

/** Items that one `parallel` or `pipeline` may take. */
export const MAX_ITEMS = 4096

/** What the hooks of the run's own script and of its children have in common. */
export interface SharedState {
  halted: ErrorData | null
  lastCall: { hook: string; at: { stack?: string } } | null
}

export interface HooksOptions {
  scheduler: Scheduler
  shared: SharedState
  /** The child whose hooks these are; null for the run's own script. */
  child: { call: number; label: string } | null
  budget: number | null
  maxAgents: number
  seed: string
  /** Keys of recorded calls that an older tool made. */
  olderKeys: ReadonlySet<string>
  post(message: FromScript): void
  /** The line of the run's own script from which a hook is called now; null when that is in a child. */
  line(stack: string | undefined): number | null
  /** The same place in words, when it is in a child: ` (lint.js:3:5)`. */
  inChild(stack: string | undefined): string
  /** Runs a child whose opening was delivered. */
  startChild(opened: OpenedChild, child: ChildStart): void
}

export interface Hooks {
  /** The globals of the script, by name. */
  globals: Record<string, unknown>
  /** Ends the run: every hook called from now on rejects with this error. */
  halt(error: ErrorData): void
  /** A line of the log that the engine adds, with the line that last called a hook. */
  warn(text: string): void
}

export function createHooks(options: HooksOptions): Hooks {
  const { scheduler, shared, child, budget, maxAgents, seed, olderKeys, post, line, inChild, startChild } = options
  let current: string | null = null
  const warned = new Set<string>()
  const source = () => (scheduler.isLive ? 'live' : 'replayed')
  /** The line of the hook call now. */
  const here = (): number | null => line(shared.lastCall?.at.stack)

  /** Every hook starts here: notes where it was called, and refuses when the run is over. */
  function enter(hook: string, caller: (...args: never[]) => unknown): void {
    shared.lastCall = { hook, at: siteOf(caller) }
    if (shared.halted !== null) throw haltError(shared.halted, caller)
  }

  function warn(text: string, once?: string): void {
    if (once !== undefined) {
      if (warned.has(once)) return
      warned.add(once)
    }
    const stack = shared.lastCall?.at.stack
    post({ t: 'log', text: `${lineText(text)}${inChild(stack)}`, level: 'warning', source: source(), line: line(stack) })
  }

  function limit(code: 'call-limit' | 'too-many-items', message: string, caller: (...args: never[]) => unknown): Error {
    const error = hookError(code, message, caller)
    const at = line(error.stack)
    shared.halted ??= { code, message: `${message}${inChild(error.stack)}`, ...(at !== null && { line: at }) }
    post({ t: 'limit', error: shared.halted })
    return error
  }

  function agent(prompt: unknown, options?: unknown): Promise<unknown> {
    return new Promise((deliver) => {
      enter('agent', agent)
      if (typeof prompt !== 'string')
        throw hookError('bad-call', `agent() wants a prompt as text, it got ${kindOf(prompt)}`, agent, TypeError)
      const request = agentRequest(prompt, options, warn, agent)
      const fp = olderKey(prompt, Object(options), olderKeys) ?? agentFingerprint(request)
      if (scheduler.agents >= maxAgents && scheduler.takesPlace(fp)) {
        throw limit(
          'call-limit',
          `This run reached ${grouped(maxAgents)} agent calls, the limit. Results are saved; raise it with --max-agents.`,
          agent,
        )
      }
      const label = typeof request['label'] === 'string' ? request['label'] : null
      const phase = typeof request['phase'] === 'string' ? phaseTitle(request['phase']) : current
      scheduler.ask({ kind: 'agent', fp, label, phase, request: request as Json, line: here, deliver })
    })
  }

  async function parallel(thunks: unknown): Promise<unknown[]> {
    enter('parallel', parallel)
    if (!Array.isArray(thunks))
      throw hookError('bad-call', `parallel() wants an array of functions, it got ${kindOf(thunks)}`, parallel, TypeError)
    const functions: (() => unknown)[] = []
    for (let i = 0; i < thunks.length; i += 1) {
      const thunk: unknown = thunks[i]
      if (typeof thunk !== 'function') {
        throw hookError(
          'bad-call',
          `parallel() wants functions, but item ${i} is ${kindOf(thunk)}: write () => agent(…) instead of agent(…)`,
          parallel,
          TypeError,
        )
      }
      functions.push(thunk as () => unknown)
    }
    checkItems('parallel', functions.length, parallel)
    return Promise.all(functions.map((thunk, i) => orNull(`parallel item ${i}`, () => thunk())))
  }

  async function pipeline(items: unknown, ...stages: unknown[]): Promise<unknown[]> {
    enter('pipeline', pipeline)
    if (!Array.isArray(items))
      throw hookError('bad-call', `pipeline() wants an array of items first, it got ${kindOf(items)}`, pipeline, TypeError)
    const steps = stages.map((stage, i) => {
      if (typeof stage !== 'function')
        throw hookError('bad-call', `pipeline() wants functions as stages, but stage ${i + 1} is ${kindOf(stage)}`, pipeline, TypeError)
      return stage as (previous: unknown, item: unknown, index: number) => unknown
    })
    checkItems('pipeline', items.length, pipeline)
    return Promise.all(
      Array.from(items, (item: unknown, index) =>
        orNull(`pipeline item ${index}`, async () => {
          let previous = item
          for (const step of steps) previous = await step(previous, item, index)
          return previous
        }),
      ),
    )
  }

  function checkItems(hook: string, count: number, caller: (...args: never[]) => unknown): void {
    if (count > MAX_ITEMS) {
      throw limit(
        'too-many-items',
        `${hook}() takes at most ${grouped(MAX_ITEMS)} items, it got ${grouped(count)}. Split the list.`,
        caller,
      )
    }
  }

  /** A failing part of a fan-out is a `null` and a warning; the end of the run is not swallowed. */
  async function orNull(what: string, work: () => unknown): Promise<unknown> {
    try {
      return await work()
    } catch (thrown) {
      if (shared.halted !== null && isHookError(thrown) && thrown.code === shared.halted.code) throw thrown
      warn(`${what} failed: ${reasonOf(thrown)}`)
      return null
    }
  }

  function phase(title: unknown): void {
    enter('phase', phase)
    current = phaseTitle(String(title))
    post({ t: 'phase', title: current, source: source(), child: child?.call ?? null })
  }

  function phaseTitle(title: string): string {
    return titleText(child === null ? title : `${child.label} › ${title}`)
  }

  function workflow(reference: unknown, input?: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      enter('workflow', workflow)
      if (child !== null) {
        throw hookError(
          'bad-call',
          `“${child.label}” was called by a workflow, so it can call none itself: call both from the first`,
          workflow,
        )
      }
      const request = childRequest(reference, input, workflow)
      const label = childLabel(request)
      const site = shared.lastCall?.at.stack
      const deliver = (output: Json): void => startChild(output as unknown as OpenedChild, { call, label, request, site, resolve, reject }) // the host made it for this call
      const fp = fingerprint('open-child', request)
      const call = scheduler.ask({ kind: 'open-child', fp, label, phase: current, request, line: () => line(site), deliver })
    })
  }

  function log(...values: unknown[]): void {
    enter('log', log)
    post({ t: 'log', text: lineText(values.map(textOf).join(' ')), level: 'info', source: source(), line: here() })
  }

  const waits = createWaitHooks({
    enter,
    halted: () => shared.halted,
    now: () => scheduler.now,
    warn,
    here,
    ask: (call) =>
      new Promise((deliver) => {
        const phase = call.phase === null ? current : phaseTitle(call.phase)
        scheduler.ask({ ...call, phase, line: () => call.line, deliver })
      }),
  })

  const random = seededRandom(seed)
  const globals = {
    ...waits,
    agent,
    parallel,
    pipeline,
    workflow,
    phase,
    log,
    budget: {
      total: budget,
      spent: () => scheduler.spent,
      remaining: () => (budget === null ? Number.POSITIVE_INFINITY : Math.max(0, budget - scheduler.spent)),
    },
    now: () => scheduler.now,
    random: () => random.next(),
    uuid: () => random.uuid(),
    console: consoleOf(log),
  }
  return {
    globals,
    halt: (error) => {
      shared.halted ??= error
    },
    warn,
  }
}

/** Where the hook `caller` was called. V8 takes the frames now, and writes their text only for those who read it. */
function siteOf(caller: (...args: never[]) => unknown): { stack?: string } {
  const site: { stack?: string } = {}
  Error.captureStackTrace(site, caller)
  return site
}

/** Every way to print is the run's log; what would measure time or count is silent. */
function consoleOf(log: (...values: unknown[]) => void): Record<string, (...values: unknown[]) => void> {
  const silent = (): void => undefined
  const assert = (holds: unknown, ...values: unknown[]): void => (holds ? undefined : log('Assertion failed', ...values))
  const printing = { log, info: log, debug: log, warn: log, error: log, trace: log, dir: log, table: log, group: log, groupCollapsed: log }
  return { ...printing, assert, groupEnd: silent, clear: silent, count: silent, time: silent, timeLog: silent, timeEnd: silent }
}

type Request = { [key: string]: Json | undefined; prompt: string }

/** A private copy of what was asked; a getter is read once, a function or `undefined` is left out. */
function agentRequest(
  prompt: string,
  options: unknown,
  warn: (text: string, once?: string) => void,
  caller: (...args: never[]) => unknown,
): Request {
  const request: Request = { prompt }
  if (options === undefined || options === null) return request
  if (typeof options !== 'object')
    throw hookError('bad-call', `agent() wants its options as an object, it got ${kindOf(options)}`, caller, TypeError)
  for (const [key, value] of Object.entries(options)) {
    if (!AGENT_OPTIONS.includes(key)) {
      warn(`agent() knows no option "${key}", it is left out. Known: ${AGENT_OPTIONS.join(', ')}`, `option ${key}`)
      continue
    }
    const copy = jsonCopy(value, `the option "${key}" of agent()`, caller)
    if (copy !== undefined) request[key] = typeof copy === 'string' && (key === 'label' || key === 'phase') ? titleText(copy) : copy
  }
  return request
}

/** A value as a line of the log. Logging never fails. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    if (!(value instanceof Error)) return JSON.stringify(value) ?? String(value)
  } catch {
    return reasonOf(value)
  }
  return reasonOf(value)
}

/** Thousands by a comma, on every machine. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
