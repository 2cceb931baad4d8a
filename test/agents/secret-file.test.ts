import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changeSecret, readSecrets, secretFile } from '../../main/agents/secret-file.ts'
import { temporaryFolder } from './process-fixture.ts'

test('a secret is kept in a file that its user alone can read, whatever mode the file had', async () => {
  const data = join(temporaryFolder(), 'data')
  await changeSecret(data, 'local', 'KEY', 'one')
  writeFileSync(secretFile(data), JSON.stringify({ schemaVersion: 1, secrets: await readSecrets(data) }), { mode: 0o644 })
  await changeSecret(data, 'local', 'OTHER', 'two')
  expect(await readSecrets(data)).toEqual({ local: { KEY: 'one', OTHER: 'two' } })
  expect(statSync(secretFile(data)).mode & 0o777).toBe(0o600)
})

test('a secret that is forgotten is gone, and its profile with the last one', async () => {
  const data = temporaryFolder()
  await changeSecret(data, 'a', 'KEY', 'one')
  await changeSecret(data, 'b', 'KEY', 'two')
  await changeSecret(data, 'a', 'KEY', null)
  await changeSecret(data, 'nobody', 'KEY', null)
  expect(await readSecrets(data)).toEqual({ b: { KEY: 'two' } })
})

test('a damaged file is an error with its name, never an agent without its key', async () => {
  const data = temporaryFolder()
  writeFileSync(secretFile(data), '{')
  await expect(readSecrets(data)).rejects.toMatchObject({ code: 'profile-invalid', message: expect.stringContaining(secretFile(data)) })
})
