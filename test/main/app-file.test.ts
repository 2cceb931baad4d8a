import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { AppFile } from '../../main/app-file.ts'

const Data = z.object({ word: z.string() })
const DEFAULTS = { word: 'default' }
let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reprise-app-file-'))
  path = join(folder, 'sub', 'data.json')
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

test('what was set is there after a restart', async () => {
  const file = new AppFile(path, Data, DEFAULTS)
  expect(file.value).toEqual(DEFAULTS)
  for (const word of ['a', 'b', 'c']) file.set({ word })
  await file.flush()
  expect(new AppFile(path, Data, DEFAULTS).value).toEqual({ word: 'c' })
  expect(readdirSync(join(folder, 'sub'))).toEqual(['data.json'])
})

test('a file that can’t be read is set aside, and defaults are used', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  path = join(folder, 'data.json')
  writeFileSync(path, '{"schemaVersion":1,"data":{"wo')
  const file = new AppFile(path, Data, DEFAULTS)
  expect(file.value).toEqual(DEFAULTS)
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^data\.json\.corrupt-\d{4}-\d\d-\d\d$/)])
  file.set({ word: 'new' })
  await file.flush()
  expect(new AppFile(path, Data, DEFAULTS).value).toEqual({ word: 'new' })
})

test('a file of a newer version is read as far as it goes and never written', async () => {
  path = join(folder, 'data.json')
  const text = JSON.stringify({ schemaVersion: 99, data: { word: 'kept', more: 1 } })
  writeFileSync(path, text)
  const file = new AppFile(path, Data, DEFAULTS)
  expect(file.value).toEqual({ word: 'kept' })
  file.set({ word: 'changed' })
  await file.flush()
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test('a folder that can’t be written costs nothing but the file', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  writeFileSync(join(folder, 'sub'), 'a file where the folder should be')
  const file = new AppFile(path, Data, DEFAULTS)
  file.set({ word: 'in memory' })
  await file.flush()
  expect(file.value).toEqual({ word: 'in memory' })
  expect(existsSync(path)).toBe(false)
})
