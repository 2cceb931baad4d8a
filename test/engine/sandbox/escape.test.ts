import { expect, test } from 'vitest'
import { runScript, valueOf } from '../support/run-script.ts'

/** What a script can lay hands on, each with a way to a constructor of functions. */
const WAYS = {
  'a hook': 'agent.constructor',
  'a bound hook': 'agent.bind(null).constructor',
  'a member of budget': 'budget.spent.constructor',
  'a method of console': 'console.log.constructor',
  args: 'args.constructor.constructor',
  'a promise of a call': 'promise.constructor.constructor',
  'the then of a promise': 'promise.then.constructor',
  'a result': 'result.constructor.constructor',
  'a function': '(() => {}).constructor',
  'an async function': '(async () => {}).constructor',
  'a generator': '(function* () {}).constructor',
  'an async generator': '(async function* () {}).constructor',
  'the name Function': 'Function',
  Date: 'Date.constructor',
  'the prototype of dates': 'new Date(0).constructor.constructor',
  Math: 'Math.max.constructor',
  structuredClone: 'structuredClone.constructor',
  'a clone': 'structuredClone({}).constructor.constructor',
  'a cloned error': 'structuredClone(new Error("x")).constructor.constructor',
  URL: 'URL.constructor',
  'a getter of URL': 'Reflect.getOwnPropertyDescriptor(URL.prototype, "href").get.constructor',
  'the iterator of search parameters': 'new URLSearchParams("a=1").entries().next.constructor',
  'encoded bytes': 'new TextEncoder().encode("x").constructor.constructor',
  'a decoder': 'new TextDecoder().decode.constructor',
  atob: 'atob.constructor',
  queueMicrotask: 'queueMicrotask.constructor',
  'an error of a hook': 'caught(() => log.call()).constructor.constructor',
  'an error of atob': 'caught(() => atob("%")).constructor.constructor',
  'an error of structuredClone': 'caught(() => structuredClone(() => 1)).constructor.constructor',
  'an error of URL': 'caught(() => new URL("%")).constructor.constructor',
  'a stack overflow': 'caught(() => { const f = () => f(); f() }).constructor.constructor',
  'the global object': 'globalThis.constructor.constructor',
  'a getter of the global object': 'Reflect.getOwnPropertyDescriptor(globalThis, "performance").get.constructor',
} as const

const OPENING = `
const caught = (run) => { try { run() } catch (error) { return error } return new Error('nothing was thrown') }
const promise = agent('x')
const result = await promise
`

test('no value that a script can reach makes a function of the host', async () => {
  const tries = Object.entries(WAYS).map(
    ([way, code]) => `{ const Make = ${code}
  const outcome = [typeof Make]
  for (const text of ['return typeof process', 'return typeof require', 'return this === undefined ? "undefined" : typeof this.process']) {
    try { outcome.push(Make(text)()) } catch (error) { outcome.push(error.constructor.name) }
  }
  found[${JSON.stringify(way)}] = outcome }`,
  )
  const found = await valueOf(`${OPENING}const found = {}\n${tries.join('\n')}\nreturn found`, { args: {}, answer: () => ({ a: 1 }) })
  // The compartment's own Function evaluates inside of it; all others are inert.
  for (const [way, outcome] of Object.entries(found as Record<string, string[]>)) {
    const expected =
      way === 'the name Function'
        ? ['function', 'undefined', 'undefined', 'undefined']
        : ['function', 'TypeError', 'TypeError', 'TypeError']
    expect([way, ...outcome]).toEqual([way, ...expected])
  }
})

test('a script has the globals of the language, the hooks, and a few of the web: no others', async () => {
  const names = (await valueOf('return Object.getOwnPropertyNames(globalThis)')) as string[]
  const language = `AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError Float16Array
    Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array JSON Map Math NaN Number Object Promise Proxy
    RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array
    Uint8ClampedArray WeakMap WeakSet decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN
    parseFloat parseInt undefined unescape`.split(/\s+/)
  const hooks = 'agent args budget check console gate log now parallel phase pipeline random sleep uuid wait workflow'.split(' ')
  const web = 'TextDecoder TextEncoder URL URLSearchParams atob btoa crypto performance queueMicrotask structuredClone'.split(' ')
  expect(names.filter((name) => ![...language, ...hooks, ...web].includes(name))).toEqual([])
  expect([...hooks, ...web].filter((name) => !names.includes(name))).toEqual([])
})

test.each([
  'Intl',
  'WeakRef',
  'FinalizationRegistry',
  'Atomics',
  'SharedArrayBuffer',
  'Compartment',
  'harden',
  'setTimeout',
  'fetch',
  'process',
  'WebAssembly',
])('%s does not exist', async (name) => {
  expect(await valueOf(`return typeof ${name} + typeof globalThis[${JSON.stringify(name)}]`)).toBe('undefinedundefined')
})

test('the web globals do their work and carry nothing else: no inspector, no native handle, no store of blobs', async () => {
  const value = await valueOf(`
const bytes = new TextEncoder().encode('é\u2028')
const instances = [new TextEncoder(), new TextDecoder(), new URL('http://x'), new URLSearchParams('a=1')]
const classes = [TextEncoder, TextDecoder, URL, URLSearchParams]
return {
  decoded: new TextDecoder('utf-8', { fatal: true }).decode(bytes) === 'é\u2028',
  url: [new URL('b?c=1', 'https://x/a/').href, new URL('https://x/?q=1').searchParams.get('q'), URL.canParse('nope')],
  base64: atob(btoa('hi')),
  clone: structuredClone({ list: [1, new Date(5)] }),
  on: instances.map((one) => Reflect.ownKeys(one).length),
  inspectors: classes.map((one) => Symbol.for('nodejs.util.inspect.custom') in one.prototype),
  blobs: [typeof URL.createObjectURL, typeof URL.revokeObjectURL],
}`)
  expect(value).toEqual({
    decoded: true,
    url: ['https://x/a/b?c=1', '1', false],
    base64: 'hi',
    clone: { list: [1, '1970-01-01T00:00:00.005Z'] },
    on: [0, 0, 0, 0],
    inspectors: [false, false, false, false],
    blobs: ['undefined', 'undefined'],
  })
})

/** Everything a script can lay hands on that was not made by its own code for itself alone: found by walking from these. */
const REACH = `
const caught = (run) => { try { run() } catch (error) { return error } throw new Error('nothing was thrown: ' + run) }
const getter = (Class, name) => Reflect.getOwnPropertyDescriptor(Class.prototype, name).get
const roots = { global: globalThis, args, budget, promise: agent('x'), refused: await agent(5).catch((error) => error),
  url: new URL('http://x/?a=1'), params: new URLSearchParams('a=1'), entries: new URLSearchParams('a=1').entries(), keys: new URLSearchParams('a=1').keys(),
  linked: new URL('http://x/?a=1').searchParams, encoder: new TextEncoder(), decoder: new TextDecoder(), bytes: new TextEncoder().encode('x'),
  clones: structuredClone([new Map([[1, 2]]), new Error('x'), new TypeError('x'), new Date(0), /x/g, new Uint8Array(2)]),
  generator: (function* () {})(), iterators: [new Map().entries(), ''[Symbol.iterator](), 'a'.matchAll(/a/g), [1].values()],
  errors: [() => atob('%'), () => btoa('\u{1F600}'), () => structuredClone(() => 1), () => structuredClone(Symbol()), () => new URL('%'), () => new URL(),
    () => { new URL('http://x').href = '%' }, () => new TextDecoder('nope'), () => new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255])),
    () => new TextDecoder().decode({}), () => new TextEncoder().encodeInto('x', {}), () => new URLSearchParams([1]),
    () => new URLSearchParams('a').forEach(1), () => URLSearchParams.prototype.get.call({}, 'a'), () => getter(URL, 'href').call({}), () => getter(URL, 'host').call({}),
    () => new URLSearchParams('a=1').keys().next.call({}), () => queueMicrotask(1), () => Date.now(), () => Math.random(), () => performance, () => phase(Symbol.iterator, log.call(), nope()),
    () => JSON.parse('{'), () => new Function('}'), () => new Array(-1), () => decodeURIComponent('%'), () => 1n + 1, () => { const f = () => f(); f() }].map(caught) }
`

test('all that a script can reach is of the language or of ours, frozen where it is shared, and no way into Node', async () => {
  const value = await valueOf(
    `${REACH}
const own = new Set([roots.generator, ...Object.values(roots), ...roots.errors, ...roots.clones, ...roots.iterators, Object.getPrototypeOf(roots.generator)])
const seen = new Map(), queue = [], found = { open: [], symbols: [], makers: [] }
const reach = (value, path) => {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return
  seen.set(value, path)
  queue.push(value)
}
for (const [name, value] of Object.entries(roots)) reach(value, name)
for (let value = queue.shift(); value !== undefined; value = queue.shift()) {
  const path = seen.get(value)
  for (const key of Reflect.ownKeys(value)) {
    if (typeof key === 'symbol' && Object.getOwnPropertyDescriptor(Symbol, key.description?.slice(7) ?? '')?.value !== key) found.symbols.push(path + ' ' + String(key))
    const { value: member, get, set } = Reflect.getOwnPropertyDescriptor(value, key)
    for (const one of [member, get, set]) reach(one, path + '.' + String(key))
  }
  reach(Reflect.getPrototypeOf(value), path + '.__proto__')
  if (!own.has(value) && !Object.isFrozen(value)) found.open.push(path)
  if (typeof value === 'function' && value !== globalThis.Function) {
    try { found.makers.push(path + ' ' + value.constructor('return typeof process')()) } catch {}
  }
}
return { ...found, isWhole: seen.size > 500 }`,
    { args: {} },
  )
  expect(value).toEqual({ open: [], makers: [], symbols: ['global.Object Symbol(harden)'], isWhole: true })
})

test('an error of atob makes no clone of what the script says (in Node 22 and later that was a file handle, and all of its files)', async () => {
  const value = await valueOf(`
let exception; try { atob('%') } catch (error) { exception = error }
const Class = exception.constructor
const one = new Class('x')
const before = [Class.name, exception.name, exception instanceof Error]
const symbols = []
for (let on = one; on !== null; on = Object.getPrototypeOf(on)) symbols.push(...Object.getOwnPropertySymbols(on))
for (const symbol of symbols) {
  const lie = () => ({ data: { handle: { fd: 1 } }, deserializeInfo: 'internal/fs/promises:FileHandle' })
  try { Object.defineProperty(one, symbol, { value: lie }) } catch {}
}
let clone; try { clone = structuredClone(one) } catch (error) { clone = error.name }
return [...before, typeof clone.fd, typeof clone.createReadStream]`)
  expect(value).toEqual(['DOMException', 'InvalidCharacterError', true, 'undefined', 'undefined'])
})

test('URL and URLSearchParams do what the standard says', async () => {
  const source = `
const url = new URL('../c d?q=1&q=2#h', 'https://user:pw@example.com:8080/a/b/')
const parts = ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'].map((part) => url[part])
url.searchParams.append('ä', '&')
url.pathname = '/ü'; url.port = ''
const linked = [url.href, String(url), JSON.stringify({ url })]
const params = new URLSearchParams({ b: 2, a: 'x y' })
params.append('b', 3); params.sort(); params.delete('b', '2')
const seen = []
params.forEach((value, name, all) => seen.push(value, name, all === params))
const kinds = [new URLSearchParams([['a', 1]]), new URLSearchParams(params), new URLSearchParams('?x=1'), new URLSearchParams()].map(String)
return { parts, linked, kinds, seen, list: [...params], keys: [...params.keys()], values: [...params.values()], size: params.size, has: [params.has('b'), params.has('b', '9')],
  all: url.searchParams.getAll('q'), get: [params.get('a'), params.get('none')], parse: [URL.parse('nope'), URL.canParse('/a', 'http://x')?.valueOf()],
  class: [Object.prototype.toString.call(url), URL.name, url instanceof URL, url.searchParams instanceof URLSearchParams] }`
  const parse = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null)
  const standard = new Function('URL', source)(Object.assign(URL, { parse: URL.parse ?? parse })) as unknown
  expect(await valueOf(source)).toEqual(JSON.parse(JSON.stringify(standard)))
})

test('a decoder with something else in the place of its bytes throws, and the process goes on', async () => {
  const value = await valueOf(`
const decoder = new TextDecoder('utf-16le')
for (const key of Reflect.ownKeys(decoder)) decoder[key] = {}
const tries = [() => decoder.decode({}), () => TextDecoder.prototype.decode.call({}, new Uint8Array(2)), () => new TextEncoder().encodeInto('x', {})]
return tries.map((run) => { try { return run() } catch (error) { return error instanceof TypeError } })`)
  expect(value).toEqual([true, true, true])
})

test('everything that scripts could share is frozen', async () => {
  const shared =
    `Object.prototype Array.prototype Function.prototype Promise Promise.prototype Error Error.prototype Date Date.prototype Math JSON
    RegExp.prototype Map.prototype Symbol agent parallel log budget console console.log now URL URL.prototype URLSearchParams.prototype
    TextEncoder.prototype TextDecoder structuredClone queueMicrotask exception.constructor exception.constructor.prototype`.split(/\s+/)
  const value = await valueOf(`let exception; try { atob('%') } catch (error) { exception = error }
return [${shared.map((one) => `Object.isFrozen(${one}) ? null : ${JSON.stringify(one)}`).join(', ')}].filter((name) => name !== null)`)
  expect(value).toEqual([])
})

test('a stack shows the lines of the script and nothing of the machine', async () => {
  const value = await valueOf(`
Error.stackTraceLimit = 0
const stacks = []
const keep = () => stacks.push(new Error('here').stack)
await parallel([() => keep(), async () => { await agent('x'); keep() }])
;[1].forEach(keep)
log({ toJSON: keep })
queueMicrotask(keep)
await agent('y')
return stacks`)
  expect(value).toHaveLength(5)
  for (const stack of value as string[]) {
    expect(stack).toMatch(/^Error: here\n {4}at (?:Object\.)?keep (?:\[as toJSON\] )?\(reprise-script:4:/)
    expect(stack).not.toMatch(/file:|node:|\.mjs|worker/)
  }
})

test('Error.prepareStackTrace and a captured stack hand out no frames of the host', async () => {
  const value = await valueOf(`
const tries = []
try { Error.prepareStackTrace = (_, frames) => frames.map((frame) => frame.getThis()) } catch (error) { tries.push(error.name) }
const error = new Error('x')
tries.push(typeof error.stack)
const holder = {}
Error.captureStackTrace(holder)
tries.push(typeof holder.stack)
return tries`)
  expect(value).toEqual(['string', 'string'])
})

test('what hooks call back into (toString, toJSON, getters, proxies, thenables) sees strict code without this and without callers', async () => {
  const value = await valueOf(`
const seen = []
const look = function () { seen.push(typeof this, typeof look.caller, typeof look.arguments) }
log({ toJSON: () => look() })
log(new Proxy({}, { get: (_, key) => (key === 'toJSON' ? look() : undefined) }))
await parallel([look, () => ({ then(done) { done(look()) } })])
await agent('x', { get label() { look(); return 'l' } })
return [...new Set(seen)]`)
  expect(value).toEqual(['undefined'])
})

test('a species, a subclass of Promise and a replaced then change nothing for others', async () => {
  const value = await valueOf(`
class Odd extends Promise {}
class List extends Array { static get [Symbol.species]() { return function () { return { length: 0 } } } }
const thunks = List.from([() => agent('a'), () => agent('b')])
const all = await parallel(thunks)
const odd = await new Odd((done) => done(agent('c')))
let frozen; try { Promise.prototype.then = () => 1 } catch (error) { frozen = error.name }
return [all, odd, frozen]`)
  expect(value).toEqual([['a', 'b'], 'c', 'TypeError'])
})

test.each(['Function(`return im${""}port("node:fs")`)()', 'globalThis["ev" + "al"](`im${""}port("node:fs")`)'])(
  'code made of text can not import: %s',
  async (code) => {
    const { error, ending } = await runScript(`return await ${code}`)
    expect([ending, error?.code]).toEqual(['settled', 'script-error'])
  },
)
