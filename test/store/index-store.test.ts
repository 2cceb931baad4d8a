import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { IndexStore } from '../../main/store/index-store.ts'
import { currentOwner } from '../../main/store/owner.ts'
import { projectPaths } from '../../main/store/paths.ts'
import { openStore } from '../../main/store/run-store.ts'
import type { RunEvent } from '../../shared/run/events.ts'
import {
  attempt,
  base,
  COUNTS,
  call,
  claimRunning,
  completed,
  deadOwner,
  fileOf,
  newRequestId,
  newRun,
  opened,
  result,
  runsOf,
  startedEvent,
  startedRun,
  tempFolder,
  viewFrom,
} from './run-fixtures.ts'

const ALL = { limit: 100 }

function indexOf(project: string): string {
  return join(runsOf(project), 'index.jsonl')
}

/** A run that went from start to end, with its row. */
async function finishedRun(project: string, title = 'review') {
  const store = openStore(project)
  const { runId, token, number } = await store.create(newRun(project, { title }), newRequestId(), currentOwner())
  const run = await store.adopt(runId, token)
  const start: RunEvent = { ...startedEvent(runId), title, number }
  const end: RunEvent = {
    type: 'run.ended',
    ...base(runId, 2),
    at: Date.now(),
    status: 'completed',
    reason: null,
    resetAt: null,
    error: null,
    counts: COUNTS,
    value: null,
  }
  run.publish([start], viewFrom([start]))
  await run.append([call(1), result(1), completed()])
  run.publish([end], viewFrom([start, end]))
  await run.release(viewFrom([start, end]))
  return runId
}

describe('the list', () => {
  test('of a project without runs is empty and makes nothing', async () => {
    const project = tempFolder()
    expect(await openStore(project).list(ALL)).toEqual({ runs: [], total: 0 })
    expect(readdirSync(project)).toEqual([])
  })

  test('shows each run once, as it is last, newest change first', async () => {
    const project = tempFolder()
    const first = await finishedRun(project, 'first')
    const second = await finishedRun(project, 'second')
    const { runs, total } = await openStore(project).list(ALL)
    expect(total).toBe(2)
    expect(runs.map((row) => [row.runId, row.title, row.status])).toEqual([
      [second, 'second', 'completed'],
      [first, 'first', 'completed'],
    ])
  })

  test('is filtered by state, workflow and text, and paged', async () => {
    const project = tempFolder()
    const store = openStore(project)
    for (const title of ['alpha', 'beta', 'gamma']) await finishedRun(project, title)
    await store.create(newRun(project, { title: 'waiting one' }), newRequestId(), deadOwner())
    const titles = async (query: object): Promise<string[]> => (await store.list({ ...ALL, ...query })).runs.map((row) => row.title).sort()
    expect(await titles({ status: ['completed'] })).toEqual(['alpha', 'beta', 'gamma'])
    expect(await titles({ status: ['interrupted'] })).toEqual(['waiting one'])
    expect(await titles({ workflow: 'beta' })).toEqual(['beta'])
    expect(await titles({ text: 'AMM' })).toEqual(['gamma'])
    expect(await titles({ text: '#2' })).toEqual(['beta'])
    expect((await store.list({ limit: 2, offset: 3 })).runs).toHaveLength(1)
    expect((await store.list({ limit: 2, offset: 3 })).total).toBe(4)
  })

  test('is rebuilt when the index is missing, torn or no index at all', async () => {
    const project = tempFolder()
    await finishedRun(project, 'first')
    await finishedRun(project, 'second')
    const expected = await openStore(project).list(ALL)
    const text = readFileSync(indexOf(project), 'utf8')
    for (const broken of [null, '', 'not an index\n', text.slice(0, -30), text.replaceAll('"status":"completed"', '"status":7')]) {
      if (broken === null) rmSync(indexOf(project))
      else writeFileSync(indexOf(project), broken)
      const { runs } = await openStore(project).list(ALL)
      expect(runs.map((row) => [row.runId, row.status])).toEqual(expected.runs.map((row) => [row.runId, row.status]))
      expect(new IndexStore(projectPaths(project)).rows().size).toBe(2)
    }
  })

  test('a damaged run is one row that says why, and hides no other', async () => {
    const project = tempFolder()
    const good = await finishedRun(project, 'good')
    mkdirSync(join(runsOf(project), 'empty-folder'))
    mkdirSync(join(runsOf(project), 'bad-json'))
    writeFileSync(fileOf(project, 'bad-json', 'run.json'), '{"schemaVersion":1,')
    mkdirSync(join(runsOf(project), 'newer'))
    writeFileSync(fileOf(project, 'newer', 'run.json'), '{"schemaVersion":99}')
    const { runs } = await openStore(project).list(ALL)
    expect(runs.map((row) => row.runId).sort()).toEqual([good, 'bad-json', 'empty-folder', 'newer'].sort())
    expect(runs.find((row) => row.runId === good)?.damaged).toBeNull()
    expect(runs.find((row) => row.runId === 'empty-folder')?.damaged).toContain('run.json is gone')
    expect(runs.find((row) => row.runId === 'bad-json')?.damaged).toContain("can't be read")
    expect(runs.find((row) => row.runId === 'newer')?.damaged).toContain('newer version')
  })

  test('200 runs of which 20 are damaged are 180 rows as they were and 20 that name what is wrong', { timeout: 120_000 }, async () => {
    const project = tempFolder()
    const runs = []
    for (let i = 0; i < 200; i++) runs.push(await finishedRun(project, `run ${i}`))
    const harm: ((runId: string) => void)[] = [
      (id) => rmSync(fileOf(project, id, 'run.json')),
      (id) => rmSync(fileOf(project, id, 'journal.jsonl')),
      (id) => writeFileSync(fileOf(project, id, 'run.json'), '{"schemaVersion":1,'),
      (id) => writeFileSync(fileOf(project, id, 'run.json'), readFileSync(fileOf(project, id, 'run.json'), 'utf8').replace('run ', 'rum ')),
    ]
    const damaged = runs.filter((_, i) => i % 10 === 3)
    for (const [i, id] of damaged.entries()) harm[i % harm.length]?.(id)
    for (const isIndexed of [true, false]) {
      if (!isIndexed) rmSync(indexOf(project))
      const { runs: rows, total } = await openStore(project).list({ limit: 200 })
      expect(total).toBe(200)
      const bad = rows.filter((row) => row.damaged !== null)
      expect(bad.map((row) => row.runId).sort(), `with an index: ${isIndexed}`).toEqual([...damaged].sort())
      expect(bad.every((row) => /run\.json|journal/.test(row.damaged ?? ''))).toBe(true)
      expect(rows.filter((row) => row.damaged === null && row.status === 'completed')).toHaveLength(180)
    }
  })

  test('a damaged run that was mended is a run again', async () => {
    const project = tempFolder()
    const runId = await finishedRun(project)
    rmSync(indexOf(project))
    renameSync(fileOf(project, runId, 'run.json'), fileOf(project, runId, 'away'))
    expect((await openStore(project).list(ALL)).runs[0]?.damaged).not.toBeNull()
    renameSync(fileOf(project, runId, 'away'), fileOf(project, runId, 'run.json'))
    expect((await openStore(project).list(ALL)).runs[0]).toMatchObject({ damaged: null, status: 'completed' })
  })

  test('a row that claims a running run is checked against its owner', async () => {
    const { project, runId, run } = await startedRun(deadOwner())
    await run.append([call(1), result(1)])
    claimRunning(project, runId)
    expect((await openStore(project).list(ALL)).runs[0]).toMatchObject({ status: 'interrupted', sentence: 'closed while it ran · 1 saved' })
  })

  test('a run at work is shown as of its last second, from its cached view', async () => {
    const { project, store, runId, run } = await startedRun()
    const start = startedEvent(runId)
    run.publish([start], viewFrom([start]))
    await run.release({ ...viewFrom([start]), updatedAt: Date.now() + 1000, currentPhase: 'Later' })
    expect((await store.list(ALL)).runs[0]).toMatchObject({ status: 'running', currentPhase: 'Later' })
    expect(project).not.toBe('')
  })

  test('a deleted run folder is no row', async () => {
    const project = tempFolder()
    const runId = await finishedRun(project)
    rmSync(join(runsOf(project), runId), { recursive: true })
    expect((await openStore(project).list(ALL)).total).toBe(0)
  })

  test('a late row of an earlier attempt does not hide the attempt that goes on', async () => {
    const { project, store, runId } = await startedRun(deadOwner())
    const index = new IndexStore(projectPaths(project))
    const old = (await store.list(ALL)).runs[0]
    if (old === undefined) throw new Error('no row')
    const second = opened(await store.open(runId, attempt()))
    const start = startedEvent(runId, 1, 2)
    second.publish([start], viewFrom([start]))
    index.append({ summary: old, owner: null })
    expect((await openStore(project).list(ALL)).runs[0]).toMatchObject({ status: 'running', attempt: 2 })
  })
})

describe('compaction', () => {
  test('keeps the last row of each run, when the index is twice too long', async () => {
    const project = tempFolder()
    const runId = await finishedRun(project)
    const last = readFileSync(indexOf(project), 'utf8').trim().split('\n').at(-1) ?? ''
    appendFileSync(indexOf(project), `\n${last}`.repeat(300))
    appendFileSync(indexOf(project), '\n')
    const store = openStore(project)
    await store.list(ALL)
    expect(readFileSync(indexOf(project), 'utf8').trim().split('\n')).toEqual([last])
    expect((await store.list(ALL)).runs.map((row) => row.runId)).toEqual([runId])
    expect(readdirSync(runsOf(project)).filter((name) => name.includes('.lock') || name.includes('.new'))).toEqual([])
  })

  test('waits while another process compacts, and takes the lock of a dead one away', async () => {
    const project = tempFolder()
    await finishedRun(project)
    const last = readFileSync(indexOf(project), 'utf8').trim().split('\n').at(-1) ?? ''
    appendFileSync(indexOf(project), `\n${last}`.repeat(300))
    appendFileSync(indexOf(project), '\n')
    const lock = join(runsOf(project), 'index.lock')
    const lines = (): number =>
      readFileSync(indexOf(project), 'utf8')
        .split('\n')
        .filter((line) => line !== '').length
    writeFileSync(lock, JSON.stringify(currentOwner()))
    await openStore(project).list(ALL)
    expect([lines() > 300, existsSync(lock)]).toEqual([true, true])
    writeFileSync(lock, JSON.stringify(deadOwner()))
    await openStore(project).list(ALL)
    expect([lines(), existsSync(lock)]).toEqual([1, false])
  })

  test('a row that another process appends afterwards is seen', async () => {
    const project = tempFolder()
    const store = openStore(project)
    await finishedRun(project, 'one')
    await store.list(ALL)
    await finishedRun(project, 'two')
    expect((await store.list(ALL)).runs.map((row) => row.title)).toEqual(['two', 'one'])
  })
})
