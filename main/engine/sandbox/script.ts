/**
 * One running script: evaluates the body, and moves it from quiet point to quiet point with the scheduler's deliveries.
 * Knows nothing of threads; how the text is evaluated and when the realm is quiet are given.
 */
import type { ErrorData } from '../../../shared/errors.ts'
import type { Json } from '../../../shared/json.ts'
import type { PreparedScript } from '../source/check-script.ts'
import { isHookError } from './hook-error.ts'
import { createHooks } from './hooks.ts'
import { placeOf } from './position.ts'
import type { FromScript, ScriptInit, ToScript } from './protocol.ts'
import { Scheduler } from './scheduler.ts'

export interface ScriptRealm {
  /** Evaluates one expression with these globals and gives its value: the body as an async function. */
  evaluate(code: string, globals: Record<string, unknown>): () => Promise<unknown>
  /** Calls back when all microtasks have run. */
  whenQuiet(callback: () => void): void
}

export interface RunningScript {
  receive(message: ToScript): void
}

/** Starts the script. `post` gets one batch a quiet point, in order. */
export function startScript(init: ScriptInit, realm: ScriptRealm, post: (batch: FromScript[]) => void): RunningScript {
  const outbox: FromScript[] = []
  let urgent = false
  const say = (message: FromScript): void => {
    urgent ||= isUrgent(message)
    outbox.push(message)
  }
  const scheduler = new Scheduler({ ...init, post: say })
  const hooks = createHooks({
    scheduler,
    budget: init.budget,
    maxAgents: init.maxAgents,
    seed: init.seed,
    post: say,
    line: (stack) => placeOf(stack, init.script)?.line ?? null,
  })
  let settled: Extract<FromScript, { t: 'settled' }> | null = null
  let over = false
  let waiting = false

  function settle(outcome: Extract<FromScript, { t: 'settled' }>['outcome']): void {
    settled = { t: 'settled', outcome }
    hooks.halt({ code: 'run-ended', message: 'The script has ended; nothing can be started any more.' })
  }

  function begin(): void {
    const globals: Record<string, unknown> = {
      ...hooks.globals,
      args: init.args === undefined ? undefined : (JSON.parse(JSON.stringify(init.args)) as Json),
    }
    try {
      const body = realm.evaluate(init.script.code, globals)
      body().then(
        (value) => settle(returned(value)),
        (thrown: unknown) => settle({ ok: false, error: thrownError(thrown, init.script) }),
      )
    } catch (thrown) {
      settle({ ok: false, error: thrownError(thrown, init.script) })
    }
    realm.whenQuiet(turn)
  }

  /** A quiet point: what was asked goes out, then one delivery comes in. */
  function turn(): void {
    waiting = false
    if (over) return
    if (settled !== null) {
      over = true
      scheduler.finish()
      say(settled)
      return flush()
    }
    const step = scheduler.step()
    if (step === 'stuck') {
      over = true
      say({ t: 'stuck', error: stuck() })
      return flush()
    }
    if (step === 'idle') say({ t: 'idle' })
    if (step === 'delivered' || step === 'started') return again()
    waiting = true
    flush()
  }

  function again(): void {
    if (urgent || outbox.length > 256) flush() // live calls start at once, also in the middle of a long replay
    realm.whenQuiet(turn)
  }

  function flush(): void {
    urgent = false
    if (outbox.length > 0) post(outbox.splice(0))
  }

  function wake(): void {
    if (!waiting) return
    waiting = false
    realm.whenQuiet(turn)
  }

  function stuck(): ErrorData {
    const line = hooks.lastLine()
    const hook = hooks.lastHook()
    const last = hook === null ? 'It called no hook.' : `It last called \`${hook}\`${line === null ? '' : ` at line ${line}`}.`
    return { code: 'script-stuck', message: `The script waits for something that can't happen. ${last}`, ...(line !== null && { line }) }
  }

  realm.whenQuiet(begin)
  return {
    receive(message) {
      switch (message.t) {
        case 'result':
          scheduler.arrive(message)
          return wake()
        case 'value':
          scheduler.fetched(message.call, message.output)
          return wake()
        case 'halt':
          over = true
          hooks.halt(message.error)
          return
        case 'ping':
          post([{ t: 'pong', id: message.id }])
      }
    },
  }
}

/** What the host acts on, in contrast to what it only shows. */
function isUrgent(message: FromScript): boolean {
  return message.t === 'start' || message.t === 'limit' || (message.t === 'call' && message.whyLive !== null)
}

function returned(value: unknown): Extract<FromScript, { t: 'settled' }>['outcome'] {
  try {
    const offender = notJson(value, 'the return value', new Set())
    if (offender !== null) return { ok: false, error: { code: 'unserialisable', message: offender } }
    return { ok: true, value: value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Json) }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    return { ok: false, error: { code: 'unserialisable', message: `The return value can't be written as JSON: ${reason}` } }
  }
}

/** What in a value JSON cannot say, in words with its path; null when nothing. Objects with `toJSON` speak for themselves. */
function notJson(value: unknown, path: string, above: Set<object>): string | null {
  if (typeof value === 'function') return `${path} is a function, which can't be saved. Return plain data.`
  if (typeof value === 'bigint') return `${path} is a BigInt, which JSON can't hold. Return Number(x) or String(x).`
  if (typeof value === 'symbol') return `${path} is a symbol, which can't be saved. Return plain data.`
  if (typeof value !== 'object' || value === null) return null
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return null
  if (above.has(value)) return `${path} refers to itself, so it can't be saved. Return a tree without cycles.`
  above.add(value)
  for (const [key, member] of Object.entries(value)) {
    const offender = notJson(member, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, above)
    if (offender !== null) return offender
  }
  above.delete(value)
  return null
}

/** The script's own error, with the place in the file as written. */
function thrownError(thrown: unknown, script: PreparedScript): ErrorData {
  if (!(thrown instanceof Error)) return { code: 'script-error', message: `The script threw ${describe(thrown)}` }
  const at = placeOf(thrown.stack, script)
  const code = isHookError(thrown) ? thrown.code : 'script-error'
  const error: ErrorData = { code, message: code === 'script-error' ? `${thrown.name}: ${thrown.message}` : thrown.message }
  if (at !== null) Object.assign(error, at)
  if (thrown.stack !== undefined) error.stack = thrown.stack
  return error
}

function describe(thrown: unknown): string {
  try {
    return typeof thrown === 'string' ? `"${thrown}"` : (JSON.stringify(thrown) ?? String(thrown))
  } catch {
    return 'a value that has no text'
  }
}
