/** The names a script finds without declaring them, and what to say about the ones it looks for in vain. */

/** What the engine gives a script. */
export const HOOKS = [
  'agent',
  'parallel',
  'pipeline',
  'workflow',
  'phase',
  'log',
  'check',
  'gate',
  'sleep',
  'wait',
  'args',
  'budget',
  'now',
  'random',
  'uuid',
] as const

/** The options that each hook takes as its second argument. */
export const HOOK_OPTIONS = {
  agent: ['label', 'phase', 'schema', 'model', 'effort', 'agentType', 'isolation', 'allowedTools', 'maxTokens', 'timeoutMs', 'retries'],
  check: ['label', 'phase', 'cwd', 'timeoutMs', 'env', 'repeatable', 'shell'],
  wait: ['intervalsMs', 'timeoutMs', 'name'],
  gate: ['label', 'phase', 'options', 'show', 'timeoutMs'],
} as const satisfies Partial<Record<(typeof HOOKS)[number], readonly string[]>>

export const AGENT_OPTIONS: readonly string[] = HOOK_OPTIONS.agent

/** Built-ins of the language: shared by everything in the worker and frozen. */
export const BUILT_INS: ReadonlySet<string> = new Set(
  `Array ArrayBuffer AggregateError BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError Float32Array Float64Array
  Function Int8Array Int16Array Int32Array JSON Map Math Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set
  String Symbol SyntaxError TypeError Uint8Array Uint8ClampedArray Uint16Array Uint32Array URIError WeakMap WeakSet`.split(/\s+/),
)

const OTHERS = `globalThis undefined NaN Infinity isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI
  encodeURIComponent escape unescape console structuredClone URL URLSearchParams TextEncoder TextDecoder atob btoa queueMicrotask
  arguments eval`.split(/\s+/)

/** Read from these and the run could not be repeated; the sandbox has them only to say so. */
export const NOT_REPEATABLE: ReadonlySet<string> = new Set(['performance', 'crypto'])

/** `eval` is here because an error of its own names it. */
export const KNOWN_GLOBALS: ReadonlySet<string> = new Set([...HOOKS, ...BUILT_INS, ...OTHERS, ...NOT_REPEATABLE])

const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['setTimeout', 'a script has no timers'],
  ['setInterval', 'a script has no timers'],
  ['setImmediate', 'a script has no timers'],
  ['fetch', 'let an agent reach the network'],
  ['process', 'pass what you need in args'],
  ['Buffer', '`TextEncoder`, `atob` and `btoa` exist'],
  ['fs', 'let an agent touch files'],
  ['module', '`return` the result at the end'],
  ['exports', '`return` the result at the end'],
  ['window', 'there is no browser around it'],
  ['document', 'there is no browser around it'],
  ['Intl', 'results would depend on the machine'],
  ['Iterator', 'not every runtime has it'],
  ['require', 'a script stands alone'],
  ['WeakRef', 'it would depend on when memory is collected'],
  ['FinalizationRegistry', 'it would depend on when memory is collected'],
  ['Atomics', 'a script has one thread'],
  ['SharedArrayBuffer', 'a script has one thread'],
])

/** Why a well-known name is missing, or what does its job; undefined for names nobody knows. */
export function insteadOf(name: string): string | undefined {
  return INSTEAD.get(name)
}
