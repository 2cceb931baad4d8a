import { describe, expect, test } from 'vitest'
import { errorOf, runScript, valueOf } from '../support/run-script.ts'

describe('everyday code', () => {
  test('objects may have keys like "constructor" and classes may extend Error (R34)', async () => {
    const value = await valueOf(
      `const counts = {}
for (const word of ['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'constructor']) counts[word] = (Object.hasOwn(counts, word) ? counts[word] : 0) + 1
class E extends Error { constructor(message) { super(message); this.name = 'E' } toString() { return 'E!' } }
const e = new E('m', { cause: 1 })
args.items.sort(); args.items.push(9); args.more = true
let n = 3, turns = 0
while (n --> 0) turns++
// A --> B
return { counts, e: [e instanceof E, e instanceof Error, e.name, e.message, String(e)], args, turns }`,
      { args: { items: [3, 1, 2] } },
    )
    expect(value).toEqual({
      counts: { constructor: 2, toString: 1, hasOwnProperty: 1, valueOf: 1 },
      e: [true, true, 'E', 'm', 'E!'],
      args: { items: [1, 2, 3, 9], more: true },
      turns: 3,
    })
  })

  test('arrays of numbers of every kind exist', async () => {
    expect(
      await valueOf(`return [Float64Array.from([1.5]), new Float32Array([0.5, 2]).map((n) => n * 2), new Uint8ClampedArray([300]), new BigInt64Array([1n])[0] === 1n,
  new Float64Array([3, 1]).sort()].map((one) => (typeof one === 'boolean' ? one : [...one]))`),
    ).toEqual([[1.5], [1, 4], [255], true, [1, 3]])
  })

  test('meta is there to read, and hooks may be shadowed', async () => {
    const source = `export const meta = { name: 'x', phases: [{ title: 'Look' }] }
const budget = 1, log = 2
function agent() { return 3 }
return [meta.phases[0].title, budget + log + agent()]`
    expect(await valueOf(source)).toEqual(['Look', 6])
  })

  test('every way to print is the log, and no value breaks it', async () => {
    const { logs, error } = await runScript(`
log('a', 1, { b: [1] }, undefined, null, 5n, Symbol('s'))
for (const way of ['log', 'info', 'debug', 'warn', 'error', 'trace', 'dir', 'table']) console[way](way)
console.time('t'); console.timeEnd('t'); console.assert(true, 'no'); console.assert(false, 'yes')
const loop = {}; loop.self = loop
log(loop); log(new TypeError('boo')); log({ get x() { throw 1 } })
log(new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } }))`)
    expect(error).toBeUndefined()
    expect(logs).toEqual([
      ...['a 1 {"b":[1]} undefined null 5 Symbol(s)', 'log', 'info', 'debug', 'warn', 'error', 'trace', 'dir', 'table'],
      ...['Assertion failed yes', '[object Object]', 'TypeError: boo', '[object Object]', 'a value that has no text'],
    ])
  })

  test('a script that ends early, late, with nothing or by export default gives its value', async () => {
    expect(await valueOf('if (args === undefined) return 1\nreturn 2')).toBe(1)
    expect(await valueOf('await agent("x")')).toBe(null)
    expect(await valueOf('export default { then(done) { done(5) } }')).toBe(5)
  })
})

describe('a frozen built-in says so at the line that changes it', () => {
  test.each([
    ['Array.prototype.last = () => 1', 'Cannot add property last'],
    ['Array.prototype.map = 1', "read only property 'map'"],
    ['Math.random = () => 1', "read only property 'random'"],
    ['Date.now = () => 1', "read only property 'now' of function 'function () { [native code] }'"],
    ['agent.x = 1', 'Cannot add property x'],
    ['budget.total = 5', "read only property 'total'"],
    ['console.log = 1', "read only property 'log'"],
  ])('%s', async (code, words) => {
    const error = await errorOf(`\n${code}`)
    expect(error.message).toContain(words)
    expect([error.code, error.line]).toEqual(['script-error', 2])
  })
})

describe('what would differ from one attempt to the next throws with the line and the way out', () => {
  test.each([
    ['Date.now()', 'now()'],
    ['new Date()', 'now()'],
    ['Date()', 'now()'],
    ['Reflect.construct(Date, [])', 'now()'],
    ['new (class Day extends Date {})()', 'now()'],
    ['Math.random()', 'random()'],
    ['performance.now()', 'now(), random() or uuid()'],
    ['globalThis.crypto', 'now(), random() or uuid()'],
  ])('%s', async (code, way) => {
    const error = await errorOf(`await agent('x')\n  ${code}`)
    expect(error).toMatchObject({ code: 'not-deterministic', line: 2 })
    expect(error.message).toContain(way)
  })

  test('the clock behind the prototype of dates throws too', async () => {
    expect(await errorOf('new (new Date(0).constructor)()')).toMatchObject({ line: 1 })
    expect(await errorOf('new Date(0).constructor.now()')).toMatchObject({ line: 1 })
  })

  test('now(), random() and uuid() say the same again when the call before them is replayed', async () => {
    const source = `const seen = [now(), random(), uuid()]
seen.push(await agent('x'), now(), random(), uuid())
return seen`
    const live = await runScript(source)
    const call = live.messages.find((message) => message.t === 'call')
    if (call?.t !== 'call') throw new Error('no call was made')
    const recorded = {
      call: 1,
      kind: 'agent',
      fp: call.fp,
      why: 'new-call',
      rank: 1,
      output: 'x',
      outputTokens: 10,
      at: 1_001,
      counts: true,
      isExpected: true,
    } as const
    const replayed = await runScript(source, { attempt: 2, history: [{ ...recorded, state: 'reusable' }] })
    expect(replayed.messages.find((message) => message.t === 'call')).toMatchObject({ whyLive: null })
    expect(replayed.value).toEqual(live.value)
    expect(live.value).toEqual([
      1_000,
      expect.any(Number),
      expect.stringMatching(/^[0-9a-f]{8}-/),
      'x',
      1_001,
      expect.any(Number),
      expect.any(String),
    ])
    expect(new Set(live.value as unknown[]).size).toBe(7)
    expect((await runScript(source, { seed: 'other' })).value).not.toEqual(live.value)
  })
})

describe('a prompt arrives byte for byte', () => {
  test('with what looks like code, line separators, lone surrogates, and one megabyte long (R30)', async () => {
    const prompt = 'import("x") eval(1) <!-- a --> ${VAR} \\n \u2028\u2029 \ud800 é 🙂'
    const { prompts } = await runScript(
      `await agent(String.raw\`import("x") <!-- --> \\n \${args.name}\`)
await agent(args.prompt)
await agent('z'.repeat(2 ** 20))
await agent(${JSON.stringify(prompt)})`,
      { args: { prompt, name: '${VAR}' } },
    )
    expect(prompts[0]).toBe('import("x") <!-- --> \\n ${VAR}')
    expect([prompts[1], prompts[3]]).toEqual([prompt, prompt])
    expect(prompts[2]).toHaveLength(2 ** 20)
  })

  test('results with keys like __proto__ are data, for the script and on the way back', async () => {
    const answer = (): { [key: string]: string } =>
      JSON.parse('{ "__proto__": "p", "constructor": "c", "then": "t" }') as { [key: string]: string }
    const value = await valueOf('const r = await agent("x"); return [Object.keys(r), Object.getPrototypeOf(r) === Object.prototype, r]', {
      answer,
    })
    expect(JSON.stringify(value)).toBe('[["__proto__","constructor","then"],true,{"__proto__":"p","constructor":"c","then":"t"}]')
  })
})

describe('the place of an error is that of the file as written', () => {
  test('in a template, on the line of the name itself (R30)', async () => {
    expect(await errorOf('const x = 1\nreturn `a ${x} import("y")\n  b ${x}\n  c ${nope} -->`')).toMatchObject({
      message: 'ReferenceError: nope is not defined',
      line: 4,
      column: 7,
    })
  })

  test('in TypeScript with types and enums', async () => {
    const source = `enum Kind { A = 1, B }
interface Wide { a: number; b: string }
const f = (x: Wide, kind: Kind = Kind.B): number => { return (x as any).deep.deeper }
await agent('x', { label: 'l' } as { label: string })
f({ a: 1, b: 'x' } as Wide)`
    const error = await errorOf(source, { file: 'my flow.ts' })
    expect(error).toMatchObject({ code: 'script-error', line: 3, column: 78 })
    expect(error.stack).toContain('my flow.ts:5:1')
  })

  test('for meta that is no object of literals nothing runs at all (R29)', async () => {
    await expect(runScript('export const meta = { name: agent("x") }')).rejects.toThrow('Refused')
    expect(await valueOf("/* export const meta = { name: 'old } */\nexport const meta = { name: 'it\\'s {new}' }\nreturn meta.name")).toBe(
      "it's {new}",
    )
  })
})

describe('whatever a script throws ends it with an error that can be read', () => {
  test.each([
    ["throw 'text'", 'The script threw "text"'],
    ['throw undefined', 'The script threw undefined'],
    ['throw { a: 1 }', 'The script threw {"a":1}'],
    ['throw Object.create(null)', 'The script threw {}'],
    ['throw 5n', 'The script threw 5'],
    ["throw new Error('x'.repeat(1e7))", expect.stringMatching(/^Error: x{60000,70000}…$/)],
    ["throw new AggregateError([], 'all')", 'AggregateError: all'],
    ["throw Object.assign(new Error('mine'), { code: 'call-limit' })", 'Error: mine'],
    ["throw Object.assign(new Error('mine'), { code: 'ENOENT' })", 'Error: mine'],
    ["throw new Proxy(new Error('p'), { get() { throw 1 } })", 'a value that has no text'],
    ["throw Object.defineProperty(new Error('s'), 'stack', { get() { throw 1 } })", 'Error: s'],
    ["throw Object.defineProperty(new Error('s'), 'message', { get() { throw 1 } })", 'a value that has no text'],
    ["throw new (class extends Error { toString() { throw 1 } })('own')", 'Error: own'],
    ["queueMicrotask(() => { throw new Error('later') }); await agent('x')", 'Error: later'],
  ])('%s', async (code, message) => {
    expect(await errorOf(code)).toMatchObject({ code: 'script-error', message })
  })

  test('a rejection that nobody waits for ends nothing and is in the log; one that is caught in the end is not (R26)', async () => {
    const { value, logs } = await runScript(`agent(5)
const late = Promise.reject(new Error('late'))
await agent('x')
return await late.catch((error) => error.message)`)
    expect(value).toBe('late')
    expect(logs).toEqual(['A promise was rejected and nobody waited for it: TypeError: agent() wants a prompt as text, it got a number'])
  })
})

describe('a return value that JSON would change is refused with its path (R19)', () => {
  test.each([
    ['{ a: [{ b: 5n }] }', '`a[0].b` is a BigInt'],
    ['(() => { const o = { list: [] }; o.list.push({ o }); return o })()', '`list[0].o` refers to itself'],
    ['[[() => 1]]', '`[0][0]` is a function'],
    ['{ "a b": Symbol("x") }', '`["a b"]` is a symbol'],
    ['{ all: [agent("x")] }', '`all[0]` is a promise'],
    ['new Map()', 'it is a Map'],
    ['{ s: new Set() }', '`s` is a Set'],
    ['{ get x() { throw new Error("boo") } }', 'Error: boo'],
    ['{ toJSON() { return 5n } }', 'BigInt'],
    [
      'new Proxy({}, { ownKeys() { throw new Proxy({}, { getPrototypeOf() { throw 1 }, get() { throw 2 } }) } })',
      'a value that has no text',
    ],
  ])('%s', async (code, words) => {
    const error = await errorOf(`return ${code}`)
    expect(error.code).toBe('unserialisable')
    expect(error.message).toContain(words)
  })

  test('a value that nests too deep is refused by name, on its way out and on its way to a hook; 500 levels are fine', async () => {
    const nested = (levels: number): string => `let deep = 0; for (let i = 0; i < ${levels}; i += 1) deep = { deep }`
    expect(await errorOf(`${nested(5000)}; return deep`)).toMatchObject({
      code: 'unserialisable',
      message: expect.stringContaining('500 levels'),
    })
    expect(await errorOf(`${nested(1e6)}; return deep`)).toMatchObject({ code: 'unserialisable' })
    expect(await errorOf(`${nested(5000)}; await agent('x', { schema: deep })`)).toMatchObject({
      code: 'unserialisable',
      message: expect.stringContaining('"schema"'),
    })
    expect(await errorOf(`${nested(5000)}; await workflow('child', deep)`)).toMatchObject({ code: 'unserialisable' })
    expect(JSON.stringify(await valueOf(`${nested(500)}; return deep`))).toMatch(/^(\{"deep":){500}0\}{500}$/)
  })

  test('a getter is read once, whatever it counts', async () => {
    expect(await valueOf('let n = 0; return { get a() { return ++n }, list: [{ get b() { return ++n } }] }')).toEqual({
      a: 1,
      list: [{ b: 2 }],
    })
  })

  test('getters, toJSON, dates, the same object twice and 20 MB are fine', async () => {
    const value = await valueOf(`const same = { a: 1 }
return { g: { get y() { return 7 } }, j: { toJSON: () => 'j' }, d: new Date(0), twice: [same, same], none: undefined, long: 'x'.repeat(20e6) }`)
    expect(value).toMatchObject({ g: { y: 7 }, j: 'j', d: '1970-01-01T00:00:00.000Z', twice: [{ a: 1 }, { a: 1 }] })
    expect((value as { long: string }).long).toHaveLength(20e6)
  })
})
