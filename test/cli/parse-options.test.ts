import { describe, expect, test } from 'vitest'
import { command } from '../../main/cli/command.ts'
import { parseInput } from '../../main/cli/parse-options.ts'

const sample = command({
  name: 'sample',
  purpose: 'Test',
  operands: { usage: '<run>', min: 1, max: 1, needs: 'a run' },
  options: {
    flag: { kind: 'flag', short: 'f', help: '' },
    text: { kind: 'text', value: 'T', help: '' },
    texts: { kind: 'texts', value: 'T', help: '' },
    count: { kind: 'count', value: 'N', help: '', min: 1, max: 16 },
    budget: { kind: 'count', value: 'N', help: '', min: 1, max: 1e12, scaled: true },
    money: { kind: 'money', value: 'USD', help: '' },
    choice: { kind: 'choice', help: '', choices: ['repeat', 'skip'] },
    choices: { kind: 'choices', value: 'S', help: '', choices: ['failed', 'paused'] },
  },
  examples: [],
  run: async () => 0,
})

const parse = (...argv: string[]) => parseInput(sample, argv)

test('what is not given is absent, false or empty', () => {
  const { operands, given } = parse('x')
  expect(operands).toEqual(['x'])
  expect(given).toMatchObject({ flag: false, texts: [], choices: [] })
  for (const name of ['text', 'count', 'budget', 'choice']) expect(given[name]).toBeUndefined()
})

test.each([
  [['x', '--flag'], { flag: true }],
  [['-f', 'x'], { flag: true }],
  [['x', '--text', 'a b'], { text: 'a b' }],
  [['x', '--text=--dashes'], { text: '--dashes' }],
  [['x', '--text', '-5'], { text: '-5' }],
  [['x', '--text', '-'], { text: '-' }],
  [['x', '--texts', 'a', '--texts', 'b'], { texts: ['a', 'b'] }],
  [['x', '--count', '16'], { count: 16 }],
  [['x', '--budget', '500k'], { budget: 500_000 }],
  [['x', '--budget', '1.5m'], { budget: 1_500_000 }],
  [['x', '--budget', '1_000'], { budget: 1_000 }],
  [['x', '--money', '2.50'], { money: 2.5 }],
  [['x', '--money', '$5'], { money: 5 }],
  [['x', '--choice', 'skip'], { choice: 'skip' }],
  [['x', '--choices', 'failed,paused'], { choices: ['failed', 'paused'] }],
])('%j', (argv, given) => {
  expect(parse(...argv).given).toMatchObject(given)
})

describe('each fault names the word and ends with the help to read', () => {
  test.each([
    [['x', '--nope'], '“reprise sample” has no option --nope.'],
    [['x', '--chioce', 'skip'], 'Did you mean --choice?'],
    [['x', '-z'], '“reprise sample” has no option -z.'],
    [['x', '--toString'], '“reprise sample” has no option --toString.'],
    [[], '“reprise sample” needs a run.'],
    [['x', 'y'], 'has no use for “y”'],
    [['x', '--text'], '--text needs a value: --text T.'],
    [['x', '--text='], '--text needs a value: --text T.'],
    [['x', '--text', ''], '--text needs a value: --text T.'],
    [['x', '--text', '--flag'], 'To pass “--flag” itself, write --text=--flag.'],
    [['x', '--text', 'a', '--text', 'b'], '--text is given twice.'],
    [['x', '--flag=yes'], '--flag takes no value.'],
    [['x', '--count', '0'], '--count takes a whole number from 1 to 16; got “0”.'],
    [['x', '--count', '17'], 'from 1 to 16'],
    [['x', '--count', '2k'], 'from 1 to 16'],
    [['x', '--count', '1.5'], 'from 1 to 16'],
    [['x', '--count', 'two'], 'got “two”'],
    [['x', '--budget', '-5'], 'such as 500000 or 500k; got “-5”'],
    [['x', '--budget', '0.0001k'], 'got “0.0001k”'],
    [['x', '--money', '0'], '--money takes an amount in US dollars above 0, such as 5 or 2.50; got “0”.'],
    [['x', '--money', '5€'], 'got “5€”'],
    [['x', '--money', '-5'], 'got “-5”'],
    [['x', '--choice', 'skpi'], 'Did you mean “skip”? Known: repeat, skip.'],
    [['x', '--choices', 'failed,nope'], '--choices knows no “nope”.'],
  ])('%j', (argv, message) => {
    expect(() => parse(...argv)).toThrow(message)
    expect(() => parse(...argv)).toThrow(/ See: reprise help sample$/)
  })
})

test('after -- a word that looks like an option is an operand', () => {
  expect(parse('--', '--x.ts').operands).toEqual(['--x.ts'])
})
