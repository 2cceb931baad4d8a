/**
 * The hooks with which a script waits or looks at the world: `sleep`. Each asks the scheduler for a call of its own kind, so
 * that what came of it is recorded and a resume waits for the rest only.
 */
import type { ErrorData } from '../../../shared/errors.ts'
import type { Json } from '../../../shared/json.ts'
import type { CallKind } from '../../../shared/run/record.ts'
import { fingerprint } from '../fingerprint.ts'
import { kindOf } from './copies.ts'
import { haltError, hookError } from './hook-error.ts'

type Caller = (...args: never[]) => unknown

export interface WaitHooksOptions {
  /** Every hook starts with it; throws when the run is over. */
  enter(hook: string, caller: Caller): void
  /** Why the run is over, null while it goes on. */
  halted(): ErrorData | null
  /** The line of the hook call now. */
  here(): number | null
  ask(call: {
    kind: CallKind
    fp: string
    label: string | null
    phase: string | null
    request: Json
    line: number | null
  }): Promise<unknown>
}

export type WaitHooks = ReturnType<typeof createWaitHooks>

export function createWaitHooks({ enter, ask, here }: WaitHooksOptions) {
  async function sleep(ms: unknown): Promise<null> {
    enter('sleep', sleep)
    if (typeof ms !== 'number' || !Number.isFinite(ms) || ms < 0)
      throw hookError(
        'bad-call',
        `sleep() wants milliseconds from 0 on, it got ${typeof ms === 'number' ? ms : kindOf(ms)}`,
        sleep,
        TypeError,
      )
    await ask({ kind: 'sleep', fp: fingerprint('sleep', { ms }), label: null, phase: null, request: { ms }, line: here() })
    return null
  }

  return { sleep }
}

/** Rejects a hook that goes on by itself once the run is over. */
export function refuseHalted(halted: ErrorData | null, caller: Caller): void {
  if (halted !== null) throw haltError(halted, caller)
}
