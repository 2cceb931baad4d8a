import { describe, expect, test } from 'vitest'
import { commandWords } from '../../../main/engine/sandbox/command-words.ts'

describe('a command line without a shell', () => {
  test.each([
    ['npm test', ['npm', 'test']],
    ['  git   log  --format="%H %s" ', ['git', 'log', '--format=%H %s']],
    [`grep 'a "b"' "it's" c\\ d`, ['grep', 'a "b"', "it's", 'c d']],
    ['echo "" \'|\' ">"', ['echo', '', '|', '>']],
    ['printf "a\\nb" "\\"q\\""', ['printf', 'a\\nb', '"q"']],
    ['ls a|b 2>c', ['ls', 'a|b', '2>c']],
  ])('%s is split as a shell would', (line, words) => {
    expect(commandWords(line)).toEqual({ ok: true, words })
  })

  test.each(['a | b', 'a && b', 'a > file', 'a 2>&1', 'a ;', 'sleep 1 &'])('%s is refused with the way out', (line) => {
    expect(commandWords(line)).toEqual({ ok: false, problem: expect.stringContaining('shell: true') })
  })

  test.each(['', '   ', 'echo "open', "echo 'open", 'echo \\'])('%j is refused', (line) => {
    expect(commandWords(line).ok).toBe(false)
  })
})
