/** Shapes of scripts that people write: each runs whole, through the command line, with simulated agents. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inParallel } from '../support/pool.ts'
import { type RunDocument, TestProject } from '../support/reprise.ts'

interface Shape {
  shape: string
  script: string
  options?: string[]
  value: unknown
  counts?: Partial<RunDocument['counts']>
  exit?: number
}

const say = (text: string): string => `[simulated] ${text}`
const schema = (text: string): string => `{ schema: ${text} }`

const SHAPES: Shape[] = [
  {
    shape: 'an early return in a loop, inside try with finally',
    script: `const seen = []
for (const x of [1, 2, 3]) {
  try { if (x === 2) return { early: await agent('e'), seen }; seen.push(await agent('l' + x)) } finally { seen.push('f' + x) }
}`,
    value: { early: say('e'), seen: [say('l1'), 'f1', 'f2'] },
  },
  {
    shape: 'an early return out of a labelled loop and a switch',
    script: `outer: for (const a of [1, 2]) for (const b of [1, 2]) { if (b === 2) continue outer; switch (a) { case 2: return a + await agent('x') } }`,
    value: `2${say('x')}`,
  },
  {
    shape: '.then, .catch and .finally on agent()',
    script: `const said = []
const a = await agent('a').then((text) => text + '!').catch(() => 'caught').finally(() => said.push('finally'))
const b = await agent(5).then(() => 1, (error) => error.code)
const c = await agent(6).catch((error) => error.name).finally(() => said.push('too'))
return { a, b, c, said, kind: agent('z') instanceof Promise }`,
    value: { a: `${say('a')}!`, b: 'bad-call', c: 'TypeError', said: ['finally', 'too'], kind: true },
  },
  {
    shape: 'spread and computed options',
    script: `const base = { model: 'opus', label: 'base' }, key = 'la' + 'bel'
return await agent('a', { ...base, [key]: 'own', ...(args ? { effort: 'low' } : null), get timeoutMs() { return 60_000 } })`,
    value: say('a'),
  },
  {
    shape: 'a prompt with line separators, lone surrogates and quotes of every kind',
    script: `return await agent('a\\u2028b\\u2029\\ud800c\\udc00 "\\'\\u0060 \\\\ \\0')`,
    value: say('a\u2028b\u2029\ud800c\udc00 "\'` \\ \0'),
  },
  { shape: 'a prompt of one megabyte', script: `return await agent('x'.repeat(2 ** 20) + '[[text:read]]')`, value: 'read' },
  {
    shape: 'an answer with keys like __proto__ and constructor pollutes nothing',
    script: `const answer = await agent('[[json:{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}},"n":1}]]', ${schema('{}')})
const copy = { ...answer }, listed = Object.entries(answer).length
return [Object.keys(answer), {}.polluted === undefined, Object.keys(copy), listed, Object.getPrototypeOf(answer) === Object.prototype]`,
    value: [['__proto__', 'constructor', 'n'], true, ['__proto__', 'constructor', 'n'], 3, true],
  },
  {
    shape: 'schemas with $ref, oneOf, format, unions, and the same $id twice',
    script: `const first = { $id: 'https://x/y', type: 'object', properties: { n: { $ref: '#/$defs/n' } }, $defs: { n: { type: 'integer' } }, required: ['n'] }
const second = { $id: 'https://x/y', oneOf: [{ type: 'object', required: ['k'] }, { type: 'string', format: 'email' }] }
return [await agent('[[json:{"n":1}]]', { schema: first }), await agent('[[json:"a@b.co"]]', { schema: second }), await agent('[[json:{"n":2}]]', { schema: first }),
  await agent('[[json:null]]', ${schema("{ type: ['string', 'null'] }")}), await agent('[[json:7]]', ${schema("{ anyOf: [{ type: 'string' }, { const: 7 }] }")}),
  await agent('d', ${schema("{ type: 'string', format: 'date-time' }")})]`,
    value: [{ n: 1 }, 'a@b.co', { n: 2 }, null, 7, expect.stringMatching(/^\d{4}-\d\d-\d\dT/)],
  },
  {
    shape: 'a schema with an invalid pattern kills its call alone, without a try',
    script: `return [await agent('a', ${schema("{ type: 'string', pattern: '(' }")}), await agent('b')]`,
    value: [null, say('b')],
    counts: { ok: 1, dead: 1 },
    exit: 3,
  },
  { shape: 'no agent at all', script: 'return [1, 2].map((n) => n * 2)', value: [2, 4], counts: { ok: 0, live: 0 } },
  {
    shape: 'for await over a generator of calls and over an array of calls',
    script: `async function* ask() { for (let i = 0; i < 2; i += 1) yield await agent('g' + i) }
const all = []
for await (const text of ask()) all.push(text)
for await (const text of [agent('p'), agent('q')]) all.push(text)
return all`,
    value: ['g0', 'g1', 'p', 'q'].map(say),
  },
  {
    shape: 'generators, and one that is left early',
    script: `let closed = false
function* numbers() { try { let n = 0; for (;;) { const add = yield n; n += add ?? 1 } } finally { closed = true } }
const it = numbers(); const seen = [it.next().value, it.next(5).value]
for (const n of numbers()) { if (n > 2) break; seen.push(await agent('n' + n)) }
return [seen, closed]`,
    value: [[0, 5, say('n0'), say('n1'), say('n2')], true],
  },
  {
    shape: 'classes with private members, static blocks, accessors and super',
    script: `class A { #x = 1; static made = 0; static { this.made = 3 } get x() { return this.#x } set x(v) { this.#x = v } async ask() { return agent('A') } static #y() { return 2 } static y() { return A.#y() } }
class B extends A { async ask() { return 'B' + await super.ask() } }
const b = new B(); b.x = 9
return [b.x, A.made, A.y(), await b.ask(), b instanceof A, B.name]`,
    value: [9, 3, 2, `B${say('A')}`, true, 'B'],
  },
  {
    shape: 'getters, inherited and hidden members in what is returned',
    script: `let n = 0
return { get a() { return ++n }, list: [{ get b() { return ++n } }], own: Object.create({ inherited: 1 }, { seen: { value: 1, enumerable: true }, hidden: { value: 2 } }) }`,
    value: { a: 1, list: [{ b: 2 }], own: { seen: 1 } },
  },
  {
    shape: 'a thenable that a stage returns, one that rejects and one that never ends a second time',
    script: `return await pipeline([1, 2, 3], (x) => ({ then(done) { done(x * 2); done(99) } }),
  (x) => ({ then(done, fail) { if (x === 2) fail(new Error('no')); else done(agent('x' + x)) } }), (text) => text.length)`,
    value: [null, say('x4').length, say('x6').length],
  },
  {
    shape: 'a Proxy around args, as options and as the input of a child',
    options: ['--arg', 'items=[1,2]'],
    script: `const safe = new Proxy(args, { get: (from, key) => from[key] ?? 'default ' + String(key) })
return [safe.items, safe.other, await agent('x', new Proxy({ label: 'p', model: 'opus' }, {})), await workflow({ scriptPath: 'child.js' }, new Proxy({ a: [1] }, {}))]`,
    value: [[1, 2], 'default other', say('x'), { got: { a: [1] } }],
  },
  {
    shape: 'deep recursion, and a stack overflow that is caught',
    script: `const down = (n) => (n === 0 ? 0 : 1 + down(n - 1))
const endless = () => endless()
let caught; try { endless() } catch (error) { caught = error.name }
const nested = async (n) => (n === 0 ? agent('bottom') : nested(n - 1))
return [down(5000), caught, await nested(1000)]`,
    value: [5000, 'RangeError', say('bottom')],
  },
  {
    shape: 'things that are thrown and are no errors',
    script: `const throws = ['text', 5, null, undefined, { a: 1 }, Symbol('s'), 5n, () => 1, Object.create(null), new Proxy({}, { get() { throw 1 } })]
const sync = await parallel(throws.map((thing) => () => { throw thing }))
const late = await pipeline(throws, async (thing) => { throw thing })
const caught = []; for (const thing of throws) try { throw thing } catch (error) { caught.push(error === thing) }
return [sync, late, caught.every(Boolean)]`,
    value: [Array(10).fill(null), Array(10).fill(null), true],
  },
  {
    shape: '4,096 items through two stages',
    script: `const all = await pipeline(Array.from({ length: 4096 }, (_, i) => i), (n) => (n % 512 === 0 ? agent('n' + n) : n), (x) => x)
return [all.length, all[0], all[1], all[4095]]`,
    value: [4096, say('n0'), 1, 4095],
    counts: { ok: 8 },
  },
  {
    shape: 'a script of 213 KB full of what looks like imports and comments',
    script: `${Array.from({ length: 2500 }, (_, i) => `// import("x") and --> ${i}\nconst text${i} = \`<!-- \${${i}} eval( --> \``).join('\n')}\nreturn [text2499, await agent(text7)]`,
    value: ['<!-- 2499 eval( --> ', say('<!-- 7 eval( -->')],
  },
  {
    shape: 'getters and toJSON in options are read once, and a hook called from one is a call like any other',
    script: `let reads = 0
const first = await agent('a', { get label() { reads += 1; agent('from a getter'); return 'l' }, schema: { toJSON: () => ({ type: 'string' }) } })
return [reads, typeof first]`,
    value: [1, 'string'],
  },
  {
    shape: 'a label and a phase of a million letters are cut, and the run goes on',
    script: `const long = 'é🚀'.repeat(400_000); phase(long); return await agent('x', { label: long, phase: long + 'p' })`,
    value: say('x'),
  },
]

describe('a script with', () => {
  const project = new TestProject()
  let ended: { document: RunDocument; code: number | null; stderr: string; stdout: string }[] = []
  beforeAll(async () => {
    project.write('child.js', 'return { got: args }')
    ended = await inParallel([...SHAPES.entries()], async ([index, { script, options = [] }]) => {
      const file = project.write(`shape-${index}.js`, script)
      const { code, stdout, stderr } = await project.run(['run', file, '--agent', 'simulated', '--json', ...options])
      return { code, stderr, stdout, document: JSON.parse(stdout) as RunDocument }
    })
  }, 120_000)
  afterAll(() => project.remove())

  test.each(SHAPES.map(({ shape }, index) => [shape, index] as const))('%s', (_, index) => {
    const { value, counts = {}, exit = 0 } = SHAPES[index] as Shape // the index is of this list
    const { document, code } = ended[index] ?? { document: null, code: null }
    expect(document?.error).toBeUndefined()
    expect(document).toMatchObject({ status: 'completed', counts })
    expect(document?.returnValue).toEqual(value)
    expect(code).toBe(exit)
  })

  test('any of these says little on the screen, whatever its labels hold', () => {
    expect(ended.filter(({ stderr }) => stderr.length > 8000).map(({ document }) => document.number)).toEqual([])
  })
})
