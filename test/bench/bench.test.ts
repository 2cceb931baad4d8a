import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const out = mkdtempSync(join(tmpdir(), 'reprise-bench-test-'))
afterAll(() => rmSync(out, { recursive: true, force: true }))

test('every benchmark of ours runs and gives its row of the table, with hardly any steps', { timeout: 240_000 }, () => {
  const ran = spawnSync(process.execPath, [join(import.meta.dirname, 'bench.mjs'), '--tiny', '--out', out], { encoding: 'utf8' })
  expect(ran.stderr).toContain('.json')
  const name = readdirSync(out).find((file) => file.endsWith('.json')) ?? ''
  const { results, machine } = JSON.parse(readFileSync(join(out, name), 'utf8'))
  expect(results.filter((row: { skipped?: string }) => row.skipped !== undefined)).toEqual([])
  expect(new Set(results.map((row: { goal: number }) => row.goal))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]))
  expect(results.every((row: { ratio: unknown }) => typeof row.ratio === 'number')).toBe(true)
  expect(machine.node).toBe(process.version)
  for (const row of results) expect(ran.stdout).toContain(`| ${row.goal} | ${row.what} |`)
})

test('a peer that is not installed is skipped with its reason, and its versions are named', () => {
  const ran = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'bench.mjs'), '--tiny', '--peers', '--only', 'vercel', '--goals', '6', '--out', out],
    {
      encoding: 'utf8',
      env: { ...process.env, BENCH_PEERS: join(out, 'nowhere') },
    },
  )
  expect(ran.stdout).toContain('skipped: not installed; workflow 4.8.9')
})
