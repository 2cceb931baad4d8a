import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dataFolder } from '../../main/store/data-folder.ts'
import { TrustStore } from '../../main/store/trust-store.ts'
import { tempFolder } from './run-fixtures.ts'

test('a text is trusted by its hash, from the moment a person said so, in every process', () => {
  const folder = join(tempFolder(), 'not there yet')
  const store = new TrustStore(folder)
  expect(store.isTrusted('aa')).toBe(false)
  store.trust('aa', '/p/review.ts', 5)
  expect([store.isTrusted('aa'), new TrustStore(folder).isTrusted('aa'), store.isTrusted('ab'), store.isTrusted('constructor')]).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(JSON.parse(readFileSync(join(folder, 'trust.json'), 'utf8'))).toEqual({
    schemaVersion: 1,
    texts: { aa: { path: '/p/review.ts', at: 5 } },
  })
})

test('what another process trusted meanwhile is kept', () => {
  const folder = tempFolder()
  const [one, two] = [new TrustStore(folder), new TrustStore(folder)]
  one.trust('aa', 'a')
  two.trust('bb', 'b')
  one.trust('cc', 'c')
  expect(['aa', 'bb', 'cc'].map((sha) => two.isTrusted(sha))).toEqual([true, true, true])
})

test('a damaged file trusts nothing and is set aside, not overwritten', () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'trust.json'), '{"schemaVersion":1,"texts":{"aa"')
  const store = new TrustStore(folder)
  expect(store.isTrusted('aa')).toBe(false)
  store.trust('bb', 'b', 0)
  expect(store.isTrusted('bb')).toBe(true)
  expect(readdirSync(folder).sort()).toEqual(['trust.json', 'trust.json.corrupt-1970-01-01T00-00-00.000Z'])
})

test('a file of a newer version is read but not rewritten', () => {
  const folder = tempFolder()
  const text = '{"schemaVersion":2,"texts":{"aa":{"path":"a","at":1}},"more":1}'
  writeFileSync(join(folder, 'trust.json'), text)
  const store = new TrustStore(folder)
  expect(store.isTrusted('aa')).toBe(true)
  expect(() => store.trust('bb', 'b')).toThrow('newer version')
  expect(readFileSync(join(folder, 'trust.json'), 'utf8')).toBe(text)
})

test('the app’s own data lies where each system keeps it, or where REPRISE_HOME says', () => {
  expect(dataFolder({ REPRISE_HOME: '/x' }, 'linux', '/home/u')).toBe('/x')
  expect(dataFolder({}, 'linux', '/home/u')).toBe('/home/u/.config/Reprise')
  expect(dataFolder({ XDG_CONFIG_HOME: '/c' }, 'linux', '/home/u')).toBe('/c/Reprise')
  expect(dataFolder({}, 'darwin', '/Users/u')).toBe('/Users/u/Library/Application Support/Reprise')
  expect(dataFolder({ APPDATA: '/roaming' }, 'win32', '/u')).toBe('/roaming/Reprise')
})
