import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readSecrets } from '../../main/agents/secret-file.ts'
import { AppSecrets } from '../../main/secrets.ts'

const store = vi.hoisted(() => ({ available: true, backend: 'gnome_libsecret' }))
vi.mock('electron', () => ({
  safeStorage: {
    isEncryptionAvailable: () => store.available,
    getSelectedStorageBackend: () => store.backend,
    encryptString: (text: string) => Buffer.from(`locked:${text.split('').reverse().join('')}`),
    decryptString: (bytes: Buffer) => {
      const text = bytes.toString()
      if (!text.startsWith('locked:')) throw new Error('not ours')
      return text.slice(7).split('').reverse().join('')
    },
  },
}))

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'reprise-secrets-'))
  Object.assign(store, { available: true, backend: 'gnome_libsecret' })
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

const fileText = () => readFileSync(join(data, 'app-secrets.json'), 'utf8')

test('a secret is encrypted on disk, read again after a restart, and told to those who run agents', async () => {
  const secrets = new AppSecrets(data)
  const told: unknown[] = []
  secrets.changed.on((values) => told.push(values))
  await secrets.change('local', 'KEY', 's3cret-value')
  expect(fileText()).not.toContain('s3cret-value')
  expect(new AppSecrets(data).values).toEqual({ local: { KEY: 's3cret-value' } })
  expect(told).toEqual([{ local: { KEY: 's3cret-value' } }])
  expect(await readSecrets(data)).toEqual({})
  await secrets.change('local', 'KEY', null)
  expect(new AppSecrets(data).values).toEqual({})
})

test('without a key store of the system the file of the command line holds it', async () => {
  for (const state of [{ available: false }, { available: true, backend: 'basic_text' }]) {
    Object.assign(store, state)
    const secrets = new AppSecrets(data)
    await secrets.change('local', 'KEY', 'value-1')
    expect(secrets.values).toEqual({})
    expect(await readSecrets(data)).toEqual({ local: { KEY: 'value-1' } })
  }
})

test('a secret that goes to the key store leaves no older one in the file', async () => {
  store.available = false
  await new AppSecrets(data).change('local', 'KEY', 'old-value')
  store.available = true
  await new AppSecrets(data).change('local', 'KEY', 'new-value')
  expect(await readSecrets(data)).toEqual({})
  expect(new AppSecrets(data).values).toEqual({ local: { KEY: 'new-value' } })
})
