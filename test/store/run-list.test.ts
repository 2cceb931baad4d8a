import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { encodeRow } from '../../main/store/index-store.ts'
import { filesOf } from '../../main/store/paths.ts'
import { encodeRunInfo } from '../../main/store/run-info.ts'
import { openStore } from '../../main/store/run-store.ts'
import { summarize } from '../../main/store/run-summary.ts'
import { newRun, runsOf, startedEvent, viewFrom } from './run-fixtures.ts'

/** What is opened, by every way that the store uses. */
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  return { ...fs, openSync: vi.fn(fs.openSync), readFileSync: vi.fn(fs.readFileSync) }
})

// Ten thousand folders take a while to remove.
const project = mkdtempSync(join(tmpdir(), 'reprise-list-'))
afterAll(() => rmSync(project, { recursive: true, force: true }), 120_000)

const RUNS = 10_000
const PAGE = 50

function opened(): string[] {
  return [...vi.mocked(openSync).mock.calls, ...vi.mocked(readFileSync).mock.calls].map(([path]) => String(path))
}

test('a page of 10,000 runs is one read of the index and a look at the runs of that page', { timeout: 120_000 }, async () => {
  const runs = runsOf(project)
  mkdirSync(runs, { recursive: true })
  let index = ''
  for (let i = 0; i < RUNS; i++) {
    const runId = `run-${String(i).padStart(5, '0')}` as ReturnType<typeof newRun>['runId']
    const view = { ...viewFrom([startedEvent(runId)]), number: i + 1, status: 'completed' as const, updatedAt: i, endedAt: i }
    index += encodeRow({ summary: summarize(view, 0), owner: null })
    const { folder, info, journal } = filesOf(join(runs, runId))
    mkdirSync(folder)
    // Only the newest are whole: the others are rows as long as nobody looks into their folders.
    if (i < RUNS - PAGE) continue
    const { text: _, ...rest } = newRun(project, { runId })
    writeFileSync(info, encodeRunInfo({ ...rest, requestId: `request-${i}` as never, number: i + 1, createdAt: i }))
    writeFileSync(journal, '')
  }
  writeFileSync(join(runs, 'index.jsonl'), index)
  vi.mocked(openSync).mockClear()
  vi.mocked(readFileSync).mockClear()

  const { runs: page, total } = await openStore(project).list({ limit: PAGE })
  expect([total, page.length, page[0]?.number, page.at(-1)?.number]).toEqual([RUNS, PAGE, RUNS, RUNS - PAGE + 1])
  expect(page.every((row) => row.damaged === null)).toBe(true)
  expect(opened().filter((path) => path.endsWith('index.jsonl')).length).toBeLessThanOrEqual(Math.ceil(index.length / (1 << 20)) + 1)
  expect(opened().filter((path) => !path.endsWith('index.jsonl'))).toHaveLength(PAGE)
})
