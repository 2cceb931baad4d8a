import { describe, expect, test } from 'vitest'
import { errorOf, runScript, valueOf } from '../support/run-script.ts'

describe('what is no list of functions throws before anything starts (R28)', () => {
  test.each([
    ['await pipeline(undefined, (x) => agent(x))', 'pipeline() wants an array of items first, it got undefined'],
    ["await pipeline(['a'], (x) => agent(x), agent('b'))", 'stage 2 is a promise'],
    ["await pipeline('ab', (x) => agent(x))", 'it got a string'],
    ["await parallel(() => agent('a'))", 'parallel() wants an array of functions, it got a function'],
    ["await parallel([() => agent('a'), null])", 'item 1 is null'],
  ])('%s', async (code, words) => {
    const { error, prompts } = await runScript(`\n${code}`)
    expect(error).toMatchObject({ code: 'bad-call', line: 2 })
    expect(error?.message).toContain(words)
    expect(prompts.filter((prompt) => prompt !== 'b')).toEqual([])
  })

  test('a promise in parallel() is named, with what to write instead; it is a TypeError that a script can catch', async () => {
    const value = await valueOf(
      "try { await parallel([agent('x')]) } catch (error) { return [error instanceof TypeError, error.code, error.message] }",
    )
    expect(value).toEqual([
      true,
      'bad-call',
      'parallel() wants functions, but item 0 is a promise: write () => agent(…) instead of agent(…)',
    ])
  })

  test('4,096 items are fine; with one more no item starts and the run ends, even when the error is caught', async () => {
    const items = (count: number): string => `Array.from({ length: ${count} }, (_, i) => () => i)`
    expect(await valueOf(`return (await parallel(${items(4096)})).length`)).toBe(4096)
    expect(await valueOf(`return (await pipeline(Array.from({ length: 4096 }), (_, __, i) => i)).at(-1)`)).toBe(4095)
    const calls = 'Array.from({ length: 4097 }, () => () => agent("x"))'
    const { ending, error, prompts } = await runScript(`\ntry { await parallel(${calls}) } catch {}\nreturn 1`)
    expect([ending, error?.code, error?.line, prompts]).toEqual(['limit', 'too-many-items', 2, []])
    expect((await runScript('await pipeline(Array.from({ length: 5000 }), () => agent("x"))')).error?.message).toContain(
      'at most 4,096 items, it got 5,000',
    )
  })
})

describe('one bad item is one null', () => {
  test('whatever it throws, and the log has the reason', async () => {
    const { value, logs } = await runScript(`return await parallel([
  () => { throw 'x' },
  async () => { throw Object.create(null) },
  () => Promise.reject(new TypeError('r')),
  () => { throw Object.assign(new Error('own code'), { code: 'call-limit' }) },
  () => ({ get then() { throw new Error('getter') } }),
  () => ({ then() { throw new Error('then') } }),
  () => ({ then(done) { done(7) } }),
  () => agent('a'),
])`)
    expect(value).toEqual([null, null, null, null, null, null, 7, 'a'])
    expect(logs.toSorted()).toEqual([
      'parallel item 0 failed: x',
      'parallel item 1 failed: a value that has no text',
      'parallel item 2 failed: TypeError: r',
      'parallel item 3 failed: Error: own code',
      'parallel item 4 failed: Error: getter',
      'parallel item 5 failed: Error: then',
    ])
  })

  test('a returned null goes on to the next stage, only a throw skips the later ones; stages get previous, item and index', async () => {
    const value = await valueOf(`return await pipeline(['a', 'b', 'c'],
  (previous, item, i) => ({ then(done) { done([previous, item, i]) } }),
  (previous) => (previous[2] === 0 ? null : previous),
  (previous, item) => { if (item === 'c') throw new Error('no'); return [previous, item] },
  (previous) => previous)`)
    expect(value).toEqual([[null, 'a'], [['b', 'b', 1], 'b'], null])
  })

  test('a hole in a list is an item like any other, and a list of a class of its own gives a plain one', async () => {
    const value = await valueOf(`class List extends Array { static get [Symbol.species]() { return function () { return { length: 0 } } } }
return [await pipeline([, 1], (x) => String(x)), await pipeline(List.from([1, 2]), (x) => x + 1), await parallel(List.from([() => 1]))]`)
    expect(value).toEqual([['undefined', '1'], [2, 3], [1]])
  })

  test('an item that was changed while the stages ran is not seen, and empty lists give empty lists', async () => {
    expect(
      await valueOf("const items = ['a']; const all = pipeline(items, (x) => agent(x)); items[0] = 'z'; items.push('q'); return await all"),
    ).toEqual(['a'])
    expect(await valueOf('return [await parallel([]), await pipeline([]), await pipeline([1, 2])]')).toEqual([[], [], [1, 2]])
  })
})

describe('a script that can not go on says so at once (R33)', () => {
  test.each([
    ["await agent('x')\n\nawait new Promise(() => {})", 'It last called `agent` at line 1.', 1],
    ["phase('A')\nlog('b')\nawait new Promise(() => {})", 'It last called `log` at line 2.', 2],
    ['await new Promise(() => {})', 'It called no hook.', undefined],
  ])('%j', async (source, words, line) => {
    const { ending, error } = await runScript(source)
    expect([ending, error?.code, error?.line]).toEqual(['stuck', 'script-stuck', line])
    expect(error?.message).toContain(words)
  })
})

describe('calls of agent()', () => {
  test.each([
    ['agent()', 'wants a prompt as text, it got undefined'],
    ["agent(new String('x'))", 'it got an object'],
    ["agent('x', 'fast')", 'wants its options as an object, it got a string'],
    ["agent('x', { schema: 5n })", 'the option "schema" of agent() can\'t be written as JSON'],
  ])('%s is refused at its line', async (code, words) => {
    const error = await errorOf(`\nawait ${code}`)
    expect([error.line, error.column]).toEqual([2, 7])
    expect(error.message).toContain(words)
  })

  test('an unknown option is named once and left out; options are copied when the call is made', async () => {
    const { messages, logs } = await runScript(`const schema = { type: 'string' }
const call = agent('a', { schema, weird: 1, model: undefined })
schema.type = 'number'
await call
await agent('b', { weird: 2, label: 'b' })`)
    const requests = messages.flatMap((message) => (message.t === 'call' ? [message.request] : []))
    expect(requests).toEqual([
      { prompt: 'a', schema: { type: 'string' } },
      { prompt: 'b', label: 'b' },
    ])
    expect(logs).toHaveLength(1)
    expect(logs[0]).toContain('knows no option "weird"')
  })
})
