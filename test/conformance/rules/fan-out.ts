/** Rules of `parallel()` and `pipeline()`: order, barriers, what becomes null, what is refused. */
import type { Rule } from './rule.ts'

export const fanOutRules: Rule[] = [
  {
    rule: 'parallel gives results in the order of its functions, whoever finished first',
    script: `return await parallel([
  async () => { await agent('a1'); return agent('a2') },
  () => agent('b'),
  () => 'no agent at all',
])`,
    value: ['a2', 'b', 'no agent at all'],
    calls: ['a1', 'b', 'a2'],
  },
  {
    rule: 'parallel is a barrier: nothing after it starts before all are done',
    script: "await parallel([() => agent('a'), async () => { await agent('b'); await agent('b2') }])\nawait agent('after')",
    calls: ['a', 'b', 'b2', 'after'],
  },
  {
    rule: 'a function that throws is one null and one warning with the reason',
    script: "return await parallel([() => { throw new RangeError('too far') }, () => agent('b')])",
    value: [null, 'b'],
    logs: ['parallel item 0 failed: RangeError: too far'],
  },
  {
    rule: 'a function that rejects later is one null, the others go on',
    script: "return await parallel([async () => { await agent('a'); throw 'bad' }, () => agent('b')])",
    value: [null, 'b'],
    logs: ['parallel item 0 failed: bad'],
  },
  {
    rule: 'null of a dead agent is no failure of its item: no warning',
    script: "return await parallel([() => agent('gone')])",
    answers: { gone: null },
    value: [null],
    logs: [],
  },
  { rule: 'a function that gives nothing gives null once the value is saved', script: 'return await parallel([() => {}])', value: [null] },
  { rule: 'an empty list gives an empty list', script: 'return [await parallel([]), await pipeline([], (x) => x)]', value: [[], []] },
  {
    rule: 'a promise where a function belongs is refused before anything of the list starts',
    script: "await parallel([() => agent('a'), 5])",
    error: { code: 'bad-call', line: 1, says: 'item 1 is a number: write () => agent(…) instead of agent(…)' },
    calls: [],
  },
  {
    rule: 'a hole in the list is refused as well',
    script: "await parallel([() => agent('a'), , () => agent('c')])",
    error: { code: 'bad-call', says: 'item 1 is undefined' },
    calls: [],
  },
  {
    rule: 'something else than a list is refused',
    script: "await parallel({ a: () => agent('a') })",
    error: { code: 'bad-call', says: 'wants an array of functions, it got an object' },
  },
  {
    rule: 'more than 4,096 items end the run before one starts, caught or not',
    script: "try { await parallel(Array.from({ length: 4097 }, () => () => agent('x'))) } catch {}\nreturn 1",
    error: { code: 'too-many-items', says: 'at most 4,096 items, it got 4,097' },
    calls: [],
  },
  {
    rule: '4,096 items are not too many',
    script: 'return (await pipeline(Array.from({ length: 4096 }, (_, i) => i), (n) => n + 1)).at(-1)',
    value: 4096,
  },
  {
    rule: 'pipeline hands each stage what came before, the item and its index',
    script: "return await pipeline(['a', 'b'], (previous, item, i) => [previous, item, i], (previous, item, i) => [...previous, item, i])",
    value: [
      ['a', 'a', 0, 'a', 0],
      ['b', 'b', 1, 'b', 1],
    ],
  },
  {
    rule: 'pipeline has no barrier: an item goes on while another still waits',
    script: "return await pipeline(['a', 'b'], (x) => agent(x + '1'), (x) => agent(x + '2'))",
    calls: ['a1', 'b1', 'a12', 'b12'],
    value: ['a12', 'b12'],
  },
  {
    rule: 'pipeline hands a null on to the next stage',
    script: "return await pipeline(['gone'], (x) => agent(x), (previous, item) => `${item} gave ${previous}`)",
    answers: { gone: null },
    value: ['gone gave null'],
  },
  {
    rule: 'a stage that throws drops its item and skips its later stages, the others go on',
    script: `return await pipeline([1, 2],
  (n) => { if (n === 1) throw new Error('one'); return n },
  (n) => agent('stage ' + n))`,
    value: [null, 'stage 2'],
    calls: ['stage 2'],
    logs: ['pipeline item 0 failed: Error: one'],
  },
  { rule: 'pipeline without stages gives its items', script: "return await pipeline(['a', null])", value: ['a', null] },
  {
    rule: 'pipeline without a list is refused',
    script: "await pipeline('abc', (x) => agent(x))",
    error: { code: 'bad-call', says: 'wants an array of items first, it got a string' },
    calls: [],
  },
  {
    rule: 'a stage that is no function is refused before anything starts',
    script: "await pipeline(['a'], (x) => agent(x), null)",
    error: { code: 'bad-call', says: 'stage 2 is null' },
    calls: [],
  },
  {
    rule: 'fan-outs may be nested',
    script: "return await parallel([1, 2].map((n) => () => pipeline(['x', 'y'], (item) => agent(item + n))))",
    value: [
      ['x1', 'y1'],
      ['x2', 'y2'],
    ],
  },
  {
    rule: "Promise.all, race and any are ordinary JavaScript: a rejection is the script's own",
    script: "return await Promise.all([agent('a'), Promise.reject(new Error('mine'))]).catch((error) => error.message)",
    value: 'mine',
  },
  {
    rule: 'the winner of a race is the result that was recorded first',
    script: "return await Promise.race([agent('first'), agent('second')])",
    value: 'first',
  },
  {
    rule: 'a limit reached inside parallel is not swallowed as a null',
    script: "return await parallel([() => agent('a'), () => agent('b')])",
    given: { maxAgents: 1 },
    error: { code: 'call-limit' },
  },
]
