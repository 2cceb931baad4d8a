/**
 * The script's world: one locked-down realm a worker, one compartment a script. Built-ins are shared and frozen, nothing of
 * Node is reachable, and what would differ from one attempt to the next throws with the way out. Call `lockRealm` first.
 */
import 'ses'
import { deterministicDate, useUtcForLocalTime } from './date.ts'
import { hookError } from './hook-error.ts'
import { guardMemory } from './memory-guards.ts'
import type { ScriptRealm } from './script.ts'
import { useScriptStacks } from './stack-traces.ts'
import { trimWebGlobals, webGlobals } from './web-globals.ts'

const later = setImmediate

/** Freezes the built-ins of this thread. Once a thread. */
export function lockRealm(): void {
  useUtcForLocalTime()
  trimWebGlobals()
  guardMemory()
  lockdown({
    overrideTaming: 'severe',
    errorTaming: 'unsafe',
    errorTrapping: 'none',
    unhandledRejectionTrapping: 'none',
    consoleTaming: 'unsafe',
    reporting: 'none',
  })
  useScriptStacks()
}

/** @param unheard reasons of the rejected promises that nobody waits for */
export function createRealm(unheard: () => unknown[]): ScriptRealm {
  return {
    unheard,
    memory() {
      const { heapUsed, external } = process.memoryUsage() // in a thread, both are its own
      return heapUsed + external
    },
    evaluate(code, globals, sourceUrl) {
      const compartment = new Compartment({ __options__: true, globals: { ...endowments(), ...hardenAll(globals) } })
      withdraw(compartment.globalThis)
      return compartment.evaluate(`${code}\n//# sourceURL=${sourceUrl}`, {
        __rejectSomeDirectEvalExpressions__: false,
      }) as () => Promise<unknown>
    },
    whenQuiet(callback) {
      later(callback)
    },
  }
}

function hardenAll(globals: Record<string, unknown>): Record<string, unknown> {
  for (const [name, value] of Object.entries(globals)) if (name !== 'args') harden(value)
  return globals
}

/** `ses` leaves the two arrays of fractions out, for what the bits of a NaN could tell; a script has nobody to tell it to. */
function endowments(): Record<string, unknown> {
  return harden({ ...webGlobals(), Float32Array, Float64Array, Date: deterministicDate(), Math: deterministicMath() })
}

/** `Math` as it is, but for chance. */
function deterministicMath(): Math {
  const random = (): number => {
    throw hookError(
      'not-deterministic',
      'Math.random() would make resume unreliable. Use random(), which draws the same numbers again, or pass the number in as input.',
      random,
    )
  }
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(Math), random: { value: random } }) as Math
}

/** What must not work: gone, or throwing where it is read. */
function withdraw(globalThis: object): void {
  for (const name of [
    'Compartment',
    'lockdown',
    'harden',
    'Intl',
    'WeakRef',
    'FinalizationRegistry',
    'Atomics',
    'SharedArrayBuffer',
    'Iterator',
  ]) {
    Reflect.deleteProperty(globalThis, name)
  }
  for (const name of ['performance', 'crypto']) {
    define(globalThis, name, (at) =>
      hookError(
        'not-deterministic',
        `\`${name}\` would make resume unreliable. Use now(), random() or uuid(), or pass the value in as input.`,
        at,
      ),
    )
  }
}

type Trap = (...args: never[]) => unknown

function define(target: object, name: string, error: (at: Trap) => Error): void {
  const get = (): never => {
    throw error(get)
  }
  const set = (): never => {
    throw error(set)
  }
  Object.defineProperty(target, name, harden({ get, set, enumerable: false, configurable: true }))
}
