import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../../main/store/run-store.ts'
import { RunId } from '../../shared/ids.ts'
import { bundled, claimant } from './other-process.ts'
import { attempt, deadOwner, fileOf, opened, runsOf, saidBy, tempFolder } from './run-fixtures.ts'

function olderRun(run: object, journal: string): { project: string; runId: RunId } {
  const project = tempFolder()
  const runId = RunId.parse('wf_older-1')
  mkdirSync(join(runsOf(project), runId), { recursive: true })
  writeFileSync(
    fileOf(project, runId, 'state.json'),
    JSON.stringify({ schemaVersion: 1, run: { runId, workflowName: 'audit', phases: [], agents: [], agentCount: 3, ...run } }),
  )
  writeFileSync(fileOf(project, runId, 'journal.jsonl'), journal)
  return { project, runId }
}

test('a run of an older tool is listed and read, with its results by their keys in delivery order', async () => {
  const journal = [
    '{"key":"b","seq":2,"result":"two"}',
    '{"key":"a","seq":1,"result":{"x":1}}',
    '{"key":"c","seq":3,"dead":"timeout"}',
    '{"key":"d","seq":4,"skipped":true}',
    '{"torn',
  ].join('\n')
  const { project, runId } = olderRun(
    { status: 'completed', startedAt: '2026-01-02T03:04:05Z', updatedAt: '2026-01-02T03:05:05Z', returnValue: [1] },
    journal,
  )
  const store = openStore(project)
  const { view, records, badLines } = await store.read(runId)
  expect(records.flatMap((record) => (record.t === 'result' ? [record.result] : []))).toEqual([
    { kind: 'ok', output: { inline: { x: 1 } } },
    { kind: 'ok', output: { inline: 'two' } },
    { kind: 'dead', reason: 'agent-error', detail: 'timeout' },
    { kind: 'skipped' },
  ])
  expect(records.flatMap((record) => (record.t === 'call' ? [record.fp] : []))).toEqual(['older:a', 'older:b', 'older:c', 'older:d'])
  expect(view).toMatchObject({ title: 'audit', status: 'completed', value: { inline: [1] }, startedAt: Date.parse('2026-01-02T03:04:05Z') })
  expect(badLines.map((bad) => bad.line)).toEqual([5])
  expect((await store.list({ limit: 5 })).runs).toMatchObject([
    { runId, title: 'audit', status: 'completed', sentence: '1 of 4 failed', damaged: null },
  ])
})

test('without numbers the order of its lines is the order of delivery, and one left running was interrupted', async () => {
  const { project, runId } = olderRun({ status: 'running', startedAt: 5, updatedAt: 9 }, '{"key":"z","result":1}\n{"key":"y","result":2}\n')
  const { view, records } = await openStore(project).read(runId)
  expect(records.flatMap((record) => (record.t === 'call' ? [record.fp] : []))).toEqual(['older:z', 'older:y'])
  expect([view.status, view.startedAt, view.endedAt]).toEqual(['interrupted', 5, 9])
})

test('it becomes a run of ours when it goes on: nothing of it is lost or rewritten', async () => {
  const journal = `{"key":"z","result":${JSON.stringify('x'.repeat(70_000))}}\n{"key":"y","dead":"timeout"}\n`
  const { project, runId } = olderRun({ status: 'failed', startedAt: 5, error: 'no' }, journal)
  const store = openStore(project)
  const run = opened(await store.open(runId, attempt()))
  const { records, badLines } = await run.history()
  expect(badLines).toEqual([])
  expect(saidBy(records)).toEqual(['attempt 1', 'call 1', 'result 1', 'call 2', 'result 2', 'end 1', 'attempt 2'])
  const result = records[2]?.t === 'result' ? records[2].result : null
  expect(result).toMatchObject({ kind: 'ok', output: { blob: { bytes: 70_002 } } })
  expect(result?.kind === 'ok' && (await run.get(result.output))).toBe('x'.repeat(70_000))
  expect(readFileSync(fileOf(project, runId, 'journal.jsonl'), 'utf8')).toBe(journal)
  expect(readFileSync(fileOf(project, runId, 'state.older.json'), 'utf8')).toContain('"workflowName":"audit"')
  expect(await store.read(runId)).toMatchObject({ info: { number: 1, title: 'audit', project }, view: { attempt: 2, title: 'audit' } })
})

test.each([
  ['the older state was kept', ['journal.v2.jsonl']],
  ['the new journal was written', []],
])('a crash while it is taken, after %s, is gone on from', async (_, gone) => {
  const journal = '{"key":"z","result":1}\n'
  const { project, runId } = olderRun({ status: 'running' }, journal)
  opened(await openStore(project).open(runId, attempt({ owner: deadOwner() })))
  // As it was before run.json came, which is last.
  for (const name of ['run.json', ...gone]) rmSync(fileOf(project, runId, name))
  writeFileSync(fileOf(project, runId, 'state.json'), readFileSync(fileOf(project, runId, 'state.older.json')))
  expect((await openStore(project).read(runId)).records).toHaveLength(2)
  const { records } = await opened(await openStore(project).open(runId, attempt())).history()
  expect(saidBy(records).filter((said) => !said.startsWith('attempt'))).toEqual(['call 1', 'result 1'])
  expect(readFileSync(fileOf(project, runId, 'journal.jsonl'), 'utf8')).toBe(journal)
})

test('of two processes that take one at once, five times, one wins each time and every result is there', async () => {
  const script = await bundled('test/store/claimant.ts')
  const processes = [claimant(script), claimant(script)]
  try {
    for (let round = 0; round < 5; round += 1) {
      const { project, runId } = olderRun({ status: 'completed' }, '{"key":"z","result":1}\n'.repeat(20))
      const said = await Promise.all(processes.map((one) => one.claim(project, runId)))
      expect(said.toSorted()).toEqual(['held', 'won'])
      const { records } = await openStore(project).read(runId)
      expect(records.filter((record) => record.t === 'result')).toHaveLength(20)
    }
  } finally {
    for (const one of processes) one.end()
  }
})
