/** Rules of `args` and of what a script returns or throws. */
import type { Rule } from './rule.ts'

export const inputRules: Rule[] = [
  { rule: 'missing input is undefined', script: 'return args === undefined', value: true },
  { rule: 'input null is null', script: 'return args === null', given: { args: null }, value: true },
  {
    rule: 'text input stays text, even when it looks like JSON',
    script: 'return [typeof args, args]',
    given: { args: '{"a":1}' },
    value: ['string', '{"a":1}'],
  },
  { rule: 'object input is an object', script: 'return args.list[1]', given: { args: { list: [1, 2] } }, value: 2 },
  { rule: 'number and list are input too', script: 'return Array.isArray(args) && args[0] === 7', given: { args: [7] }, value: true },
  {
    rule: 'input is a private copy that the script may change',
    script: 'args.list.push(3)\nargs.extra = true\nreturn args',
    given: { args: { list: [1] } },
    value: { list: [1, 3], extra: true },
  },
]

export const resultRules: Rule[] = [
  {
    rule: 'return gives the value of the run',
    script: 'return { ok: true, list: [1, "a", null] }',
    value: { ok: true, list: [1, 'a', null] },
  },
  { rule: 'an early return ends the run there', script: "if (true) return 'early'\nawait agent('x')", value: 'early', calls: [] },
  { rule: 'export default as the last statement is the value', script: "export default await agent('x')", value: 'x' },
  { rule: 'a script without a return gives null', script: "await agent('x')", value: null },
  { rule: 'an empty script completes', script: '', value: null, calls: [] },
  { rule: 'a returned promise is waited for', script: "return agent('x')", value: 'x' },
  { rule: 'dates and objects with toJSON speak for themselves', script: 'return new Date(0)', value: '1970-01-01T00:00:00.000Z' },
  { rule: 'a member that is undefined is left out', script: 'return { a: undefined, b: 1 }', value: { b: 1 } },
  {
    rule: 'a Map is no result, and the error names what to write',
    script: 'return { seen: new Map() }',
    error: { code: 'unserialisable', says: '`seen` is a Map' },
  },
  {
    rule: 'a promise inside the result is named with its path',
    script: "return { list: [agent('x')] }",
    error: { code: 'unserialisable', says: '`list[0]` is a promise. Await it first.' },
  },
  { rule: 'a function or BigInt is no result', script: 'return { n: 5n }', error: { code: 'unserialisable', says: '`n` is a BigInt' } },
  {
    rule: 'a result that refers to itself is named as such',
    script: 'const a = {}\na.me = a\nreturn a',
    error: { code: 'unserialisable', says: 'refers to itself' },
  },
  {
    rule: 'an error that nobody catches fails the run at its line and column',
    script: "await agent('a')\n  throw new TypeError('no good')",
    error: { code: 'script-error', line: 2, column: 9, says: 'TypeError: no good' },
    calls: ['a'],
  },
  {
    rule: 'a thrown text fails the run with that text',
    script: "throw 'no error object'",
    error: { code: 'script-error', says: '"no error object"' },
  },
  { rule: 'a thrown object fails the run with its JSON', script: 'throw { code: 7 }', error: { code: 'script-error', says: '{"code":7}' } },
  { rule: 'nothing thrown at all still fails the run', script: 'throw undefined', error: { code: 'script-error', says: 'undefined' } },
  {
    rule: 'an own error class and own codes stay the own ones',
    script:
      "class Mine extends Error {}\ntry { throw Object.assign(new Mine('m'), { code: 'call-limit' }) } catch (error) { return [error instanceof Mine, error.code] }",
    value: [true, 'call-limit'],
  },
  {
    rule: 'a rejection that nobody waits for is a warning, not the end',
    script: "Promise.reject(new Error('lost'))\nreturn 1",
    value: 1,
    logs: ['nobody waited for it: Error: lost'],
  },
  {
    rule: 'waiting for what can not happen is named at once, with the line of the last hook',
    script: "await agent('a')\nawait new Promise(() => {})",
    error: { code: 'script-stuck', line: 1, says: 'It last called `agent` at line 1.' },
  },
  {
    rule: 'TypeScript runs as it stands, and lines stay where they are',
    script: "interface Note { text: string }\nconst notes: Note[] = [{ text: 'a' }]\nthrow new Error(notes[0]!.text satisfies string)",
    given: { file: 'script.ts' },
    error: { code: 'script-error', line: 3, says: 'Error: a' },
  },
]
