/**
 * One running script: evaluates the body, and moves it from quiet point to quiet point with the scheduler's deliveries.
 * Knows nothing of threads; how the text is evaluated and when the realm is quiet are given.
 */
import type { ErrorData } from '../../../shared/errors.ts'
import type { Json } from '../../../shared/json.ts'
import { olderKeysOf } from '../older-key.ts'
import { Children } from './children.ts'
import { createHooks, type Hooks, type SharedState } from './hooks.ts'
import { inChild, RunningTexts, SOURCE_URL } from './position.ts'
import type { FromScript, ScriptInit, ToScript } from './protocol.ts'
import { returned } from './return-value.ts'
import { Scheduler } from './scheduler.ts'
import { reasonOf, thrownError } from './thrown.ts'

export interface ScriptRealm {
  /** Evaluates one expression with these globals and gives its value: the body as an async function. Its frames are named `sourceUrl`. */
  evaluate(code: string, globals: Record<string, unknown>, sourceUrl: string): () => Promise<unknown>
  /** Calls back when all microtasks have run. */
  whenQuiet(callback: () => void): void
  /** Bytes that this thread keeps, buffers included. */
  memory?(): number
  /** Reasons of the promises that were rejected so far and that nobody waits for. */
  unheard?(): unknown[]
}

export interface RunningScript {
  receive(message: ToScript): void
  /** Something was thrown where no code of the script could catch it, in a microtask: the script has failed. */
  threw(thrown: unknown): void
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
  const texts = new RunningTexts(init.script)
  const olderKeys = olderKeysOf(init.history)
  const shared: SharedState = { halted: null, lastCall: null }
  const children = new Children({
    texts,
    evaluate: (code, globals, sourceUrl) => realm.evaluate(code, globals, sourceUrl),
    globalsOf: (child) => hooksOf(child).globals,
    post: say,
    halted: () => shared.halted,
  })
  const hooks = hooksOf(null)
  let settled: Extract<FromScript, { t: 'settled' }> | null = null
  let over = false
  let waiting = false
  let heard = 0

  /** A child draws its own numbers: what its siblings draw meanwhile does not change them. */
  function hooksOf(child: { call: number; label: string } | null): Hooks {
    return createHooks({
      scheduler,
      shared,
      child,
      budget: init.budget,
      maxAgents: init.maxAgents,
      olderKeys,
      seed: child === null ? init.seed : `${init.seed} ${child.call}`,
      post: say,
      line: (stack) => ownLine(stack),
      inChild: (stack) => inChild(texts.place(stack)),
      startChild: (opened, start) => children.start(opened, start),
    })
  }

  function ownLine(stack: string | undefined): number | null {
    const place = texts.place(stack)
    return place === null || place.child !== null ? null : place.line
  }

  function settle(outcome: Extract<FromScript, { t: 'settled' }>['outcome']): void {
    settled ??= { t: 'settled', outcome }
    hooks.halt({ code: 'run-ended', message: 'The script has ended; nothing can be started any more.' })
  }

  function begin(): void {
    const globals: Record<string, unknown> = {
      ...hooks.globals,
      args: init.args === undefined ? undefined : (JSON.parse(JSON.stringify(init.args)) as Json),
    }
    try {
      const body = realm.evaluate(init.script.code, globals, SOURCE_URL)
      body().then(
        (value) => settle(returned(value)),
        (thrown: unknown) => settle({ ok: false, error: thrownError(thrown, texts) }),
      )
    } catch (thrown) {
      settle({ ok: false, error: thrownError(thrown, texts) })
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
      for (const reason of realm.unheard?.() ?? []) hooks.warn(`A promise was rejected and nobody waited for it: ${reasonOf(reason)}`)
      say(settled)
      return flush()
    }
    const step = scheduler.step()
    if (step === 'stuck') {
      over = true
      say({ t: 'stuck', error: stuck() })
      return flush()
    }
    if (step === 'idle') say({ t: 'idle', heard })
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
    const { lastCall } = shared
    const line = ownLine(lastCall?.at.stack)
    const where = line === null ? inChild(texts.place(lastCall?.at.stack)) : ` at line ${line}`
    const last = lastCall === null ? 'It called no hook.' : `It last called \`${lastCall.hook}\`${where}.`
    return { code: 'script-stuck', message: `The script waits for something that can't happen. ${last}`, ...(line !== null && { line }) }
  }

  realm.whenQuiet(begin)
  return {
    receive(message) {
      switch (message.t) {
        case 'result':
          heard += 1
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
          post([{ t: 'pong', id: message.id, memory: realm.memory?.() ?? 0 }])
      }
    },
    threw(thrown) {
      settle({ ok: false, error: thrownError(thrown, texts) })
      wake()
    },
  }
}

/** What the host acts on, in contrast to what it only shows. */
function isUrgent(message: FromScript): boolean {
  return message.t === 'start' || message.t === 'limit' || (message.t === 'call' && message.whyLive !== null)
}
