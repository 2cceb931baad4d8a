import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { encodeChild } from '../../main/store/child-processes.ts'
import { examine, repair } from '../../main/store/doctor.ts'
import { currentOwner, ownerState, processStart } from '../../main/store/owner.ts'
import { openStore } from '../../main/store/run-store.ts'
import type { Json } from '../../shared/json.ts'
import type { Owner } from '../../shared/run/record.ts'
import { call, claimRunning, completed, deadOwner, fileOf, result, runsOf, started, startedRun, tempFolder } from './run-fixtures.ts'

const HOUR_AGO = (Date.now() - 7_200_000) / 1000

/** A pid that no process has. */
const GONE = 2 ** 22 + 1

function old(path: string, text = ''): string {
  writeFileSync(path, text)
  utimesSync(path, HOUR_AGO, HOUR_AGO)
  return path
}

async function doneRun(owner: Owner = currentOwner(), project = tempFolder(), output: Json = 'answer') {
  const made = await startedRun(owner, project)
  await made.run.append([call(1), started(1)])
  const value = await made.run.put(output)
  await made.run.append([{ ...result(1), result: { kind: 'ok', output: value } }, completed()])
  await made.run.release((await made.store.read(made.runId)).view)
  return made
}

const kinds = (project: string) => examine(project).map(({ kind }) => kind)

test('a project without runs, and one whose runs are whole, have no findings', async () => {
  expect(examine(tempFolder())).toEqual([])
  const { project } = await doneRun()
  expect(examine(project)).toEqual([])
  expect(await repair(project)).toEqual({ findings: [], left: [] })
})

test('a list that says a dead process is at work is put right', async () => {
  const { project, runId } = await startedRun(deadOwner())
  claimRunning(project, runId)
  expect(examine(project)).toMatchObject([{ kind: 'dead-owner', runId, fix: 'List it as interrupted.' }])
  expect((await repair(project)).left).toEqual([])
  const { runs } = await openStore(project).list({ limit: 10 })
  expect(runs).toMatchObject([{ runId, status: 'interrupted' }])
})

test('a list that lacks a run, contradicts it or is unreadable is made again', async () => {
  const { project, runId } = await doneRun()
  const index = join(runsOf(project), 'index.jsonl')
  const whole = readFileSync(index, 'utf8')
  for (const harmed of [
    '',
    `${whole}{"schemaVersion":1,\n`,
    whole
      .split('\n')
      .filter((line) => !line.includes('"completed"'))
      .join('\n'),
  ]) {
    writeFileSync(index, harmed)
    expect(examine(project).length, harmed).toBe(1)
    expect((await repair(project)).left).toEqual([])
    expect((await openStore(project).list({ limit: 10 })).runs).toMatchObject([{ runId, status: 'completed' }])
  }
})

test('a damaged line is a problem until its run has completed, and the journal stays as it is', async () => {
  const { project, runId, run } = await startedRun(deadOwner())
  await run.append([call(1), started(1), result(1)])
  await openStore(project).list({ limit: 10 })
  const journal = fileOf(project, runId, 'journal.jsonl')
  appendFileSync(journal, 'nonsense\n')
  const before = readFileSync(journal)
  const { left } = await repair(project)
  expect(left).toMatchObject([{ kind: 'damaged-line', level: 'problem', runId, fix: null }])
  expect(readFileSync(journal)).toEqual(before)
  const done = await doneRun(currentOwner(), project)
  appendFileSync(fileOf(project, done.runId, 'journal.jsonl'), 'nonsense\n')
  expect(examine(project).find((finding) => finding.runId === done.runId)).toMatchObject({ kind: 'damaged-line', level: 'note' })
})

test('a stored value that was changed, and a run without its run.json, are found', async () => {
  const { project, runId } = await doneRun(currentOwner(), tempFolder(), 'x'.repeat(70_000))
  const payload = fileOf(project, runId, 'payload')
  const [name = ''] = readdirSync(payload)
  writeFileSync(join(payload, name), 'changed')
  expect(kinds(project)).toEqual(['damaged-value'])
  rmSync(fileOf(project, runId, 'run.json'))
  expect(kinds(project)).toEqual(['damaged-run'])
})

test('what belongs to another machine is noted and left alone', async () => {
  const { project, runId } = await startedRun({ ...currentOwner(), host: 'another-machine' })
  const found = examine(project)
  expect(found).toMatchObject([{ kind: 'foreign-owner', level: 'note', runId, fix: null }])
  expect((await repair(project)).left).toEqual(found)
})

test('litter of processes that are gone is removed; what is recent, live or in use stays', async () => {
  const { project, runId, store, run } = await startedRun()
  const runs = runsOf(project)
  const litter = [
    old(join(runs, 'numbers', '0'), 'gone'),
    old(join(runs, 'requests', 'forgotten'), JSON.stringify({ digest: 'd', runId: 'gone' })),
    old(join(runs, `.index.jsonl.${GONE}.0123abcd.tmp`)),
    old(join(runs, `index.jsonl.${GONE}.new`)),
    old(join(runs, runId, `.state.json.${GONE}.0123abcd.tmp`)),
  ]
  const unfinished = join(runs, `.new-gone-${GONE}-0123abcd`)
  mkdirSync(unfinished)
  utimesSync(unfinished, HOUR_AGO, HOUR_AGO)
  const kept = [
    join(runs, runId, `.state.json.${process.pid}.0123abcd.tmp`),
    join(runs, `.new-made-${process.pid}-0123abcd`),
    join(runs, 'requests', 'just-made'),
  ]
  for (const path of kept) writeFileSync(path, JSON.stringify({ digest: 'd', runId: 'being-made' }))
  expect(
    examine(project)
      .map(({ path }) => path)
      .sort(),
  ).toEqual([...litter, unfinished].sort())
  expect((await repair(project)).left).toEqual([])
  for (const path of [...litter, unfinished]) expect(existsSync(path), path).toBe(false)
  for (const path of [...kept, join(runs, 'numbers', '1')]) expect(existsSync(path), path).toBe(true)
  await run.append([call(1)])
  expect((await store.read(runId)).records.at(-1)?.t).toBe('call')
})

test('the highest number stays although its run is gone, so that no number is given twice', async () => {
  const { project } = await doneRun()
  old(join(runsOf(project), 'numbers', '7'), 'gone')
  expect(examine(project)).toEqual([])
})

test('looking changes no file', async () => {
  const { project, runId } = await startedRun(deadOwner())
  claimRunning(project, runId)
  const listing = () => readdirSync(runsOf(project), { recursive: true, encoding: 'utf8' }).sort()
  const before = listing()
  const index = readFileSync(join(runsOf(project), 'index.jsonl'), 'utf8')
  examine(project)
  expect(listing()).toEqual(before)
  expect(readFileSync(join(runsOf(project), 'index.jsonl'), 'utf8')).toBe(index)
})

test.runIf(process.platform !== 'win32')('an agent that outlived its owner is found and ended', async () => {
  const { project, runId } = await startedRun(deadOwner())
  const child = spawn(process.execPath, ['-e', "console.log('ready'); setInterval(() => {}, 1000)"], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  const gone = once(child, 'exit')
  await once(child.stdout, 'data')
  const pid = child.pid ?? 0
  const startTime = processStart(pid) ?? 0
  writeFileSync(fileOf(project, runId, 'children.jsonl'), encodeChild({ pid, startTime, call: 1, boot: currentOwner().boot }))
  expect(examine(project).find(({ kind }) => kind === 'left-process')).toMatchObject({ runId, fix: `End process ${pid}.` })
  expect((await repair(project)).left).toEqual([])
  await gone
  expect(ownerState({ ...currentOwner(), pid, startTime })).toBe('dead')
})
