import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { OpenRun } from '../../main/engine/ports.ts'
import type { Disk } from '../../main/store/disk.ts'
import { nodeDisk } from '../../main/store/disk.ts'
import { currentOwner } from '../../main/store/owner.ts'
import { sha256Of } from '../../main/store/payload.ts'
import { openStore } from '../../main/store/run-store.ts'
import type { RunId } from '../../shared/ids.ts'
import type { JournalRecord, Owner } from '../../shared/run/record.ts'
import { bundled, claimant } from './other-process.ts'
import {
  attempt,
  call,
  completed,
  deadOwner,
  fileOf,
  newRequestId,
  newRun,
  newRunId,
  opened,
  result,
  runsOf,
  saidBy,
  startedEvent,
  startedRun,
  TEXT,
  tempFolder,
  viewFrom,
} from './run-fixtures.ts'

describe('making a run', () => {
  test('leaves it whole on the disk, hidden from git, with its text and attempt 1', async () => {
    const { project, store, runId } = await startedRun()
    expect(readFileSync(join(runsOf(project), '.gitignore'), 'utf8')).toBe('*\n')
    expect(readFileSync(fileOf(project, runId, `source/${sha256Of(TEXT).slice(0, 16)}.ts`), 'utf8')).toBe(TEXT)
    const { info, records, view, ownerAlive } = await store.read(runId)
    expect(info).toMatchObject({ runId, number: 1, title: 'review', project })
    expect(saidBy(records)).toEqual(['attempt 1'])
    expect([view.status, ownerAlive]).toEqual(['queued', true])
    expect(await store.source(runId, sha256Of(TEXT), 'ts')).toBe(TEXT)
  })

  test('keeps the input as it was given, and tells a missing one from null', async () => {
    const project = tempFolder()
    const store = openStore(project)
    for (const given of [{}, { args: null }, { args: 'GO' }, { args: [1, { a: '1' }] }]) {
      const { runId } = await store.create(newRun(project, given), newRequestId(), currentOwner())
      const { info, records } = await store.read(runId)
      expect({ ...('args' in info ? { args: info.args } : {}) }).toEqual(given)
      expect(records[0]).toMatchObject(given)
      expect('args' in (records[0] ?? {})).toBe('args' in given)
    }
  })

  test('gives each run its own number, also when two stores make them at once', async () => {
    const project = tempFolder()
    const stores = [openStore(project), openStore(project)]
    const made = await Promise.all(
      [0, 1, 2, 3].map((i) => (stores[i % 2] ?? openStore(project)).create(newRun(project), newRequestId(), currentOwner())),
    )
    expect(made.map((run) => run.number).sort()).toEqual([1, 2, 3, 4])
  })

  test('the same request makes one run', async () => {
    const project = tempFolder()
    const store = openStore(project)
    const request = newRequestId()
    const run = newRun(project)
    const first = await store.create(run, request, currentOwner())
    const again = await openStore(project).create({ ...run, runId: newRunId() }, request, currentOwner())
    expect(again).toEqual({ runId: first.runId, number: 1, token: '', existed: true })
    expect((await store.list({ limit: 10 })).total).toBe(1)
    expect(store.request(request)?.runId).toBe(first.runId)
    expect(store.request(newRequestId())).toBeNull()
  })

  test('the same request for something else is a conflict and makes nothing', async () => {
    const project = tempFolder()
    const store = openStore(project)
    const request = newRequestId()
    await store.create(newRun(project), request, currentOwner())
    await expect(store.create(newRun(project, { args: 'other' }), request, currentOwner())).rejects.toMatchObject({
      code: 'request-conflict',
    })
    expect((await store.list({ limit: 10 })).total).toBe(1)
  })

  test('a crash before the folder got its name leaves no run, and the same request then makes it', async () => {
    const project = tempFolder()
    const store = openStore(project)
    const request = newRequestId()
    const run = newRun(project)
    await store.create(run, request, currentOwner())
    const half = join(runsOf(project), `.new-${run.runId}-999999999-00000000`)
    rmSync(fileOf(project, run.runId, 'journal.jsonl'))
    // As after a crash: the folder is half filled and still hidden.
    renameSync(join(runsOf(project), run.runId), half)
    expect((await openStore(project).list({ limit: 10 })).total).toBe(0)
    const again = await openStore(project).create({ ...run, runId: newRunId() }, request, currentOwner())
    expect([again.runId, again.existed]).toEqual([run.runId, false])
    expect((await openStore(project).list({ limit: 10 })).runs.map((row) => row.runId)).toEqual([run.runId])
  })

  test('a project that is not there, or a file, is named', async () => {
    const missing = join(tempFolder(), 'gone')
    await expect(openStore(missing).create(newRun(missing), newRequestId(), currentOwner())).rejects.toMatchObject({
      code: 'project-missing',
      message: expect.stringContaining(missing),
    })
    await expect(openStore(missing).list({ limit: 1 })).rejects.toMatchObject({ code: 'project-missing' })
  })

  test('a runs folder that can not be made is named', async () => {
    const project = tempFolder()
    writeFileSync(join(project, '.claude'), 'a file')
    await expect(openStore(project).create(newRun(project), newRequestId(), currentOwner())).rejects.toMatchObject({
      code: 'project-unwritable',
      message: expect.stringContaining(runsOf(project)),
    })
  })
})

describe('owning a run', () => {
  test('a run at work is not given to a second owner', async () => {
    const { store, runId } = await startedRun()
    expect(await store.open(runId, attempt())).toEqual({ heldBy: currentOwner() })
    expect(saidBy((await store.read(runId)).records)).toEqual(['attempt 1'])
  })

  test('a run that ended, or whose owner died, is taken as the next attempt with its text', async () => {
    const { store, runId, run } = await startedRun()
    await run.append([call(1), result(1), completed()])
    const text = 'return 2\n'
    const second = opened(await store.open(runId, attempt({ owner: deadOwner(), script: { sha256: sha256Of(text), text, ext: 'js' } })))
    expect(second.attempt).toBe(2)
    expect(saidBy((await second.history()).records)).toEqual(['attempt 1', 'call 1', 'result 1', 'end 1', 'attempt 2'])
    expect(await store.source(runId, sha256Of(text), 'js')).toBe(text)
    expect(opened(await store.open(runId, attempt())).attempt).toBe(3)
  })

  test('who claims in the same moment but writes second withdraws, and the first keeps the run', async () => {
    const { project, runId } = await startedRun(deadOwner())
    let rival: Promise<OpenRun | { heldBy: Owner }> | null = null
    const disk: Disk = {
      ...nodeDisk,
      write: (fd, bytes, offset) => {
        // Both have seen a dead owner; the rival's record reaches the file just before ours.
        rival ??= openStore(project).open(runId, attempt())
        return nodeDisk.write(fd, bytes, offset)
      },
    }
    const ours = await openStore(project, { disk }).open(runId, attempt())
    expect(ours).toEqual({ heldBy: currentOwner() })
    const winner = opened(await (rival ?? Promise.reject(new Error('no rival'))))
    await winner.append([call(1), result(1, 'won', 2)])
    expect(saidBy((await openStore(project).read(runId)).records)).toEqual(['attempt 1', 'attempt 2', 'call 1', 'result 1'])
  })

  test('R11: two processes that resume the same run at once, ten times: one wins each time', async () => {
    const script = await bundled(join(import.meta.dirname, 'claimant.ts'))
    const claimants = [1, 2].map(() => claimant(script))
    try {
      for (let round = 0; round < 10; round++) {
        const { project, store, runId } = await startedRun(deadOwner())
        const said = await Promise.all(claimants.map((ask) => ask.claim(project, runId)))
        expect(
          said.filter((answer) => answer === 'won'),
          said.join(),
        ).toHaveLength(1)
        expect((await store.read(runId)).view.attempt).toBe(2)
      }
    } finally {
      for (const ask of claimants) ask.end()
    }
  })

  test('a run of another machine is taken over only on the user’s word', async () => {
    const { store, runId } = await startedRun({ pid: 1, startTime: 1, boot: 'other', host: 'elsewhere' })
    await expect(store.open(runId, attempt())).rejects.toMatchObject({
      code: 'run-foreign-host',
      message: expect.stringContaining('elsewhere'),
    })
    expect(opened(await store.open(runId, attempt(), { takeOver: true })).attempt).toBe(2)
  })

  test('the attempt that was made can not be adopted once another began', async () => {
    const project = tempFolder()
    const store = openStore(project)
    const { runId, token } = await store.create(newRun(project), newRequestId(), deadOwner())
    opened(await store.open(runId, attempt()))
    await expect(store.adopt(runId, token)).rejects.toMatchObject({ code: 'fenced' })
  })

  test('history after it was handed over is read again, with what was added', async () => {
    const { run } = await startedRun()
    expect(saidBy((await run.history()).records)).toEqual(['attempt 1'])
    await run.append([call(1)])
    expect(saidBy((await run.history()).records)).toEqual(['attempt 1', 'call 1'])
  })
})

describe('values', () => {
  test('up to 64 KB stay in the journal, larger ones lie in a file of their own', async () => {
    const { project, store, runId, run } = await startedRun()
    expect(await run.put({ a: 1 })).toEqual({ inline: { a: 1 } })
    const large = 'é'.repeat(40_000)
    const value = await run.put(large)
    if (!('blob' in value)) throw new Error('expected a reference')
    expect(value.blob.bytes).toBe(80_002)
    expect(readFileSync(fileOf(project, runId, `payload/${value.blob.sha256}`), 'utf8')).toBe(JSON.stringify(large))
    expect(await run.get(value)).toBe(large)
    expect(await store.value(runId, value)).toBe(large)
    expect(await run.put(large)).toEqual(value)
  })

  test('a changed or missing one is refused, never handed out', async () => {
    const { project, store, runId, run } = await startedRun()
    const value = await run.put('x'.repeat(100_000))
    if (!('blob' in value)) throw new Error('expected a reference')
    writeFileSync(fileOf(project, runId, `payload/${value.blob.sha256}`), '"y"')
    await expect(store.value(runId, value)).rejects.toMatchObject({ code: 'run-damaged' })
    await expect(store.value(runId, { blob: { ...value.blob, sha256: '../../../secret' } })).rejects.toMatchObject({ code: 'run-damaged' })
  })
})

test('a saved result whose stored value was changed is marked for who resumes, the others are not', async () => {
  const { project, store, runId, run } = await startedRun(deadOwner())
  const values = await Promise.all(['a', 'b'].map((text) => run.put(text.repeat(100_000))))
  const results = values.map((output, i) => ({ ...result(i + 1), result: { kind: 'ok' as const, output } }))
  await run.append([call(1), call(2), ...results])
  const [first] = values
  if (first === undefined || !('blob' in first)) throw new Error('expected a reference')
  writeFileSync(fileOf(project, runId, `payload/${first.blob.sha256}`), '"c"')
  const marks = (records: readonly JournalRecord[]) =>
    records.flatMap((record) => (record.t === 'result' && record.result.kind === 'ok' ? ['unreadable' in record.result.output] : []))
  expect(marks((await store.readForResume(runId)).records)).toEqual([true, false])
  expect(marks((await opened(await store.open(runId, attempt())).history()).records)).toEqual([true, false])
  expect(readFileSync(fileOf(project, runId, 'journal.jsonl'), 'utf8')).not.toContain('unreadable')
})

describe('R31: nothing leads out of the runs folder', () => {
  test('an id that is no id is refused before any path is made of it', async () => {
    const project = tempFolder()
    const store = openStore(project)
    await store.create(newRun(project), newRequestId(), currentOwner())
    for (const id of ['../x', '..', '.', '', 'a/b', 'a\\b', 'a\0b', 'requests', 'Numbers', 'x'.repeat(129), '.new-x']) {
      const unchecked = id as RunId // what an unchecked caller could hand over
      await expect(store.read(unchecked), id).rejects.toMatchObject({ code: 'run-unknown' })
      await expect(store.open(unchecked, attempt()), id).rejects.toMatchObject({ code: 'run-unknown' })
      await expect(store.create(newRun(project, { runId: unchecked }), newRequestId(), currentOwner()), id).rejects.toMatchObject({
        code: 'run-unknown',
      })
      expect(() => store.feed(unchecked, 0, AbortSignal.abort()), id).toThrow()
      await expect(store.inbox.post(unchecked, { id: 'c', by: 'test', body: { kind: 'stop' } }, 1), id).rejects.toMatchObject({
        code: 'run-unknown',
      })
    }
    expect(() => store.request('../../x')).toThrow('request id')
  })

  test('a run folder that is a link is one damaged row and is not opened', async () => {
    const { project, store, runId } = await startedRun(deadOwner())
    const outside = tempFolder()
    symlinkSync(outside, join(runsOf(project), 'linked'))
    await expect(store.read('linked' as RunId)).rejects.toMatchObject({ code: 'run-damaged' })
    const { runs } = await store.list({ limit: 10 })
    expect(runs.map((row) => [row.runId, row.damaged !== null]).sort()).toEqual(
      [
        [runId, false],
        ['linked', true],
      ].sort(),
    )
    expect(readdirSync(outside)).toEqual([])
  })

  test('a link inside a run folder keeps the run from being owned', async () => {
    for (const name of ['journal.jsonl', 'payload', 'state.json']) {
      const { project, store, runId } = await startedRun(deadOwner())
      const outside = tempFolder()
      const target = join(outside, 'target')
      writeFileSync(target, 'untouched')
      rmSync(fileOf(project, runId, name), { force: true, recursive: true })
      symlinkSync(name === 'payload' ? outside : target, fileOf(project, runId, name))
      await expect(store.open(runId, attempt()), name).rejects.toMatchObject({ code: 'run-damaged' })
      expect([readdirSync(outside), readFileSync(target, 'utf8')]).toEqual([['target'], 'untouched'])
    }
  })

  test('a runs folder that is a link out of the project is refused before anything is written', async () => {
    for (const depth of ['.claude', '.claude/workflow-runs']) {
      const project = tempFolder()
      const outside = tempFolder()
      if (depth !== '.claude') mkdirSync(join(project, '.claude'))
      symlinkSync(outside, join(project, depth))
      await expect(openStore(project).create(newRun(project), newRequestId(), currentOwner())).rejects.toMatchObject({
        code: 'project-unwritable',
      })
      expect(readdirSync(outside), depth).toEqual([])
    }
  })
})

test('a closed attempt takes no more events', async () => {
  const { runId, run } = await startedRun()
  const events = [startedEvent(runId)]
  run.publish(events, viewFrom(events))
  await run.release(viewFrom(events))
  expect(() => run.publish(events, viewFrom(events))).toThrow('closed')
})
