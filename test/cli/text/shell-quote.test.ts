import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { shellQuote } from '../../../main/cli/text/shell-quote.ts'

test.runIf(process.platform !== 'win32')('a shell passes on exactly the word that was quoted', () => {
  for (const word of ['plain', 'a b', "it's", '{"a":"b"}', '$HOME `x` \\', '#47', '*', 'ü', 'two\nlines', '']) {
    const out = execFileSync('sh', ['-c', `printf %s ${shellQuote(word, 'linux')}`], { encoding: 'utf8' })
    expect(out).toBe(word)
  }
})

test('a plain word stays as it is', () => {
  expect(shellQuote('01JQ-x_y.z/a', 'linux')).toBe('01JQ-x_y.z/a')
  expect(shellQuote('C:\\x', 'win32')).toBe('C:\\x')
  expect(shellQuote('{"a":1}', 'win32')).toBe('"{\\"a\\":1}"')
})
