import { expect, test } from 'vitest'
import type { OpenedChild } from '../../../main/engine/sandbox/protocol.ts'
import type { Json } from '../../../shared/json.ts'
import { prepared, runScript } from '../support/run-script.ts'

/** Runs a script whose `workflow('child')` gets this text. */
async function withChild(source: string, child: string, file = 'child.js') {
  const opened: OpenedChild = { script: await prepared(child, file) }
  return runScript(source, { answer: (prompt) => (prompt === 'undefined' ? (opened as unknown as Json) : prompt) })
}

test('a child has globals of its own and shares frozen built-ins only', async () => {
  const { value } = await withChild(
    `globalThis.leak = 1
const list = [1]
return [await workflow('child', { list }), typeof globalThis.fromChild, list]`,
    `globalThis.fromChild = 1
args.list.push(2)
return [typeof globalThis.leak, args.list, [].constructor === Array, typeof require, typeof Compartment]`,
  )
  expect(value).toEqual([['undefined', [1, 2], true, 'undefined', 'undefined'], 'undefined', [1]])
})

test('the place of an error is that in the file of the child, in messages, stacks and the log', async () => {
  const { value, logs } = await withChild(
    `try { await workflow('child') } catch (error) {
  return [error.message, error.cause.stack, error.stack]
}`,
    `await parallel([() => { throw new Error('in a thunk') }])
type T = string
throw new TypeError('here')`,
    'my child.ts',
  )
  expect(logs).toEqual([expect.stringMatching(/in a thunk \(my child\.ts:1:7\)$/)])
  const [message, childStack, ownStack] = value as [string, string, string]
  expect(message).toBe('The workflow “child” failed: TypeError: here (my child.ts:3:7)')
  expect(childStack).toMatch(/reprise-script-1:3:7/)
  expect(ownStack).toMatch(/at .*reprise-script:1:\d+/)
  expect(ownStack).not.toContain('reprise-script-1')
})

test('a child that waits for what can not happen is told with its place', async () => {
  const { error } = await withChild(`await workflow('child')`, `await agent('x')\nawait new Promise(() => {})`)
  expect(error).toMatchObject({ code: 'script-stuck' })
  expect(error?.message).toContain('(child.js:1:7)')
  expect(error?.line).toBeUndefined()
})

test('what a child returns has to be JSON; nothing is null', async () => {
  const told = `try { return await workflow('child') } catch (error) { return [error.code, error.message] }`
  expect((await withChild(told, 'return { f() {} }')).value).toEqual(['unserialisable', expect.stringContaining('`f` is a function')])
  expect((await withChild(told, 'agent')).value).toBe(null)
  expect((await withChild(told, `return new Date(0)`)).value).toBe('1970-01-01T00:00:00.000Z')
})

test('a child that fails and that nobody waits for leaves a warning', async () => {
  const { value, logs } = await withChild(
    `workflow('child')
await agent('a')
await agent('b')
return 1`,
    `throw new Error('unheard')`,
  )
  expect(value).toBe(1)
  expect(logs).toEqual([expect.stringContaining('nobody waited for it: Error: The workflow “child” failed: Error: unheard (child.js:1:7)')])
})

test('what a child throws in a microtask of its own fails the run with its file', async () => {
  const { error } = await withChild(
    `await workflow('child')\nawait agent('x')`,
    `queueMicrotask(() => { throw new Error('late') })\nawait agent('y')`,
  )
  expect(error).toMatchObject({ code: 'script-error', message: expect.stringMatching(/late \(child\.js:1:\d+\)$/) })
})
