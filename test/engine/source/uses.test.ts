import { expect, test } from 'vitest'
import { checkScript } from '../../../main/engine/source/check-script.ts'

const usesOf = async (source: string, file = 'script.js') => (await checkScript(source, file)).uses

test('hooks are listed in the order of their first mention; words in prompts are none', async () => {
  expect((await usesOf('log(1)\nawait agent("check this, then gate()")\nlog(2)\nreturn budget.spent()')).hooks).toEqual([
    'log',
    'agent',
    'budget',
  ])
  expect((await usesOf('const log = 1; return log')).hooks).toEqual([])
})

test('literal agent types and models have the place of the text', async () => {
  const uses = await usesOf(`const strong = 'opus'
await agent('a', { agentType: 'reviewer', model: strong })
await agent('b', { agentType: args.deep ? 'Explore' : \`Plan\`, model: args.model })`)
  expect(uses.agentTypes).toEqual([
    { name: 'reviewer', line: 2, column: 31 },
    { name: 'Explore', line: 3, column: 43 },
    { name: 'Plan', line: 3, column: 55 },
  ])
  expect(uses.models).toEqual([{ name: 'opus', line: 1, column: 16 }])
  expect(uses.defaultAgent).toBe(false)
})

test('options behind a const and in a spread are seen', async () => {
  const uses = await usesOf(`const base = { agentType: 'fixer', isolation: 'worktree' }
const more = { ...base, label: 'x' }
await agent('a', more)
await agent('b', { agentType: 'first', ...base, agentType: 'second' })`)
  expect(uses.agentTypes.map(({ name }) => name)).toEqual(['fixer', 'second'])
  expect([uses.worktrees, uses.defaultAgent]).toEqual([true, false])
})

test.each([
  ['agent("x")', true],
  ['agent("x", { label: "y" })', true],
  ['agent("x", { agentType: args.type })', true],
  ['agent("x", { agentType: args.type ?? "Plan" })', true],
  ['agent("x", args.options)', true],
  ['agent("x", { ...args.options, agentType: "Plan" })', true],
  ['agent(...args.list)', true],
  ['args.list.map(agent)', true],
  ['agent("x", { agentType: "Plan" })', false],
  ['return 1', false],
])('%j may reach the default agent: %s', async (source, expected) => {
  expect((await usesOf(source)).defaultAgent).toBe(expected)
})

test.each([
  ['agent("x", { isolation: "worktree" })', true],
  ['agent("x", { isolation: args.isolation })', true],
  ['agent("x", { isolation: "none" })', false],
  ['agent("x", { label: "worktree" })', false],
])('%j wants a worktree: %s', async (source, expected) => {
  expect((await usesOf(source)).worktrees).toBe(expected)
})

test.each([
  ['await check("npm test")', true],
  ['const run = check; await run("npm test")', true],
  ['await globalThis["che" + "ck"]("npm test")', true],
  ['await gate("Go on?")', false],
  ['return "check()"', false],
])('%j runs commands: %s', async (source, expected) => {
  expect((await usesOf(source)).checks).toBe(expected)
})

test('places in a TypeScript file are those of the file, enums before them or not', async () => {
  const source = 'enum E { A, B } agent("x" as string, { agentType: "Plan" as const, model: "opus" } satisfies Options)'
  expect(await usesOf(source, 'script.ts')).toMatchObject({
    agentTypes: [{ name: 'Plan', line: 1, column: source.indexOf('"Plan"') + 1 }],
    models: [{ name: 'opus', line: 1, column: source.indexOf('"opus"') + 1 }],
  })
})

test('workflows called by a literal name or path are seen, computed ones are not', async () => {
  const uses = await usesOf(`const name = 'lint'
await workflow(name)
await workflow(args.deep ? 'deep' : 'flat', { workflow: 'no' })
await workflow({ scriptPath: 'parts/one.js' }, 1)
await workflow(args.name)
await workflow(...args.list)
await args.list.map(workflow)
await workflow()`)
  expect(uses.children).toEqual([
    { name: 'lint', isPath: false, line: 1, column: 14 },
    { name: 'deep', isPath: false, line: 3, column: 28 },
    { name: 'flat', isPath: false, line: 3, column: 37 },
    { name: 'parts/one.js', isPath: true, line: 4, column: 30 },
  ])
  expect(uses.hooks).toContain('workflow')
  expect((await usesOf("const workflow = () => 1; workflow('x')")).children).toEqual([])
})
