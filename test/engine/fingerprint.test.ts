import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { agentFingerprint, fingerprint } from '../../main/engine/fingerprint.ts'
import { canonicalJson } from '../../shared/json.ts'

describe('two agent calls are the same', () => {
  const asked = { prompt: 'p', schema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } }, model: 'haiku' }

  test('with their keys in another order at any depth, and other labels, phases, timeouts and retries (R32)', () => {
    const other = { model: 'haiku', schema: { properties: { b: { type: 'number' }, a: { type: 'string' } }, type: 'object' }, prompt: 'p' }
    expect(agentFingerprint({ ...other, label: 'l', phase: 'x', timeoutMs: 5, retries: 1 })).toBe(agentFingerprint(asked))
    expect(agentFingerprint({ ...asked, effort: undefined })).toBe(agentFingerprint(asked))
  })

  test('and not with another prompt, schema, model, effort, agent type, isolation, tools or size of answer', () => {
    const others = [
      { prompt: 'P' },
      { schema: { type: 'object' } },
      { model: 'opus' },
      { effort: 'high' },
      { agentType: 'Plan' },
      { isolation: 'worktree' },
      { allowedTools: ['a', 'b'] },
      { allowedTools: ['b', 'a'] },
      { maxTokens: 5 },
    ]
    const prints = [asked, ...others.map((other) => ({ ...asked, ...other }))].map(agentFingerprint)
    expect(new Set(prints).size).toBe(prints.length)
    expect(fingerprint('check', { prompt: 'p' })).not.toBe(fingerprint('agent', { prompt: 'p' }))
  })

  test('prompts that differ by one lone surrogate are two', () => {
    expect(agentFingerprint({ prompt: '\ud800' })).not.toBe(agentFingerprint({ prompt: '\ud801' }))
  })

  test('the hash is the one that journals hold', () => {
    expect(agentFingerprint({ prompt: 'hello', model: 'opus' })).toBe('dd6e03b196c9980af750eaba7e420639b9daf7f09f1929e76a6b04be942a7bd6')
  })
})

describe('canonical JSON', () => {
  test('reads back as the same value, and is the same text for the same value in any order', () => {
    const shuffled = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(shuffled)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([key, member]) => [key, shuffled(member)]),
            )
          : value
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(shuffled(value))).toBe(text)
      }),
    )
  })

  test('sorts keys by UTF-16 code units, leaves out undefined, and escapes lone surrogates', () => {
    expect(canonicalJson({ b: 1, a: undefined, é: 2, '🙂': 3, '\ufb33': 4, 10: 5, 9: 6 })).toBe(
      '{"10":5,"9":6,"b":1,"é":2,"🙂":3,"\ufb33":4}',
    )
    expect(canonicalJson(['\ud800', undefined, Number.NaN])).toBe('["\\ud800",null,null]')
    expect(canonicalJson(JSON.parse('{"__proto__":1,"constructor":2}'))).toBe('{"__proto__":1,"constructor":2}')
  })
})
