import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exportRun } from '../../main/store/bundle-export.ts'
import { importRun } from '../../main/store/bundle-import.ts'
import { decodeRecord } from '../../main/store/journal-format.ts'
import { currentOwner, NOBODY } from '../../main/store/owner.ts'
import { sha256Of } from '../../main/store/payload.ts'
import { openStore } from '../../main/store/run-store.ts'
import type { RunView } from '../../shared/run/view.ts'
import { bundleOf, finishedRun, inRuns, unpacked } from './bundle-fixtures.ts'
import {
  attempt,
  call,
  deadOwner,
  fileOf,
  opened,
  result,
  started,
  startedEvent,
  startedRun,
  tempFolder,
  viewFrom,
} from './run-fixtures.ts'

const KEEP_ALL = { replace: false, redact: null }

function withoutPlace(view: RunView): Partial<RunView> {
  const { number: _, path: __, ...rest } = view
  return rest
}

describe('a run that goes from one project to another', () => {
  test('looks the same there, under a number of that project', async () => {
    const run = await finishedRun('x'.repeat(100_000))
    const other = await finishedRun()
    const imported = importRun(other.project, bundleOf(run))
    expect(imported).toEqual({ runId: run.runId, number: 2, title: 'review', redacted: false })
    const here = (await run.store.read(run.runId)).view
    const there = await openStore(other.project).read(run.runId)
    expect(withoutPlace(there.view)).toEqual(withoutPlace(here))
    expect(there.view.number).toBe(2)
    expect(there.info).toMatchObject({ number: 2, project: other.project, imported: { attempts: 1 } })
    const { runs } = await openStore(other.project).list({ limit: 10 })
    expect(runs.map((row) => [row.number, row.runId]).sort()).toEqual([
      [1, other.runId],
      [2, run.runId],
    ])
  })

  test('keeps its answers, also the large ones', async () => {
    const run = await finishedRun('x'.repeat(100_000))
    const project = tempFolder()
    importRun(project, bundleOf(run))
    const store = openStore(project)
    const [answer] = (await store.read(run.runId)).records.filter((record) => record.t === 'result')
    if (answer?.result.kind !== 'ok') throw new Error('no result')
    expect(await store.value(run.runId, answer.result.output)).toBe('x'.repeat(100_000))
  })

  test('goes on there with the next attempt, also when it was interrupted', async () => {
    const { project, runId, run } = await startedRun(deadOwner())
    await run.append([call(1), started(1)])
    await run.append([result(1)])
    const path = bundleOf({ project, runId, store: openStore(project) })
    const there = tempFolder()
    importRun(there, path)
    const store = openStore(there)
    expect((await store.read(runId)).view.status).toBe('interrupted')
    const going = opened(await store.open(runId, attempt()))
    expect(going.attempt).toBe(2)
    expect((await going.history()).records.map((record) => record.t)).toEqual(['attempt', 'call', 'started', 'result', 'attempt'])
    await going.release(viewFrom([startedEvent(runId)]))
  })

  test('points at the same file of the other project, and at any other file as before', async () => {
    const run = await finishedRun()
    const project = tempFolder()
    importRun(project, bundleOf(run))
    expect((await openStore(project).read(run.runId)).info.source.path).toBe(join(project, 'review.ts'))
  })

  test('takes its unreadable lines with it, so that nobody takes it for whole', async () => {
    const run = await finishedRun()
    appendFileSync(fileOf(run.project, run.runId, 'journal.jsonl'), '{"v":2,"torn\n')
    const project = tempFolder()
    importRun(project, bundleOf(run))
    expect((await openStore(project).read(run.runId)).view.badLines).toMatchObject([{ reason: 'is cut off' }])
  })

  test('is taken in once: a second time it is said which run it is', async () => {
    const run = await finishedRun()
    const path = bundleOf(run)
    const project = tempFolder()
    importRun(project, path)
    const before = inRuns(project)
    expect(() => importRun(project, path)).toThrow(
      expect.objectContaining({ code: 'run-exists', message: expect.stringContaining('#1 “review”') }),
    )
    expect(inRuns(project)).toEqual(before)
    expect(readdirSync(join(project, '.claude', 'workflow-runs', 'numbers'))).toEqual(['1'])
  })
})

describe('an export', () => {
  test('holds the sum of each file, and names no machine or process', async () => {
    const files = unpacked(bundleOf(await finishedRun()))
    const { files: sums } = JSON.parse(Buffer.from(files['manifest.json'] ?? []).toString()) as {
      files: { name: string; sha256: string }[]
    }
    expect(Object.keys(files).sort()).toEqual([...sums.map(({ name }) => name), 'manifest.json'].sort())
    for (const { name, sha256 } of sums) expect(sha256Of(files[name] ?? new Uint8Array())).toBe(sha256)
    const [first] = Buffer.from(files['journal.jsonl'] ?? [])
      .toString()
      .split('\n')
    expect(decodeRecord(Buffer.from(first ?? ''))).toMatchObject({ ok: true, record: { t: 'attempt', owner: NOBODY } })
  })

  test('never takes the place of another file unasked, and leaves nothing half made', async () => {
    const { project, runId } = await finishedRun()
    const folder = tempFolder()
    const path = join(folder, 'mine.reprise')
    writeFileSync(path, 'mine')
    expect(() => exportRun(project, runId, path, KEEP_ALL)).toThrow(expect.objectContaining({ code: 'file-exists' }))
    expect(readFileSync(path, 'utf8')).toBe('mine')
    exportRun(project, runId, path, { replace: true, redact: null })
    expect(Object.keys(unpacked(path))).toContain('journal.jsonl')
    expect(readdirSync(folder)).toEqual(['mine.reprise'])
  })

  test('is refused while somebody works on the run, and no file is left', async () => {
    const { project, runId } = await startedRun(currentOwner())
    const folder = tempFolder()
    expect(() => exportRun(project, runId, join(folder, 'x.reprise'), KEEP_ALL)).toThrow(expect.objectContaining({ code: 'run-busy' }))
    expect(readdirSync(folder)).toEqual([])
  })

  test('into a folder that is not there says so', async () => {
    const { project, runId } = await finishedRun()
    expect(() => exportRun(project, runId, join(tempFolder(), 'no', 'x.reprise'), KEEP_ALL)).toThrow(
      expect.objectContaining({ code: 'file-missing' }),
    )
  })

  test('takes what agents left, and follows no link out of the run', async () => {
    const run = await finishedRun()
    const artifacts = fileOf(run.project, run.runId, 'artifacts')
    mkdirSync(join(artifacts, 'deep'), { recursive: true })
    writeFileSync(join(artifacts, 'deep', 'report.md'), '# Report')
    const secret = join(tempFolder(), 'secret')
    writeFileSync(secret, 'private')
    symlinkSync(secret, join(artifacts, 'link'))
    const names = Object.keys(unpacked(bundleOf(run)))
    expect(names).toContain('artifacts/deep/report.md')
    expect(names).not.toContain('artifacts/link')
    const project = tempFolder()
    importRun(project, bundleOf(run))
    expect(readFileSync(fileOf(project, run.runId, 'artifacts/deep/report.md'), 'utf8')).toBe('# Report')
  })
})

describe('an export without secrets', () => {
  const SECRET = 'hunter2-hunter2'
  const env = { DEPLOY_TOKEN: SECRET, HOME: '/home/somebody' }

  test('holds the secret in no file, and keeps the fingerprints', async () => {
    const run = await finishedRun({ text: `the token is ${SECRET}`, long: 'y'.repeat(90_000) }, { prompt: `use ${SECRET}` })
    mkdirSync(fileOf(run.project, run.runId, 'transcripts'))
    writeFileSync(fileOf(run.project, run.runId, 'transcripts/1.jsonl'), `${JSON.stringify({ said: SECRET })}\nno json ${SECRET}\n`)
    const files = unpacked(bundleOf(run, env))
    for (const [name, bytes] of Object.entries(files)) expect(`${name} ${Buffer.from(bytes).toString()}`).not.toContain(SECRET)
    expect(Buffer.from(files['journal.jsonl'] ?? []).toString()).toContain(call(1, `use ${SECRET}`).fp)
    expect(Object.keys(files)).toContain('transcripts/1.jsonl')
  })

  test('can be imported and read, large answers included, and never goes on', async () => {
    const run = await finishedRun({ text: SECRET, long: 'y'.repeat(90_000) })
    const project = tempFolder()
    expect(importRun(project, bundleOf(run, env)).redacted).toBe(true)
    const store = openStore(project)
    const read = await store.read(run.runId)
    const [answer] = read.records.filter((record) => record.t === 'result')
    if (answer?.result.kind !== 'ok') throw new Error('no result')
    expect(await store.value(run.runId, answer.result.output)).toEqual({ text: '[redacted]', long: 'y'.repeat(90_000) })
    expect(read.view.badLines).toEqual([])
    expect(read.view.allowedActions).toEqual(['delete'])
    await expect(store.open(run.runId, attempt())).rejects.toMatchObject({ code: 'run-read-only' })
  })

  test('the kept script is read by the sum of what is left of it', async () => {
    const run = await finishedRun()
    const project = tempFolder()
    importRun(project, bundleOf(run, { A_SECRET: 'say hello' }))
    const { info, view } = await openStore(project).read(run.runId)
    expect(await openStore(project).source(run.runId, info.source.sha256, 'ts')).toBe('return await agent("[redacted]")\n')
    expect(view.script).toBe(info.source.sha256)
  })

  test('leaves out files that are no text', async () => {
    const run = await finishedRun()
    mkdirSync(fileOf(run.project, run.runId, 'artifacts'))
    writeFileSync(fileOf(run.project, run.runId, 'artifacts/image.bin'), Buffer.from([0, 1, 2]))
    expect(Object.keys(unpacked(bundleOf(run)))).toContain('artifacts/image.bin')
    expect(Object.keys(unpacked(bundleOf(run, env)))).not.toContain('artifacts/image.bin')
  })
})

test('an import into a folder that is none makes none', async () => {
  const path = bundleOf(await finishedRun())
  const project = join(tempFolder(), 'nowhere')
  expect(() => importRun(project, path)).toThrow(expect.objectContaining({ code: 'project-missing' }))
  expect(existsSync(project)).toBe(false)
})
