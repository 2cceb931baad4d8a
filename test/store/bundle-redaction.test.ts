import { expect, test } from 'vitest'
import { createRedactor } from '../../main/store/bundle-redaction.ts'

const plain = createRedactor({})

test.each([
  ['sk-ant-api03-abcdefghijklmnop'],
  ['ghp_abcdefghijklmnopqrstuvwxyz0123456789'],
  ['github_pat_11ABCDEFG0abcdefghijklmnop'],
  ['glpat-abcdefghijklmnopqrst'],
  ['xoxb-1234567890-abcdef'],
  ['AKIAABCDEFGHIJKLMNOP'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----'],
])('%j is a token wherever it stands', (token) => {
  expect(plain.text(`before ${token} after`)).toBe('before [redacted] after')
})

test('what stands around a secret stays', () => {
  expect(plain.text('Authorization: Bearer abcdefghijklmnop1234')).toBe('Authorization: Bearer [redacted]')
  expect(plain.text('postgres://app:s3cr3t@db.example/main')).toBe('postgres://app:[redacted]@db.example/main')
  expect(plain.text(`const password = "correct-horse"`)).toBe('const password = "[redacted]"')
})

test('plain words, paths and sums stay as they are', () => {
  const text = `read src/token.ts, key by key: task-list, ${'ab12'.repeat(16)}, const token = process.env.TOKEN`
  expect(plain.text(text)).toBe(text)
})

test('values of variables whose names tell of a secret are taken out, also as they stand in JSON and in a URL', () => {
  const { text } = createRedactor({
    OPENAI_API_KEY: 'a "quoted" key',
    PGPASSWORD: 'p@ss/word',
    HOME: '/home/somebody',
    EDITOR: 'some-editor',
  })
  expect(text('a "quoted" key')).toBe('[redacted]')
  expect(text(JSON.stringify('a "quoted" key'))).toBe('"[redacted]"')
  expect(text('?p=p%40ss%2Fword')).toBe('?p=[redacted]')
  expect(text('/home/somebody with some-editor')).toBe('/home/somebody with some-editor')
})

test('a text that was cut inside a secret keeps no part of it', () => {
  const { text } = createRedactor({ A_TOKEN: 'zebra-zebra-zebra' })
  expect(text('it says zebra-zeb…')).toBe('it says [redacted]…')
  expect(text('it says sk-abc…')).toBe('it says [redacted]…')
})

test('members that are named like a secret lose their words, fingerprints keep theirs', () => {
  const { value } = createRedactor({ A_TOKEN: 'f'.repeat(64) })
  expect(value({ fp: 'f'.repeat(64), apiKey: 'abc', deep: [{ db_password: 'x', outputTokens: 7 }], other: 'f'.repeat(64) })).toEqual({
    fp: 'f'.repeat(64),
    apiKey: '[redacted]',
    deep: [{ db_password: '[redacted]', outputTokens: 7 }],
    other: '[redacted]',
  })
})

test('what refers to a redacted file refers to what is left of it', () => {
  const redactor = createRedactor({})
  redactor.rename('a'.repeat(64), { sha256: 'b'.repeat(64), bytes: 3 })
  expect(redactor.value({ blob: { sha256: 'a'.repeat(64), bytes: 9, type: 'application/json' }, script: 'a'.repeat(64) })).toEqual({
    blob: { sha256: 'b'.repeat(64), bytes: 3, type: 'application/json' },
    script: 'b'.repeat(64),
  })
})
