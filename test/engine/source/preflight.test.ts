import { describe, expect, test } from 'vitest'
import { checkScript } from '../../../main/engine/source/check-script.ts'
import { HOOKS } from '../../../main/engine/source/globals.ts'

const warningsOf = async (source: string, file = 'script.js') => {
  const { diagnostics, prepared } = await checkScript(source, file)
  expect(prepared).not.toBeNull()
  return diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`)
}

describe('clock and chance', () => {
  test.each([
    ['const t = Date.now()', ['clock-or-chance 1:11']],
    ['const t = new Date()', ['clock-or-chance 1:11']],
    ['const t = new Date', ['clock-or-chance 1:11']],
    ['const t =\n  Date()', ['clock-or-chance 2:3']],
    ['const t = Math["random"]()', ['clock-or-chance 1:11']],
    ['performance.now(); performance.now()', ['clock-or-chance 1:1']],
    ['return crypto.randomUUID()', ['clock-or-chance 1:8']],
    ['return [new Date(0), Date.UTC(1), new Date(now()), Math.max(1), x instanceof Date]\nvar x', []],
    ['const Date = { now: () => 1 }\nfunction f(Math) { return Math.random() }\nreturn Date.now() + f()', []],
    ['return "Date.now()" // Math.random()', []],
  ])('%j', async (source, warnings) => {
    expect(await warningsOf(source)).toEqual(warnings)
  })

  test('the warning names the line and the way out', async () => {
    const { diagnostics } = await checkScript('\nreturn Date.now()', 'script.js')
    expect(diagnostics).toEqual([
      {
        severity: 'warning',
        code: 'clock-or-chance',
        line: 2,
        column: 8,
        message: '`Date.now()` gives something else on each resume. Use `now()`, or pass the time in args.',
      },
    ])
  })
})

describe('promises where functions belong', () => {
  test.each([
    [
      'await parallel([agent("a"), () => agent("b"),\n  pipeline([], f)])\nfunction f() {}',
      ['promise-not-thunk 1:17', 'promise-not-thunk 2:3'],
    ],
    ['await parallel(args.map((x) => agent(x)))', ['promise-not-thunk 1:32']],
    ['await parallel(args.map(async (x) => { await agent(x) }))', ['promise-not-thunk 1:25']],
    ['await parallel(args.map(function (x) { log(x); return agent(x) }))', ['promise-not-thunk 1:55']],
    ['await parallel([(async () => 1)()])', ['promise-not-thunk 1:17']],
    ['await parallel(agent("a"), agent("b"))', ['promise-not-thunk 1:16', 'promise-not-thunk 1:28']],
    ['await pipeline([1], agent("a"))', ['promise-not-thunk 1:21']],
    ['await wait(check("a"))', ['promise-not-thunk 1:12']],
    ['await parallel([() => agent("a"), async () => agent("b"), make("c"), f])\nfunction make() {}\nconst f = 1', []],
    ['await parallel(args.map((x) => () => agent(x)))', []],
    ['const agent = (x) => () => x\nawait parallel([agent("a")])', []],
    ['await Promise.all([agent("a"), agent("b")])', []],
  ])('%j', async (source, warnings) => {
    expect(await warningsOf(source)).toEqual(warnings)
  })
})

describe('names nobody declared', () => {
  test.each([
    ['retrun\nretrun', ['undeclared 1:1']],
    ['x = 1', ['undeclared 1:1']],
    ['setTimeout(() => fetch("x"), process.pid)', ['undeclared 1:1', 'undeclared 1:18', 'undeclared 1:30']],
    ['if (typeof window !== "undefined") log(1)', []],
    ['return Intl', ['undeclared 1:8']],
    ['{ let a = 1 }\nreturn a', ['undeclared 2:8']],
    ['for (const i of [1]) { var b = i }\nreturn b', []],
    ['try { f() } catch ({ message: m }) { return m }\nfunction f() {}', []],
    ['const { a, b: [c = a, ...d], ...e } = args; return [a, c, d, e]', []],
    ['class A { static x = A; #y = 1; static { var z = 1; log(z) } get v() { return this.#y } }\nreturn new A()', []],
    ['const f = function g(n = h) { return n ? g(n - 1) : arguments }; var h = f; return f', []],
    ['outer: for (;;) { break outer }', []],
    ['return { undeclared: 1, b() {} }.c?.d', []],
    ['return [globalThis, undefined, NaN, structuredClone, URL, TextEncoder, atob, queueMicrotask, console, Symbol, Proxy]', []],
    ['import type { T } from "x"\nconst a: T = args as Other\nreturn a satisfies Third', []],
  ])('%j', async (source, warnings) => {
    expect(await warningsOf(source, source.startsWith('import type') ? 'script.ts' : 'script.js')).toEqual(warnings)
  })

  test('hooks are declared by the engine', async () => {
    expect(await warningsOf(`return [${HOOKS.join(', ')}]`)).toEqual([])
  })

  test('a well-known one is told apart, with what does its job', async () => {
    const { diagnostics } = await checkScript('setTimeout(); nonsense()', 'script.js')
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "`setTimeout` doesn't exist in a script: a script has no timers.",
      '`nonsense` is declared nowhere: reaching it throws.',
    ])
  })
})

describe('changes of built-ins', () => {
  test.each([
    ['Array.prototype.last = 1', ['builtin-assignment 1:1']],
    ['String.prototype["x"] ??= 1', ['builtin-assignment 1:1']],
    ['Math.PI++', ['builtin-assignment 1:1']],
    ['delete Object.prototype.toString', ['builtin-assignment 1:8']],
    ['Object.defineProperty(Array.prototype, "x", {})', ['builtin-assignment 1:1']],
    ['Object.assign(Promise.prototype, {})', ['builtin-assignment 1:1']],
    ["const counts = {}; counts['constructor'] = 1; counts.toString = 2; return Object.assign(counts, {})", []],
    ['Error.stackTraceLimit = 50', []],
    ['class Array {}\nArray.prototype.x = 1', []],
    ['args.items.sort(); args.prototype = 1', []],
  ])('%j', async (source, warnings) => {
    expect(await warningsOf(source)).toEqual(warnings)
  })
})

describe('phases', () => {
  const meta = `export const meta = { phases: ['Plan', { title: 'Do' }] }\n`
  test.each([
    [`${meta}phase('Plan'); phase(\`Do\`); phase('Undo')`, ['phase-undeclared 2:35']],
    [`${meta}agent('x', { phase: 'Other' }); agent('x', { phase: 'Do' })`, ['phase-undeclared 2:21']],
    [`${meta}check('x', { phase: 'Other' }); gate('x', { phase: 'Other' })`, ['phase-undeclared 2:21', 'phase-undeclared 2:52']],
    [`${meta}phase(args.title)`, []],
    [`phase('Anything')`, []],
    [`export const meta = { name: 'x' }\nphase('Anything')`, []],
  ])('%j', async (source, warnings) => {
    expect(await warningsOf(source)).toEqual(warnings)
  })
})

describe('options of hooks', () => {
  test.each([
    ['agent("x", { label: 1, phase: "p", schema: {}, model: "m", effort: "low", agentType: "t", isolation: "worktree" })', []],
    ['agent("x", { allowedTools: [], maxTokens: 1, timeoutMs: 1, retries: 1 })', []],
    ['agent("x", { modle: "opus",\n "temperature": 1 })', ['unknown-option 1:14', 'unknown-option 2:2']],
    ['const base = { tools: [] }\nagent("x", { ...base, label: "a" })', ['unknown-option 1:16']],
    ['const base = { tools: [] }\nagent("x", base); agent("y", { ...base })', ['unknown-option 1:16']],
    ['agent("x", { [args.key]: 1, ...args.more })', []],
    ['function agent() {}\nagent("x", { anything: 1 })', []],
    ['check("ls", { label: "l", phase: "p", cwd: ".", timeoutMs: 1, env: {}, repeatable: true, shell: true })', []],
    ['check("ls", { timeout: 5 })', ['unknown-option 1:15']],
    ['gate("Go?", { label: "l", phase: "p", options: ["a"], show: "x", timeoutMs: 1 })', []],
    ['gate("Go?", { choices: ["a"] })', ['unknown-option 1:15']],
    ['wait(() => "green", { intervalsMs: 1, timeoutMs: 1, name: "n" })', []],
    ['const every = { interval: 5 }\nwait(() => "green", { ...every, label: "l" })', ['unknown-option 1:17', 'unknown-option 2:33']],
  ])('%j', async (source, warnings) => {
    expect(await warningsOf(source)).toEqual(warnings)
  })
})
