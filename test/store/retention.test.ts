import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importRun } from '../../main/store/bundle-import.ts'
import { currentOwner } from '../../main/store/owner.ts'
import { pruneRuns, TRASH_DAYS } from '../../main/store/retention.ts'
import { openStore } from '../../main/store/run-store.ts'
import type { NewRecord } from '../../shared/run/record.ts'
import { bundleOf, finishedRun } from './bundle-fixtures.ts'
import { attempt, COUNTS, deadOwner, fileOf, newRunId, opened, runsOf, startedRun, tempFolder } from './run-fixtures.ts'

const DAY = 86_400_000
const ALL = { keep: 0, dryRun: false }

function end(of: Extract<NewRecord, { t: 'end' }>['end']): NewRecord {
  return { t: 'end', attempt: 1, end: of, counts: COUNTS }
}

async function listed(project: string): Promise<string[]> {
  const { runs } = await openStore(project).list({ limit: 100 })
  return runs.map((row) => row.runId).sort()
}

describe('old runs', () => {
  test('beyond the number to keep are moved to the trash, oldest first, and leave the list', async () => {
    const project = tempFolder()
    const ids: string[] = []
    for (let i = 0; i < 4; i++) ids.push((await finishedRun(`answer ${i}`, { project })).runId)
    const { moved, trash } = pruneRuns(project, { keep: 2, dryRun: false })
    expect(moved.map((row) => row.runId)).toEqual(ids.slice(0, 2))
    expect(readdirSync(trash).sort()).toEqual(ids.slice(0, 2))
    expect(await listed(project)).toEqual(ids.slice(2))
    expect(existsSync(join(trash, ids[0] ?? '', 'journal.jsonl'))).toBe(true)
    expect(pruneRuns(project, { keep: 2, dryRun: false }).moved).toEqual([])
  })

  test('are only named by a dry run', async () => {
    const { project, runId } = await finishedRun()
    const { moved, trash } = pruneRuns(project, { keep: 0, dryRun: true })
    expect(moved.map((row) => row.runId)).toEqual([runId])
    expect(existsSync(trash)).toBe(false)
    expect(await listed(project)).toEqual([runId])
  })

  test('that failed or were stopped have ended as well', async () => {
    const project = tempFolder()
    await finishedRun('a', { project, end: end({ status: 'killed' }) })
    await finishedRun('b', { project, end: end({ status: 'failed', error: { code: 'script-error', message: 'no' } }) })
    expect(pruneRuns(project, ALL).moved).toHaveLength(2)
  })
})

describe('a run that may go on', () => {
  test.each([
    ['is paused', end({ status: 'paused', reason: 'budget' })],
    ['waits', end({ status: 'waiting', reason: 'gate' })],
  ])('stays when it %s', async (_, last) => {
    const { project, runId } = await finishedRun('a', { end: last })
    expect(pruneRuns(project, ALL).moved).toEqual([])
    expect(await listed(project)).toEqual([runId])
  })

  test('stays when it was interrupted or somebody works on it', async () => {
    const project = tempFolder()
    const interrupted = await startedRun(deadOwner(), project)
    const owned = await startedRun(currentOwner(), project)
    expect(pruneRuns(project, ALL).moved).toEqual([])
    expect(await listed(project)).toEqual([interrupted.runId, owned.runId].sort())
  })

  test('stays when it was taken on again after the list was written', async () => {
    const { project, store, runId } = await finishedRun()
    await store.list({ limit: 10 })
    const index = join(runsOf(project), 'index.jsonl')
    const going = opened(await store.open(runId, attempt()))
    // The list knows nothing of it: a stale row says that the run has ended.
    expect(existsSync(index)).toBe(true)
    expect(pruneRuns(project, ALL).moved).toEqual([])
    expect((await going.history()).records.at(-1)).toMatchObject({ t: 'attempt', attempt: 2 })
  })

  test('stays when its folder is damaged: somebody may mend it', async () => {
    const { project, runId } = await finishedRun()
    writeFileSync(fileOf(project, runId, 'run.json'), '{')
    expect(pruneRuns(project, ALL).moved).toEqual([])
    expect(existsSync(fileOf(project, runId, 'journal.jsonl'))).toBe(true)
  })
})

describe('the trash', () => {
  test('gives back for good what lies in it for more than 30 days, and nothing younger', async () => {
    const { project, runId } = await finishedRun()
    const now = Date.now()
    const { trash } = pruneRuns(project, ALL, now)
    expect(pruneRuns(project, ALL, now + TRASH_DAYS * DAY - 1000).emptied).toEqual([])
    expect(pruneRuns(project, { keep: 0, dryRun: true }, now + TRASH_DAYS * DAY + 1000).emptied).toEqual([runId])
    expect(readdirSync(trash)).toEqual([runId])
    expect(pruneRuns(project, ALL, now + TRASH_DAYS * DAY + 1000).emptied).toEqual([runId])
    expect(readdirSync(trash)).toEqual([])
  })

  test('an old run gets its 30 days from the day it was moved', async () => {
    const { project, runId } = await finishedRun()
    const past = (Date.now() - 90 * DAY) / 1000
    utimesSync(join(runsOf(project), runId), past, past)
    expect(pruneRuns(project, ALL)).toMatchObject({ moved: [{ runId }], emptied: [] })
  })

  test('keeps its hands off links and what is no run', async () => {
    const { project } = await finishedRun()
    const { trash } = pruneRuns(project, ALL)
    const outside = tempFolder()
    writeFileSync(join(outside, 'mine'), 'mine')
    symlinkSync(outside, join(trash, newRunId()))
    mkdirSync(join(trash, 'not a run'))
    pruneRuns(project, ALL, Date.now() + 400 * DAY)
    expect(readdirSync(outside)).toEqual(['mine'])
    expect(existsSync(join(trash, 'not a run'))).toBe(true)
  })

  test('that leads elsewhere by a link takes nothing in', async () => {
    const { project, runId } = await finishedRun()
    const outside = tempFolder()
    symlinkSync(outside, join(runsOf(project), '.trash'))
    expect(() => pruneRuns(project, ALL)).toThrow(expect.objectContaining({ code: 'project-unwritable' }))
    expect(readdirSync(outside)).toEqual([])
    expect(await listed(project)).toEqual([runId])
  })

  test('a run that came back by import can be moved there again', async () => {
    const run = await finishedRun()
    const path = bundleOf(run)
    pruneRuns(run.project, ALL)
    expect(importRun(run.project, path)).toMatchObject({ runId: run.runId, number: 2 })
    expect(pruneRuns(run.project, ALL).moved).toMatchObject([{ runId: run.runId, number: 2 }])
  })
})

test('a run folder that is a link to somewhere else is never moved', async () => {
  const { project, runId } = await finishedRun()
  const elsewhere = await finishedRun()
  const folder = join(runsOf(project), runId)
  await openStore(project).list({ limit: 10 })
  rmSync(folder, { recursive: true })
  symlinkSync(join(runsOf(elsewhere.project), elsewhere.runId), folder)
  expect(pruneRuns(project, ALL).moved).toEqual([])
  expect(existsSync(fileOf(elsewhere.project, elsewhere.runId, 'journal.jsonl'))).toBe(true)
})

test('a project without runs has nothing to prune, and stays as it was', () => {
  const project = tempFolder()
  expect(pruneRuns(project, ALL)).toMatchObject({ moved: [], emptied: [] })
  expect(readdirSync(project)).toEqual([])
})

test('a torn index hides no old run from it', async () => {
  const { project, runId } = await finishedRun()
  appendFileSync(join(runsOf(project), 'index.jsonl'), '{"torn')
  expect(pruneRuns(project, ALL).moved).toMatchObject([{ runId }])
})
