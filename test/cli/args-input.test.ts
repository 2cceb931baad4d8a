import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readArgs } from '../../main/cli/args-input.ts'
import { fakeIo } from './fake-io.ts'
import { temporaryFolder } from './temporary-folder.ts'

const none = { args: undefined, 'args-file': undefined, arg: [] }
const json = (args: string) => readArgs({ ...none, args }, fakeIo().io)
const pairs = (...arg: string[]) => readArgs({ ...none, arg }, fakeIo().io)

test('nothing given is no args at all, not null and not an empty object', async () => {
  expect(await readArgs(none, fakeIo().io)).toEqual({})
})

test.each([
  ['{"a":[1]}', { a: [1] }],
  ['[]', []],
  ['7', 7],
  ['null', null],
  ['"GO"', 'GO'],
  ['"{\\"a\\":1}"', '{"a":1}'],
  ['""', ''],
])('--args %s arrives with its type', async (text, value) => {
  expect(await json(text)).toEqual({ args: value })
})

test.each([
  ['GO', 'position 1 (line 1, column 1), found "GO"', `--args '"GO"'`],
  ['{"a": }', 'position 7', `--args '{"label":"bug"}'`],
  ["{'a':1}", 'a name in double quotes or } is expected at position 2', `--args '{"label":"bug"}'`],
  ['{"a":1', 'a comma or } is expected at position 7 (line 1, column 7), it ends there', '--arg label=bug'],
  ['{\n  a: 1}', 'position 5 (line 2, column 3)', '--arg label=bug'],
  ['', 'a value is expected at position 1', '--arg label=bug'],
  ['[1,]', 'a value is expected at position 4', '--arg label=bug'],
  ['1 2', 'the end is expected at position 3', '--args'],
])('--args %j is refused with the place and an example', async (text, place, example) => {
  const refusal = await json(text).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'bad-args', message: expect.stringContaining(place) })
  expect((refusal as Error).message).toContain(example)
})

test('--arg values are numbers, booleans, null, lists and objects where they read as such, else text', async () => {
  const given = await pairs(
    'n=7',
    'f=-1.5',
    'b=true',
    'z=null',
    'l=[1]',
    'o={"a":1}',
    't=bug',
    'e=',
    'q="GO"',
    'eq=a=b',
    'j={broken',
    'v=1.2.3',
    'id=12345678901234567890',
  )
  expect(given).toEqual({
    args: {
      n: 7,
      f: -1.5,
      b: true,
      z: null,
      l: [1],
      o: { a: 1 },
      t: 'bug',
      e: '',
      q: '"GO"',
      eq: 'a=b',
      j: '{broken',
      v: '1.2.3',
      id: '12345678901234567890',
    },
  })
})

test('--arg __proto__ is a member like any other', async () => {
  const { args } = await pairs('__proto__=1')
  expect(Object.keys(args as object)).toEqual(['__proto__'])
})

test.each([['label'], ['=bug'], ['']])('--arg %j is refused', async (pair) => {
  await expect(pairs(pair)).rejects.toMatchObject({ code: 'bad-args', message: expect.stringContaining('--arg label=bug') })
})

test('the same --arg twice is refused with the way to write a list', async () => {
  await expect(pairs('a=1', 'a=2')).rejects.toMatchObject({ code: 'bad-args', message: expect.stringContaining(`'a=["a","b"]'`) })
})

test('two ways to give the input exclude each other', async () => {
  const io = fakeIo().io
  await expect(readArgs({ args: '1', 'args-file': undefined, arg: ['a=1'] }, io)).rejects.toMatchObject({
    code: 'usage',
    message: 'Give the input in one way: --args and --arg exclude each other.',
  })
  await expect(readArgs({ args: '1', 'args-file': 'x', arg: [] }, io)).rejects.toMatchObject({ code: 'usage' })
})

test('--args-file reads a file from the current folder, with or without a byte order mark', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'in.json'), '\ufeff{"a":1}')
  writeFileSync(join(cwd, 'bad.json'), '{"a":1,\n}')
  const { io } = fakeIo({ cwd })
  expect(await readArgs({ ...none, 'args-file': 'in.json' }, io)).toEqual({ args: { a: 1 } })
  await expect(readArgs({ ...none, 'args-file': 'bad.json' }, io)).rejects.toMatchObject({ code: 'bad-args', line: 2, column: 1 })
  await expect(readArgs({ ...none, 'args-file': 'no.json' }, io)).rejects.toMatchObject({ code: 'file-missing' })
  await expect(readArgs({ ...none, 'args-file': '.' }, io)).rejects.toMatchObject({ code: 'file-unreadable' })
})

test('--args-file - reads stdin', async () => {
  expect(await readArgs({ ...none, 'args-file': '-' }, fakeIo({ stdin: '[1,2]' }).io)).toEqual({ args: [1, 2] })
})
