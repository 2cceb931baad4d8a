import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileOfUrl } from '../../main/page-file.ts'

const FOLDER = '/app/out/renderer'

test('the page and its parts are found by their address', () => {
  expect(fileOfUrl('app://reprise/', FOLDER)).toBe(join(FOLDER, 'index.html'))
  expect(fileOfUrl('app://reprise/assets/a%20b.js?x#y', FOLDER)).toBe(join(FOLDER, 'assets/a b.js'))
})

test.each([
  'app://other/index.html',
  'app://reprise/%2e%2e%2fmain.js',
  'app://reprise/..%2f..%2fetc/passwd',
  'app://reprise/a%00b',
  'app://reprise/%',
  'app://reprise/..%2frenderer-evil/x.js',
])('%s is no file of the page', (url) => {
  expect(fileOfUrl(url, FOLDER)).toBeNull()
})

test('no path leads out of the folder', () => {
  const part = fc.oneof(fc.constantFrom('..', '.', '%2e%2e', '%2f', '%5c', '..%2f', '//', '%00'), fc.string())
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      let url: string
      try {
        url = new URL(`app://reprise/${parts.join('/')}`).href
      } catch {
        return true
      }
      const file = fileOfUrl(url, FOLDER)
      return file === null || file.startsWith(`${FOLDER}/`)
    }),
  )
})
