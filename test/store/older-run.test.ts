import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../../main/store/run-store.ts'
import { RunId } from '../../shared/ids.ts'
import { attempt, fileOf, runsOf, tempFolder } from './run-fixtures.ts'

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
  expect(records.flatMap((record) => (record.t === 'call' ? [record.fp] : []))).toEqual(['a', 'b', 'c', 'd'])
  expect(view).toMatchObject({ title: 'audit', status: 'completed', value: { inline: [1] }, startedAt: Date.parse('2026-01-02T03:04:05Z') })
  expect(badLines.map((bad) => bad.line)).toEqual([5])
  expect((await store.list({ limit: 5 })).runs).toMatchObject([
    { runId, title: 'audit', status: 'completed', sentence: '1 of 4 failed', damaged: null },
  ])
})

test('without numbers the order of its lines is the order of delivery, and one left running was interrupted', async () => {
  const { project, runId } = olderRun({ status: 'running', startedAt: 5, updatedAt: 9 }, '{"key":"z","result":1}\n{"key":"y","result":2}\n')
  const { view, records } = await openStore(project).read(runId)
  expect(records.flatMap((record) => (record.t === 'call' ? [record.fp] : []))).toEqual(['z', 'y'])
  expect([view.status, view.startedAt, view.endedAt]).toEqual(['interrupted', 5, 9])
})

test('it is not written into', async () => {
  const { project, runId } = olderRun({ status: 'completed' }, '{"key":"z","result":1}\n')
  await expect(openStore(project).open(runId, attempt())).rejects.toMatchObject({ code: 'run-damaged' })
  expect(readdirSync(join(runsOf(project), runId)).sort()).toEqual(['journal.jsonl', 'state.json'])
})
