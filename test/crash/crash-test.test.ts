import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { crashTest, isClean } from '../../main/crash/crash-test.ts'

const entry = pathToFileURL(resolve('out/cli/crash-engine.mjs'))
const dir = mkdtempSync(join(tmpdir(), 'reprise-crash-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

test('twenty kills, torn tails, flipped bits and refused writes lose no result that was handed out', { timeout: 120_000 }, async () => {
  const told: number[] = []
  const figures = await crashTest({ kills: 20, lanes: [1, 16], seed: 7, entry, onProgress: ({ kills }) => told.push(kills) })
  expect(figures.failures).toEqual([])
  expect(figures).toMatchObject({ kills: 20, acknowledgedLost: 0, rerunOverLanes: 0, undetected: 0 })
  expect(figures.unsyncedLost).toBeGreaterThan(0)
  expect(figures.flippedBits).toBeGreaterThan(0)
  expect(told).toHaveLength(20)
})

test('an engine that does not sync is caught losing results', { timeout: 120_000 }, async () => {
  const stop = new AbortController()
  const figures = await crashTest({
    ...{ kills: 200, lanes: [1], seed: 3, entry, dir, durability: 'os', signal: stop.signal },
    onProgress: ({ acknowledgedLost }) => acknowledgedLost > 0 && stop.abort(),
  })
  expect(figures.acknowledgedLost).toBeGreaterThan(0)
  expect(isClean(figures)).toBe(false)
  expect(figures.failures.join('\n')).toContain('the journal lacks results that were handed out')
  expect(existsSync(dir) && readdirSync(dir)).toContain('project-1')
})
