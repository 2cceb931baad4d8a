/** Rules of `phase()`, `log()`, `budget`, and of everything that has to come out the same on resume. */
import type { Rule } from './rule.ts'

export const progressRules: Rule[] = [
  {
    rule: 'a call belongs to the phase that is current when it is made',
    script: "await agent('none')\nphase('One')\nconst call = agent('one')\nphase('Two')\nawait agent('two')\nawait call",
    phases: [null, 'One', 'Two'],
  },
  {
    rule: 'the option phase wins over the current one and does not change it',
    script: "phase('One')\nawait agent('a', { phase: 'Other' })\nawait agent('b')",
    phases: ['Other', 'One'],
  },
  { rule: 'a phase is text, whatever it is given', script: "phase(7)\nawait agent('a')", phases: ['7'] },
  {
    rule: 'log takes any values and joins them with spaces',
    script: "log('a', 1, { b: [2] }, null, undefined, new Error('e'), 3n)\nlog()",
    logs: ['a 1 {"b":[2]} null undefined Error: e 3', ''],
  },
  {
    rule: 'logging what can not be written does not fail',
    script: 'const a = {}\na.me = a\nlog(a)\nreturn 1',
    value: 1,
    logs: ['[object Object]'],
  },
  {
    rule: 'console is the log',
    script: "console.log('a'); console.error('b'); console.table([1]); console.time('x')",
    logs: ['a', 'b', '[1]'],
  },
]

/** Each answer costs 10 output tokens. */
export const budgetRules: Rule[] = [
  {
    rule: 'without a limit total is null and remaining is endless',
    script: "await agent('a')\nreturn [budget.total, budget.remaining() === Infinity, budget.spent()]",
    value: [null, true, 10],
  },
  {
    rule: 'spent counts what was delivered, not what is under way',
    script:
      "const both = [agent('a'), agent('b')]\nconst before = budget.spent()\nawait both[0]\nconst between = budget.spent()\nawait both[1]\nreturn [before, between, budget.spent()]",
    value: [0, 10, 20],
  },
  {
    rule: 'remaining is what total leaves, and never below zero',
    script: "await agent('a')\nconst first = budget.remaining()\nawait agent('b')\nreturn [budget.total, first, budget.remaining()]",
    given: { budget: 15 },
    value: [15, 5, 0],
  },
]

export const chanceRules: Rule[] = [
  ...['Date.now()', 'new Date()', 'Date()', 'Math.random()', 'performance.now()', 'crypto.randomUUID()'].map(
    (code): Rule => ({
      rule: `${code} throws and names the way out`,
      script: `\nreturn ${code}`,
      error: { code: 'not-deterministic', line: 2 },
    }),
  ),
  {
    rule: 'now() is the start, then the time of the result last delivered',
    script: "const start = now()\nawait agent('a')\nreturn [start, now(), now()]",
    value: [1000, 1001, 1001],
  },
  { rule: 'a date with a value works, and local time is UTC', script: "return new Date('2026-03-29T02:30:00').getHours()", value: 2 },
  {
    rule: 'random() and uuid() come from the seed of the run and start no call',
    script: 'const n = random()\nreturn [n >= 0 && n < 1, random() !== n, /^[0-9a-f-]{36}$/.test(uuid())]',
    value: [true, true, true],
    calls: [],
  },
  {
    rule: 'there is no world outside',
    script: "return ['process', 'require', 'fetch', 'setTimeout', 'Intl', 'WeakRef', 'Buffer'].filter((name) => name in globalThis)",
    value: [],
  },
  {
    rule: 'what is pure of the web exists',
    script:
      "return [typeof structuredClone, new URL('a', 'http://x/').href, atob(btoa('é'.normalize('NFC').length + '')), new TextEncoder().encode('é').length]",
    value: ['function', 'http://x/a', '1', 2],
  },
  {
    rule: 'built-ins are frozen, own objects are not',
    script:
      'const own = { toString: 1, constructor: 2 }\nown.constructor = 3\ntry { Array.prototype.last = 1 } catch (error) { return [own.constructor, error instanceof TypeError] }',
    value: [3, true],
  },
  { rule: 'names of hooks are free for own variables', script: 'const budget = 3\nlet phase = 4\nreturn budget + phase', value: 7 },
]
