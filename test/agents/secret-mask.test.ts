import { expect, test } from 'vitest'
import { SecretMask, secretsIn } from '../../main/agents/secret-mask.ts'

test('a secret is shown by its name, wherever it stands', () => {
  const mask = new SecretMask({ KEY: 'sk-123456', LONGER: 'sk-123456-789' })
  expect(mask.text('key sk-123456, and sk-123456-789.')).toBe('key [KEY], and [LONGER].')
  expect(mask.json({ a: ['sk-123456', 1, null], 'sk-123456': true })).toEqual({ a: ['[KEY]', 1, null], '[KEY]': true })
})

test('a value too short to be a secret blots out nothing', () => {
  expect(new SecretMask({ KEY: 'a' }).text('banana')).toBe('banana')
})

test('variables are secrets by their name', () => {
  expect(secretsIn({ OPENAI_API_KEY: 'a', GITHUB_TOKEN: 'b', HOME: '/h', DB_PASSWORD: 'c' })).toEqual({
    ...{ OPENAI_API_KEY: 'a', GITHUB_TOKEN: 'b', DB_PASSWORD: 'c' },
  })
})
